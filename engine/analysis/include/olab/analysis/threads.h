// What a recording says about its threads besides their numbers: names noted by a profiler, and which of them
// are no threads but a profiler's marks on a GPU stream (gpu_user_annotation of PyTorch): the host's ranges,
// stretched to the work that they issued. Importers write both into the environment. Only for a single
// recording: merged ones have threads with equal numbers.
#pragma once

#include <olab/trace/trace.h>

#include <map>
#include <optional>
#include <string>

namespace olab::analysis {

inline constexpr std::string_view kThreadNameKey = "import.thread_name."; ///< followed by the thread's number
inline constexpr std::size_t kMostNamedThreads = 64; ///< leaves room in the environment for other entries
inline constexpr std::string_view kGpuRangesKey = "import.gpu_ranges."; ///< the same: "DEVICE STREAM"

/// Empty: unnamed.
std::string threadName(const Trace& trace, const Queue& thread);

struct GpuRanges {
    std::uint32_t device = kNoNumber, stream = kNoNumber; ///< as in the records
    friend bool operator==(const GpuRanges&, const GpuRanges&) = default;
};
/// Nothing: it is a real thread.
std::optional<GpuRanges> gpuRangesOf(const Trace& trace, const Queue& queue);
/// The queues that are not threads.
std::map<QueueId, GpuRanges> gpuRanges(const Trace& trace);

} // namespace olab::analysis
