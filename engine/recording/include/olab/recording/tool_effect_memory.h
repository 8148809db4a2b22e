// Tool effects that this process has measured, so that the same experiment in the same place is not measured
// again: same options except those that do not affect the work (trace, repeat), same program, same
// environment, same device and driver. Racing experiments are not stored: fewer runs would detect the race
// less often. One thread at a time (the engine thread).
#pragma once

#include <olab/analysis/report.h>
#include <olab/experiment/held_experiment.h>
#include <olab/trace/trace.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace olab::recording {

struct MeasuredEffect {
    analysis::ToolEffect effect;
    std::int64_t loops = 0; ///< of the kernel, to do the same work again
    std::string device;     ///< deviceTextOf() a run of it
    std::string title;      ///< of the run that it was measured with
};

class ToolEffectMemory {
public:
    /// What runs of the engine depend on besides experiment and device: its current program file, and the
    /// environment of this process.
    static std::string placeOf(const std::filesystem::path& program);
    /// Device and driver as recorded by the run.
    static std::string deviceTextOf(const Trace& trace);

    std::optional<MeasuredEffect> find(const experiment::Experiment& experiment,
                                       const std::string& place) const;
    void keep(const experiment::Experiment& experiment, const std::string& place, MeasuredEffect measured);
    void forget(const experiment::Experiment& experiment, const std::string& place);

private:
    std::map<std::string, MeasuredEffect> m_measured;
};

} // namespace olab::recording
