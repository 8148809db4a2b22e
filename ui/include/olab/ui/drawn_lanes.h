// The lanes there are to draw: those of the index, and beneath engines that somebody opened one for each of
// their channels. Those are made when they are asked for, on a thread of their own, and shared by all who
// show them.
#pragma once

#include <olab/ui/shown.h>

#include <memory>
#include <set>
#include <span>
#include <stop_token>
#include <vector>

namespace olab {

/// An engine lane by channel. Immutable.
struct OpenedLane {
    ShownPtr shown; ///< what everything here refers to
    LaneId parent{};
    std::vector<Lane> lanes;                ///< by channel number
    std::vector<std::vector<Strip>> strips; ///< of each lane
};
using OpenedLanePtr = std::shared_ptr<const OpenedLane>;

/// Any thread. Null when `stop` is asked for first.
OpenedLanePtr openLane(ShownPtr shown, LaneId parent, std::stop_token stop = {});

struct RowGroups;

/// A plain value, cheap to copy; what it refers to must outlive it. One thread at a time.
class DrawnLanes {
public:
    DrawnLanes(const TimelineIndex& index, std::vector<OpenedLanePtr> opened = {})
        : m_index(&index)
        , m_opened(std::move(opened)) {}
    const TimelineIndex& index() const { return *m_index; }
    /// Has no row from now on, nor have its channels.
    void leaveOut(LaneId lane) {
        m_leftOut.insert(lane);
        m_groups.reset();
    }
    bool isLeftOut(LaneId lane) const { return m_leftOut.contains(lane); }
    const std::vector<OpenedLanePtr>& opened() const { return m_opened; }
    const Lane* lane(LaneId id) const; ///< null: there is no such lane, or it was closed
    std::span<const Strip> strips(LaneId lane) const;
    /// The lanes an activity is drawn in: of its engine, its stream, its channel.
    std::vector<const Strip*> stripsWith(ActivityIndex activity) const;
    /// Empty when it is not open.
    std::span<const Lane> channelsOf(LaneId engine) const;
    /// The rows of all of them; made when first asked for.
    const RowGroups& groups() const;

private:
    const TimelineIndex* m_index;
    std::vector<OpenedLanePtr> m_opened;
    std::set<LaneId> m_leftOut;
    mutable std::shared_ptr<const RowGroups> m_groups;
};

} // namespace olab
