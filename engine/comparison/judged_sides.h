// What all recordings of two sides say together.
#pragma once

#include <olab/comparison/comparison.h>
#include <olab/comparison/slowdown.h>

#include <span>
#include <string>
#include <vector>

namespace olab::comparison {

// Which times of compared recordings are held against each other.

enum class TimeBasis : std::uint8_t {
    Untraced,  ///< makespans of untraced runs
    Traced,    ///< of traced ones
    Iteration, ///< the mean iteration of programs that repeat the same one
    Measured,  ///< run times
    DeviceSpan ///< first to last device work: some run times are those of iterations alone, some are not
};
std::string_view timeBasisText(TimeBasis basis); ///< "untraced runs"

using ComparedRuns = std::span<const ComparedRun>;

/// How the recordings of the two sides lie in time.
enum class TimeOrder : std::uint8_t {
    Unknown, ///< some do not say when they were made, or all were made within a second
    Mixed,
    OneFirst ///< all of one side before those of the other
};

struct ComparedTimes {
    TimeBasis basis = TimeBasis::Measured;
    bool perRecording = true; ///< each recording counts once; else each run of each
    bool inTurns = false;     ///< recorded alternately, A and B: time i of both belong together
    TimeOrder order = TimeOrder::Unknown;
    std::vector<Ns> before, after;
};
/// Recordings count once each, by the median of their runs, where there are enough of both sides; else each
/// run counts, but for repeats of the simulator, which are all the same.
ComparedTimes comparedTimes(ComparedRuns before, ComparedRuns after);
/// The mean iteration of each recording; nothing where one repeats none, or another one.
std::optional<ComparedTimes> iterationTimes(ComparedRuns before, ComparedRuns after);

std::optional<Slowdown> slowdownOf(const ComparedTimes& times);

/// The one whose time is the median: of an even number the faster of both in the middle.
std::size_t typicalOf(ComparedRuns runs, TimeBasis basis);
bool isSimulated(const ComparedRun& run);
/// Its run time is that of the iterations that it repeats.
bool isOfIterations(const ComparedRun& run);
TimeBasis basisOf(ComparedRuns before, ComparedRuns after);

/// The first reason that `reasonOf` gives for the first recording and any other one of both sides.
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

/// Slowdown, findings that came and went, and a sentence; of comparison.account, which causes are new in most
/// of the recordings.
void judgeSides(ComparedRuns before, ComparedRuns after, const ComparedTimes& times, Comparison& comparison);

} // namespace olab::comparison
