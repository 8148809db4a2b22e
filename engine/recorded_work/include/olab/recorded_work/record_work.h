// Any recording made an experiment: the device work of a window of it as a schedule of its own, to be run
// again as it was recorded and then with options changed. What the records do not say is assumed, and told in
// RecordedWork::assumed. Order is never lost: that of each stream, of events and of waits of the host as far
// as they were recorded.
#pragma once

#include <olab/recording/recording.h>

namespace olab {

/// The device work that touches `window` (times of the trace), on the device that has most of it. Whole: an
/// operation is not cut. @throws Error kind Usage: no-work, too-many (with the time up to which it would do)
HeldExperiment experimentLike(const Recording& recording, Interval window);
/// All of the recording.
HeldExperiment experimentLike(const Recording& recording);

/// How well a run of it does what was recorded.
struct Reproduction {
    struct Pair {
        ActivityClass a{}, b{};
        Ns recorded = 0, played = 0; ///< how long both ran at once
    };
    Ns recorded = 0, played = 0; ///< from the first begin to the last end of device work
    std::vector<Pair> pairs;     ///< of classes that are in it
    double ratio() const {
        return recorded > 0 ? static_cast<double>(played) / static_cast<double>(recorded) : 0;
    }
    /// "It takes 10.2 ms where the recording took 10.0 ms (2 % more). ..."
    std::string text() const;
};
/// What was recorded of it, for a run that is still to come.
Reproduction recordedIn(const Recording& recording, Interval window);
void addPlayed(Reproduction& reproduction, const Recording& played);
/// Both. `window`: as experimentLike() had it.
Reproduction reproductionOf(const Recording& recording, Interval window, const Recording& played);

/// "Your pipeline with h2d.memory=pinned: 2.1 times as fast." Empty where `changed` has no other options.
std::string changeText(const Recording& before, const Recording& changed);

} // namespace olab
