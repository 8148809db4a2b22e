// Preconditions for assertions about two recordings: neither lost anything, and both did the same work.
// According to the records, work is the count and bytes of each class of device work, and the kernels by name
// and, if both know them, grid and block, regardless of their distribution over streams and devices;
// migrations of unified memory are the driver's doing and do not count. For experiments the planned durations
// of kernels and callbacks, which no record contains, replace the grid. Pure functions, any thread.
#pragma once

#include <olab/analysis/report.h>
#include <olab/comparison/comparison.h>

#include <span>
#include <string>
#include <vector>

namespace olab::comparison {

struct ComparedRun;

/// Why a recording is incomplete: the first loss among its defects, or that its end was not written; empty:
/// it is complete.
std::string lossReason(const analysis::Report& report);

/// "Nothing shows that both did the same work: A has 48 kernels, B 12."; empty: they did the same.
std::string otherWorkReason(const ComparedRun& before, const ComparedRun& after);

/// The same for one iteration of two programs that repeat one: equal work within kSameIteration. Empty: they
/// did the same.
std::string otherIterationReason(const ComparedRun& before, const ComparedRun& after);
inline constexpr double kSameIteration = 0.02; ///< work that crosses the ends of iterations makes them differ

// Identical recordings, whatever their file names and clock zeros: the same device work at the same times, to
// the nanosecond. No real run repeats that; only the simulator does.

/// Times count from the first device work; in recordings of fewer than ten operations, which a microsecond
/// clock may repeat by chance, the absolute times count. False without device work.
bool isSameRecording(const Trace& a, const Trace& b);

/// The recordings of one side, each once.
struct DistinctRuns {
    std::vector<ComparedRun> runs;
    std::vector<std::size_t> places; ///< original index of each
    std::size_t copies = 0;          ///< number of omitted copies
};
DistinctRuns distinctRuns(std::span<const ComparedRun> given);

/// "Of the 5 recordings of A 4 are copies of others: each counts once."; empty: there are none.
std::string copiesText(const DistinctRuns& side, const char* name);

/// "run3 stands on both sides"; empty: none does, or they are simulated and therefore always equal.
std::string sharedReason(std::span<const ComparedRun> before, std::span<const ComparedRun> after);

} // namespace olab::comparison
