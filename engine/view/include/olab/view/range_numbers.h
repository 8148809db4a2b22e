// The numbers of a time range, as between the two rulers. Exact, from the sets used for verdicts
// (IntervalSet, OverlapIndex), and fast enough to follow the mouse. Times in ns.
#pragma once

#include <olab/view/view_data.h>

#include <optional>
#include <span>
#include <vector>

namespace olab::view {

struct LaneNumbers {
    const Lane* lane;
    Ns busy;
    std::uint64_t count; ///< activities that touch the range
};

struct PairNumbers {
    std::uint8_t device;
    ActivityClass a, b;
    Ns both, busyA, busyB;
};

struct DeviceNumbers {
    std::uint8_t device;
    Ns idle;                  ///< no engine busy
    std::array<Ns, 3> atOnce; ///< exactly one engine, two, three or more engines busy
};

struct RangeNumbers {
    Interval range;
    std::vector<DeviceNumbers> devices;
    std::vector<PairNumbers> pairs; ///< of classes that ran in the range
    std::vector<LaneNumbers> lanes; ///< all, idle ones too, from top to bottom
    std::uint64_t operations = 0;   ///< on devices
};

RangeNumbers measureRange(const ViewData& shown, Interval range);
DeviceNumbers numbersOf(const TimelineIndex& index, std::uint8_t device, Interval range);
/// How many activities of a lane touch `range`; one without length is in the range that begins with it.
std::uint64_t countIn(std::span<const Strip> lane, Interval range);

/// The begin or end in the strip nearest to `t`, if within `reach`.
std::optional<Ns> nearestEdge(const Strip& strip, Ns t, Ns reach);
/// The next begin or end after `t` (direction +1) or before it (-1).
std::optional<Ns> nextEdge(const Strip& strip, Ns t, int direction);

} // namespace olab::view
