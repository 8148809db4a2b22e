// Idle stretches of engine lanes as objects: how long, what the host did meanwhile, what came next. Pure
// functions; any thread.
#pragma once

#include <olab/trace/types.h>

#include <optional>
#include <vector>

namespace olab {
struct Lane;
} // namespace olab

namespace olab::view {

struct ViewData;

/// Between two activities of an engine lane, or between one and the first or last device work of the run.
struct Gap {
    LaneId lane{};
    Interval time;
    friend bool operator==(const Gap&, const Gap&) = default;
};

/// The gap of an engine lane around `t`; nothing while it is busy, outside the run, or in other lanes.
std::optional<Gap> gapAt(const ViewData& shown, LaneId lane, Ns t);
/// The next (+1) or previous (-1) one that begins after or before `t`.
std::optional<Gap> nextGap(const ViewData& shown, LaneId lane, Ns t, int direction);

/// A time in which a device was idle, in the lane of the engine whose own gap around it is the shortest: what
/// ended and began there. Nothing where no engine of the device has work.
std::optional<Gap> gapOfIdle(const ViewData& shown, std::uint8_t device, Interval time);

/// What one host thread did in a gap: the call it was inside for longest.
struct HostDoing {
    const Lane* thread = nullptr;
    ActivityIndex call = kNoActivity; ///< the longest of that function in the gap
    Ns time = 0;                      ///< inside calls of the function that took most of it
    Ns inCalls = 0;                   ///< inside any call
};
/// First the thread that issued the work that ended the gap, then the others by their time in calls.
std::vector<HostDoing> hostDoing(const ViewData& shown, const Gap& gap);
/// The next activity of the lane.
ActivityIndex endedBy(const ViewData& shown, const Gap& gap);

} // namespace olab::view
