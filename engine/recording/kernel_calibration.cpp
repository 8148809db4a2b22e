#include <olab/experiment/experiment.h>
#include <olab/recording/kernel_calibration.h>

#include <algorithm>
#include <charconv>

namespace olab::recording {

KernelShape kernelShapeOf(const experiment::Experiment& e) {
    return {e.kernelKind,        e.kernelUs,      e.kernelBlocks.blocks,
            e.kernelBlocks.fill, e.kernelThreads, e.kernelSmem};
}

std::int64_t calibratedLoops(const Trace& trace) {
    const auto found = trace.environment().find("calibration.loops");
    std::int64_t loops = 0;
    if (found != trace.environment().end())
        std::from_chars(found->second.data(), found->second.data() + found->second.size(), loops);
    return std::max<std::int64_t>(0, loops);
}

} // namespace olab::recording
