// When options have no effect, for the rows of the table. Private to the module.
#pragma once

#include "plan_size.h"

#include <olab/experiment/experiment.h>

namespace olab::experiment::detail {

inline bool withoutH2d(const Experiment& e) {
    return !e.h2d;
}
inline bool withoutMemset(const Experiment& e) {
    return !e.memset;
}
inline bool withoutKernel(const Experiment& e) {
    return !e.kernel;
}
inline bool withoutD2h(const Experiment& e) {
    return !e.d2h;
}
inline bool withoutCallback(const Experiment& e) {
    return !e.callback;
}
inline bool perThreadStreams(const Experiment& e) {
    return e.streamKind == PlannedStreamKind::PerThread;
}
inline bool oneStream(const Experiment& e) {
    return e.streams == 1;
}
inline bool wholePasses(const Experiment& e) {
    return e.order == IssueOrder::Depth && e.streams > 1 &&
           (e.issue == IssueMode::OnCallback || e.issueThreads == IssueThreads::PerStream);
}
/// Ops between passes: a single pass has none.
inline bool onePass(const Experiment& e) {
    return passCount(e) == 1;
}
inline bool notPageLocked(const Experiment& e) {
    return e.h2dMemory == HostMemory::Pageable || e.h2dMemory == HostMemory::Managed;
}
inline bool noCopyOut(const Experiment& e) {
    return e.d2h && usedInPlace(e.d2hMemory);
}
inline constexpr std::string_view kNoH2d = "There is no H2D copy: h2d is off.";
inline constexpr std::string_view kNoMemset = "There is no memset: memset is off.";
inline constexpr std::string_view kNoKernel = "There is no kernel: kernel is off.";
inline constexpr std::string_view kNoD2h = "There is no D2H copy: d2h is off.";
inline constexpr std::string_view kNoCallback = "There is no callback: callback is off.";

// Why an option has no effect on recorded work.
inline constexpr std::string_view kRecordedSizes = "Sizes are those of the recording.";
inline constexpr std::string_view kRecordedKernels =
    "Each kernel has the duration and the grid that it had in the recording.";
inline constexpr std::string_view kRecordedOrder =
    "Operations are issued in the order in which the recording has them.";
inline constexpr std::string_view kRecordedWaits = "Streams wait for events where the recording does.";
inline constexpr std::string_view kUnknownData = "Nothing is known of the data of recorded work.";
inline constexpr std::string_view kNoPasses = "Recorded work has no passes to put something between.";

} // namespace olab::experiment::detail
