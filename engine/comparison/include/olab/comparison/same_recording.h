// Recordings that are one and the same, whatever their files are called and wherever the zero of their clock
// is: the same device work at the same times, to the nanosecond. No run repeats that, but for the simulator.
#pragma once

#include <olab/comparison/comparison.h>

#include <span>
#include <string>
#include <vector>

namespace olab::comparison {

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
