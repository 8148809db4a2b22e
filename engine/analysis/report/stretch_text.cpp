#include "report/stretch_text.h"

#include "facts/sentences.h"

#include <olab/trace/value_text.h>

namespace olab::analysis {
namespace {

using enum ActivityClass;

bool isHostCopy(ActivityClass c) {
    return c == MemcpyH2D || c == MemcpyD2H;
}

/// Kernels that access host memory use the same link as the copies.
bool kernelsUseHostMemory(const experiment::Schedule* schedule) {
    return schedule && (schedule->kernel.reads.bytes > 0 || schedule->kernel.writes.bytes > 0);
}

std::string longerText(const Slowed& slowed) {
    return timeText(slowed.longer) + " more than the " + timeText(slowed.solo) + " it takes alone";
}

std::string label(const Slowed& slowed) {
    return std::string(classLabel(slowed.cls));
}

std::string bothSlowedText(const Slowed& a, const Slowed& b) {
    const std::string byA = percentText(a.share()), byB = percentText(b.share());
    const std::string how =
        byA == byB ? "by " + byA : label(a) + " by " + byA + ", " + label(b) + " by " + byB;
    return "each slowed the other" + std::string(byA == byB ? " " : ": ") + how + " (" + label(a) + " took " +
           longerText(a) + ", " + label(b) + " " + longerText(b) + ")";
}

std::string oneSlowedText(const Slowed& slower, const Slowed& slowed) {
    return label(slower) + " slowed " + label(slowed) + " by " + percentText(slowed.share()) + " (" +
           longerText(slowed) + ")";
}

} // namespace

std::string sharedResource(ActivityClass a, ActivityClass b, const experiment::Schedule* schedule) {
    if (isHostCopy(a) && isHostCopy(b))
        return "both directions share the host's memory";
    const bool withKernel = a == Kernel || b == Kernel;
    if (withKernel && (isHostCopy(a) || isHostCopy(b)) && kernelsUseHostMemory(schedule))
        return "both use the host's memory and the link to it, the kernels in place";
    if (withKernel && (a == Memset || b == Memset))
        return "both use the SMs and the device's memory";
    return "both use the device's memory";
}

std::string slowedText(const Slowed& a, const Slowed& b, double noticed) {
    if (a.share() > noticed && b.share() > noticed)
        return bothSlowedText(a, b);
    return a.share() >= b.share() ? oneSlowedText(b, a) : oneSlowedText(a, b);
}

} // namespace olab::analysis
