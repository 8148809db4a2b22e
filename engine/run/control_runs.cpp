#include <olab/run/control_runs.h>

namespace olab {
namespace {

constexpr int kPasses = 16; ///< in all: enough for the ends of the pipeline not to count
constexpr std::int64_t kCopyBytes = 32 << 20;
constexpr std::int64_t kKernelUs = 600; ///< about as long as the copy over PCIe 5, half of that over PCIe 4
constexpr std::uint32_t kSmallGrid = 8; ///< leaves nearly all of any device free

} // namespace

Experiment controlExperiment(const Experiment& like, bool together) {
    Experiment experiment;
    experiment.device = like.device;
    experiment.simDevice = like.simDevice;
    experiment.simSubmission = like.simSubmission;
    experiment.seed = like.seed;
    experiment.streams = together ? 2 : 1;
    experiment.iterations = together ? kPasses / 2 : kPasses;
    experiment.memset = experiment.d2h = experiment.callback = false;
    experiment.h2dBytes = kCopyBytes;
    experiment.kernelUs = kKernelUs;
    experiment.kernelBlocks = {kSmallGrid, 0};
    experiment.trace = TraceMode::On;
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
