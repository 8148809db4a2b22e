// What must be known of two recordings before anything is asserted of both: that nothing was lost of either,
// and that both did the same work. By the records the work is count and bytes of each class of device work
// and the kernels by name and, where both know them, grid and block, however they are dealt out to streams
// and devices; migrations of unified memory are the driver's doing and are no part of it. Of runs of
// experiments it is, instead of the grid, what no record tells: how long kernels and callbacks are made to
// take. Pure functions, any thread.
#pragma once

#include <olab/analysis/report.h>
#include <olab/comparison/comparison.h>

#include <span>
#include <string>
#include <vector>

namespace olab::comparison {

struct ComparedRun;

/// Why numbers of a recording do not tell all that happened: the first loss among its defects, or that its
/// end was not written; empty: it is whole.
std::string lossReason(const analysis::Report& report);

/// "Nothing shows that both did the same work: A has 48 kernels, B 12."; empty: they did the same.
std::string otherWorkReason(const ComparedRun& before, const ComparedRun& after);

/// The same of one iteration of two programs that repeat one: it did as much work, to kSameIteration. Empty:
/// it did.
std::string otherIterationReason(const ComparedRun& before, const ComparedRun& after);
inline constexpr double kSameIteration = 0.02; ///< what lies across its ends makes some more, some less

// Recordings that are one and the same, whatever their files are called and wherever the zero of their clock
// is: the same device work at the same times, to the nanosecond. No run repeats that, but for the simulator.

/// Times count from the first device work, but in recordings of less than ten operations, which a clock of
/// microseconds may repeat by chance: there the times themselves. Without device work: never.
bool isSameRecording(const Trace& a, const Trace& b);

/// Of one side, each recording once.
struct DistinctRuns {
    std::vector<ComparedRun> runs;
    std::vector<std::size_t> places; ///< of each among those that were given
    std::size_t copies = 0;          ///< how many were left out
};
DistinctRuns distinctRuns(std::span<const ComparedRun> given);

/// "Of the 5 recordings of A 4 are copies of others: each counts once."; empty: there are none.
std::string copiesText(const DistinctRuns& side, const char* name);

/// "run3 stands on both sides"; empty: none does, or they are simulated and say the same each time.
std::string sharedReason(std::span<const ComparedRun> before, std::span<const ComparedRun> after);

} // namespace olab::comparison
