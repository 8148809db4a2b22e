// What this process has measured of the tool effect, so that the same experiment in the same place need not
// be measured again: same options but those that do not touch the work (trace, repeat), same program, same
// environment, same device and driver. Nothing of an experiment that raced: fewer runs would find that less
// often. One thread at a time (the engine thread).
#pragma once

#include <olab/analysis/report.h>
#include <olab/experiment/held_experiment.h>
#include <olab/trace/trace.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace olab {

struct MeasuredEffect {
    ToolEffect effect;
    std::int64_t loops = 0; ///< of the kernel: the same work again
    std::string device;     ///< deviceTextOf() a run of it
    std::string title;      ///< of the run it was measured with
};

class ToolEffectMemory {
public:
    /// What the engine's runs depend on beside experiment and device: its program as it is now, and the
    /// environment of this process.
    static std::string placeOf(const std::filesystem::path& program);
    /// Device and driver, as the run itself recorded them.
    static std::string deviceTextOf(const Trace& trace);

    std::optional<MeasuredEffect> find(const Experiment& experiment, const std::string& place) const;
    void keep(const Experiment& experiment, const std::string& place, MeasuredEffect measured);
    void forget(const Experiment& experiment, const std::string& place);

private:
    std::map<std::string, MeasuredEffect> m_measured;
};

} // namespace olab
