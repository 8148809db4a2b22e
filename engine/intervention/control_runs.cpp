#include <olab/intervention/control_runs.h>

namespace olab::intervention {
namespace {

constexpr int kPasses = 16; ///< in total: enough to make the ends of the pipeline negligible
constexpr std::int64_t kCopyBytes = 32 << 20;
constexpr std::int64_t kKernelUs = 600; ///< about as long as the copy over PCIe 5, half of that over PCIe 4
constexpr int kSmallGrid = 8;           ///< leaves nearly all of any device free

} // namespace

experiment::HeldExperiment controlExperiment(const experiment::Experiment& like, bool together) {
    experiment::HeldExperiment experiment;
    for (const std::string_view key : {"device", "sim.device", "sim.submission", "seed"})
        experiment::setOption(experiment, key, experiment::optionText(like, key));
    experiment::setNumber(experiment, "streams", together ? 2 : 1);
    experiment::setNumber(experiment, "iterations", together ? kPasses / 2 : kPasses);
    for (const std::string_view step : {"memset", "d2h", "callback"})
        experiment::setOption(experiment, step, "off");
    experiment::setNumber(experiment, "h2d.bytes", kCopyBytes);
    experiment::setNumber(experiment, "kernel.us", kKernelUs);
    experiment::setNumber(experiment, "kernel.blocks", kSmallGrid);
    experiment::setOption(experiment, "trace=on");
    return experiment;
}

comparison::Controls runControls(const experiment::Experiment& like, experiment::Backend& traced,
                                 const RunControl& control) {
    RunControl named;
    named.stop = control.stop;
    named.progress = [&control](double share, std::string_view what) {
        control.report(share, "controls: " + std::string(what));
    };
    const recording::BackendPair backends{&traced, nullptr};
    const recording::RecordingPtr together =
        recording::runExperiment(controlExperiment(like, true), backends, "must overlap", named);
    const recording::RecordingPtr apart =
        recording::runExperiment(controlExperiment(like, false), backends, "must not overlap", named);
    return comparison::judgeControls(together->report, apart->report,
                                     together->trace.provenance().source == SourceKind::Simulated);
}

std::shared_ptr<recording::Recording> withControls(const recording::Recording& recording,
                                                   comparison::Controls controls, const RunControl& control) {
    auto made = recording::remake(recording, control);
    comparison::applyControls(controls, made->report);
    made->controls = std::move(controls);
    return made;
}

} // namespace olab::intervention
