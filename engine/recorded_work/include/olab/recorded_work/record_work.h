// Turns any recording into an experiment: the device work of a window becomes a schedule that can be run
// again as recorded and then with changed options. Information missing from the records is assumed and listed
// in RecordedWork::assumed. Keeps all recorded order: that of streams, events and host waits.
#pragma once

#include <olab/recording/recording.h>

namespace olab::recorded_work {

/// The device work that touches `window` (times of the trace), on the device that has most of it. Operations
/// are not cut. @throws Error kind Usage: no-work, too-many (with the time up to which it would work)
experiment::HeldExperiment experimentLike(const recording::Recording& recording, Interval window);
/// All of the recording.
experiment::HeldExperiment experimentLike(const recording::Recording& recording);

/// How well a run reproduces the recording.
struct Reproduction {
    struct Pair {
        ActivityClass a{}, b{};
        Ns recorded = 0, played = 0; ///< time during which both ran
        Ns most = 0;                 ///< recorded: the time of the shorter one
    };
    /// What it can predict about a change: the amount, only the direction, or nothing, because it is another
    /// program.
    enum class Grade : std::uint8_t { Number, Direction, Other };
    Ns recorded = 0, played = 0; ///< from the first begin to the last end of device work
    std::vector<Pair> pairs;     ///< of classes that occur
    double ratio() const {
        return recorded > 0 ? static_cast<double>(played) / static_cast<double>(recorded) : 0;
    }
    /// The largest difference of the makespan, or of a pair's overlap as a share of its possible overlap.
    double off() const;
    Grade grade() const;
    std::string_view gradeId() const;
    /// "It takes 10.2 ms where the recording took 10.0 ms (2 % more). ..."
    std::string text() const;
};
/// The recorded values, for a run that has not been made yet.
Reproduction recordedIn(const recording::Recording& recording, Interval window);
void addPlayed(Reproduction& reproduction, const recording::Recording& played);
/// Recorded and reproduced values. `window`: as passed to experimentLike().
Reproduction reproductionOf(const recording::Recording& recording, Interval window,
                            const recording::Recording& played);

/// "Your pipeline with h2d.memory=pinned: 2.1x faster." Empty if `changed` has the same options.
std::string changeText(const recording::Recording& before, const recording::Recording& changed);

} // namespace olab::recorded_work
