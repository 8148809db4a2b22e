// The machine that runs: this one, or that of --on HOST.
#pragma once

#include "arguments.h"

#include <olab/run/child_backend.h>
#include <olab/run/elsewhere.h>

namespace olab::cli {

inline constexpr OptionSpec kOnOption{
    "--on", "", "HOST",
    "run on this machine, which your own ssh reaches ('olab setup-host HOST' prepares it)"};

class Machine {
public:
    /// Connects if --on says so. @throws Error
    Machine(const Arguments& arguments, const RunControl& control);
    bool isElsewhere() const { return m_elsewhere != nullptr; }
    /// @throws Error when it cannot be reached
    run::EngineProbe probe(const RunControl& control) const;
    /// For its children.
    run::ChildConfig config() const;
    /// "No GPU can be used: ..." @throws Error (no-device), always
    [[noreturn]] void refuse(const run::EngineProbe& probe, std::string_view what = "used") const;

private:
    std::shared_ptr<const run::Elsewhere> m_elsewhere; ///< null: this one
};

} // namespace olab::cli
