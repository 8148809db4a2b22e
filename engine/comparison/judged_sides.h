// The common result of all recordings of two sides.
#pragma once

#include <olab/comparison/comparison.h>
#include <olab/comparison/slowdown.h>

#include <span>
#include <string>
#include <vector>

namespace olab::comparison {

// Which times of the recordings are compared.

enum class TimeBasis : std::uint8_t {
    Untraced,  ///< makespans of untraced runs
    Traced,    ///< of traced ones
    Iteration, ///< mean iteration of programs that repeat the same one
    Measured,  ///< run times
    DeviceSpan ///< first to last device work, if only some run times are those of iterations
};
std::string_view timeBasisText(TimeBasis basis); ///< "untraced runs"

using ComparedRuns = std::span<const ComparedRun>;

/// The order in time of the recordings of both sides.
enum class TimeOrder : std::uint8_t {
    Unknown, ///< some do not say when they were made, or all were made within a second
    Mixed,
    OneFirst ///< all of one side before those of the other
};

struct ComparedTimes {
    TimeBasis basis = TimeBasis::Measured;
    bool perRecording = true; ///< each recording counts once; else each run of each
    bool inTurns = false;     ///< recorded alternately: time i of A belongs to time i of B
    TimeOrder order = TimeOrder::Unknown;
    std::vector<Ns> before, after;
};
/// Each recording counts once, by the median of its runs, if both sides have enough; otherwise each run
/// counts, except repeats of the simulator, which are all equal.
ComparedTimes comparedTimes(ComparedRuns before, ComparedRuns after);
/// The mean iteration of each recording; nothing if one has no repetition or a different one.
std::optional<ComparedTimes> iterationTimes(ComparedRuns before, ComparedRuns after);

std::optional<Slowdown> slowdownOf(const ComparedTimes& times);

/// The one whose time is the median; for an even number the faster of the two in the middle.
std::size_t typicalOf(ComparedRuns runs, TimeBasis basis);
bool isSimulated(const ComparedRun& run);
/// Whether its run time is that of its repeating iterations.
bool isOfIterations(const ComparedRun& run);
TimeBasis basisOf(ComparedRuns before, ComparedRuns after);

/// The first reason that `reasonOf` returns for the first recording paired with any other one of both sides.
template <typename ReasonOf>
std::string firstReason(ComparedRuns before, ComparedRuns after, ReasonOf reasonOf) {
    for (const ComparedRun& run : after)
        if (std::string reason = reasonOf(before.front(), run); !reason.empty())
            return reason;
    for (const ComparedRun& run : before.subspan(1))
        if (std::string reason = reasonOf(before.front(), run); !reason.empty())
            return reason;
    return {};
}

/// Sets slowdown, changed findings and a sentence; in comparison.account, the causes that are new in most of
/// the recordings.
void judgeSides(ComparedRuns before, ComparedRuns after, const ComparedTimes& times, Comparison& comparison);

} // namespace olab::comparison
