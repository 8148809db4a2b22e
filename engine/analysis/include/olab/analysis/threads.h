// What is known of the threads of a recording besides their numbers: the names that a profiler wrote down,
// and those that are no threads at all, but what a profiler marked on a stream of a GPU (gpu_user_annotation
// of PyTorch): the same ranges as on the host, drawn out to the work that they issued. Importers write it
// into the environment. Of one recording only: several that were merged have threads of the same numbers.
#pragma once

#include <olab/trace/trace.h>

#include <map>
#include <optional>
#include <string>

namespace olab::analysis {

inline constexpr std::string_view kThreadNameKey = "import.thread_name."; ///< and the thread's number
inline constexpr std::size_t kMostNamedThreads = 64; ///< the environment has room for some more lines
inline constexpr std::string_view kGpuRangesKey = "import.gpu_ranges."; ///< the same: "DEVICE STREAM"

/// Empty: nobody named it.
std::string threadName(const Trace& trace, const Queue& thread);

struct GpuRanges {
    std::uint32_t device = kNoNumber, stream = kNoNumber; ///< as in the records
    friend bool operator==(const GpuRanges&, const GpuRanges&) = default;
};
/// Nothing: it is a thread.
std::optional<GpuRanges> gpuRangesOf(const Trace& trace, const Queue& queue);
/// The queues that are no threads.
std::map<QueueId, GpuRanges> gpuRanges(const Trace& trace);

} // namespace olab::analysis
