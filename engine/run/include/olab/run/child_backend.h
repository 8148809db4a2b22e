// A backend that runs schedules in a child process, `olab engine`, started by posix_spawn and spoken to
// through pipes; no Qt. Two kinds: plain (never loads libcupti, reused from run to run unless they are to be
// compared with traced ones) and traced (CUPTI before cuInit; a fresh one for each job unless reuse is known
// to be safe). A child is replaced after an error, a hang or a cancel; it is killed and reaped in the
// background.
#pragma once

#include <olab/experiment/backend.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace olab {

enum class ChildKind : std::uint8_t { Plain, Traced };

struct ChildConfig {
    std::filesystem::path program; ///< the `olab` to start
    ChildKind kind = ChildKind::Traced;
    /// traced: also keep the raw CUPTI buffers (fixtures): job N writes "<rawCuptiFile>.N"; empty: do not
    std::filesystem::path rawCuptiFile;
    /// A child that says nothing for so long is hung: it ends itself, or is killed; Error. nullopt:
    /// OLAB_TIME_LIMIT, else what the schedule allows (at least a minute).
    std::optional<std::chrono::seconds> silenceLimit;
    std::vector<std::string>
        extraArguments; ///< more arguments for `olab engine` ("--sim": it runs the simulator)
};

class ChildBackend final : public Backend {
public:
    explicit ChildBackend(ChildConfig config);
    ~ChildBackend() override; ///< ends the child
    /// The child runs plan(schedule.experiment) again; `out` gets the records of the file it wrote. Looks at
    /// OLAB_FAULT for each run (fault.h).
    /// @throws Error as the child reported it ("run-hung" among them), "child-died" (with the signal),
    /// "child-hung", Cancelled (within 200 ms)
    void run(const Schedule& schedule, const RunOptions& options, TraceBuilder& out,
             const RunControl& control) override;
    /// The least that devices=all can mean: the child plans again, with the devices it finds.
    int deviceCount() override { return 2; }
    int pid() const; ///< 0 when no child is alive; for tests and the log

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Whether a child could run experiments on a GPU, asked of a short-lived one: this process never touches the
/// driver.
struct EngineProbe {
    bool usable = false;
    std::string what;      ///< usable: "NVIDIA H200, driver 580.82, CUPTI 130001"
    std::string why, hint; ///< not usable: the reason and what to do
};
/// @throws Error only when cancelled
EngineProbe probeEngine(const std::filesystem::path& program, const RunControl& control = {});

/// Where `olab` is: beside this program, in ../bin, or on PATH. Empty when not found.
std::filesystem::path findOlab();

} // namespace olab
