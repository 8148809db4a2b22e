// The numbers of a range of time: what stands between the two rulers. Exact, from the sets that are judged
// (IntervalSet, OverlapIndex), and quick enough to follow the mouse. Times in ns.
#pragma once

#include "timeline/hover_card.h"

#include <olab/ui/shown.h>

namespace olab {

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
    Ns idle;                  ///< no engine at work
    std::array<Ns, 3> atOnce; ///< exactly one engine, two, three or more
};

struct RangeNumbers {
    Interval range;
    std::vector<DeviceNumbers> devices;
    std::vector<PairNumbers> pairs; ///< of classes that ran in the range
    std::vector<LaneNumbers> lanes; ///< all, idle ones too, from top to bottom
    std::uint64_t operations = 0;   ///< on devices
};

RangeNumbers measureRange(const Shown& shown, Interval range);
DeviceNumbers measureDevice(const TimelineIndex& index, std::uint8_t device, Interval range);
/// How many activities of a lane touch `range`; what has no length is in the range that begins with it.
std::uint64_t countIn(std::span<const Strip> lane, Interval range);

/// As (name, value) in reading order; lanes with nothing in the range are left out.
FieldList rangeFields(const Shown& shown, const RangeNumbers& numbers);
/// The same as lines of text.
QString rangeText(const Shown& shown, const RangeNumbers& numbers);
/// Every number in ns, separated by tabs, for a spreadsheet.
QString rangeTable(const Shown& shown, const RangeNumbers& numbers);
/// "none 12 %, one 60 %, two 20 %, three or more 8 %".
QString atOnceText(const DeviceNumbers& numbers, Ns length);

/// The begin or end in the strip that is nearest to `t`, if one is no further than `reach`.
std::optional<Ns> nearestEdge(const Strip& strip, Ns t, Ns reach);
/// The next begin or end after `t` (direction +1) or before it (-1).
std::optional<Ns> nextEdge(const Strip& strip, Ns t, int direction);

} // namespace olab
