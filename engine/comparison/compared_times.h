// Which times of compared recordings are held against each other.
#pragma once

#include <olab/comparison/comparison.h>
#include <olab/comparison/slowdown.h>

#include <span>
#include <vector>

namespace olab::comparison {

enum class TimeBasis : std::uint8_t {
    Untraced,  ///< makespans of untraced runs
    Traced,    ///< of traced ones
    Iteration, ///< the mean iteration of programs that repeat the same one
    Measured,  ///< run times
    DeviceSpan ///< first to last device work: some run times are those of iterations alone, some are not
};
std::string_view timeBasisText(TimeBasis basis); ///< "untraced runs"

using ComparedRuns = std::span<const ComparedRun>;

struct ComparedTimes {
    TimeBasis basis = TimeBasis::Measured;
    bool perRecording = true; ///< each recording counts once; else each run of each
    bool inTurns = false;     ///< recorded alternately, A and B: time i of both belong together
    bool isOneFirst = false;  ///< several recordings of each, all of one side made before those of the other
    std::vector<Ns> before, after;
};
/// Recordings count once each, by the median of their runs, where there are enough of both sides; else each
/// run counts.
ComparedTimes comparedTimes(ComparedRuns before, ComparedRuns after);
/// The mean iteration of each recording; nothing where one repeats none, or another one.
std::optional<ComparedTimes> iterationTimes(ComparedRuns before, ComparedRuns after);

std::optional<Slowdown> slowdownOf(const ComparedTimes& times);

/// The one whose time is the median: of an even number the faster of both in the middle.
std::size_t typicalOf(ComparedRuns runs, TimeBasis basis);
/// Its run time is that of the iterations that it repeats.
bool isOfIterations(const ComparedRun& run);
TimeBasis basisOf(ComparedRuns before, ComparedRuns after);

} // namespace olab::comparison
