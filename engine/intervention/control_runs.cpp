#include <olab/intervention/control_runs.h>

namespace olab {
namespace {

constexpr int kPasses = 16; ///< in total: enough to make the ends of the pipeline negligible
constexpr std::int64_t kCopyBytes = 32 << 20;
constexpr std::int64_t kKernelUs = 600; ///< about as long as the copy over PCIe 5, half of that over PCIe 4
constexpr int kSmallGrid = 8;           ///< leaves nearly all of any device free

} // namespace

HeldExperiment controlExperiment(const Experiment& like, bool together) {
    HeldExperiment experiment;
    for (const std::string_view key : {"device", "sim.device", "sim.submission", "seed"})
        setOption(experiment, key, optionText(like, key));
    setNumber(experiment, "streams", together ? 2 : 1);
    setNumber(experiment, "iterations", together ? kPasses / 2 : kPasses);
    for (const std::string_view step : {"memset", "d2h", "callback"})
        setOption(experiment, step, "off");
    setNumber(experiment, "h2d.bytes", kCopyBytes);
    setNumber(experiment, "kernel.us", kKernelUs);
    setNumber(experiment, "kernel.blocks", kSmallGrid);
    setOption(experiment, "trace=on");
    return experiment;
}

Controls runControls(const Experiment& like, Backend& traced, const RunControl& control) {
    RunControl named;
    named.stop = control.stop;
    named.progress = [&control](double share, std::string_view what) {
        control.report(share, "controls: " + std::string(what));
    };
    const BackendPair backends{&traced, nullptr};
    const RecordingPtr together =
        runExperiment(controlExperiment(like, true), backends, "must overlap", named);
    const RecordingPtr apart =
        runExperiment(controlExperiment(like, false), backends, "must not overlap", named);
    return judgeControls(together->report, apart->report,
                         together->trace.provenance().source == SourceKind::Simulated);
}

std::shared_ptr<Recording> withControls(const Recording& recording, Controls controls,
                                        const RunControl& control) {
    auto made = remake(recording, control);
    applyControls(controls, made->report);
    made->controls = std::move(controls);
    return made;
}

} // namespace olab
