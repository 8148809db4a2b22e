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

} // namespace olab::comparison
