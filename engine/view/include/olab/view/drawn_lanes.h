// The lanes to draw: those of the index, one per channel beneath opened engines, and the content of lanes
// that show a value over time. The latter two are created on request, on a separate thread, and shared by all
// views.
#pragma once

#include <olab/view/value_series.h>
#include <olab/view/view_data.h>

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <set>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

namespace olab::view {

/// An engine lane by channel, or the content of a value lane. Immutable.
struct OpenedLane {
    ViewDataPtr shown; ///< the data that everything here refers to
    LaneId parent{};
    std::vector<Lane> lanes;                ///< by channel number
    std::vector<std::vector<Strip>> strips; ///< of each lane
    ValueSeries values;                     ///< of the parent, if it shows a value
};
using OpenedLanePtr = std::shared_ptr<const OpenedLane>;

/// Any thread. Null if `stop` is requested first.
OpenedLanePtr openLane(ViewDataPtr shown, LaneId parent, std::stop_token stop = {});

/// The content of a lane that shows a value. Empty if `stop` is requested before the end.
ValueSeries valueSeriesOf(const Trace& trace, const Lane& lane, std::stop_token stop = {});

/// A value, cheap to copy; what it refers to must outlive it. One thread at a time.
class DrawnLanes {
public:
    DrawnLanes(const TimelineIndex& index, std::vector<OpenedLanePtr> opened = {})
        : m_index(&index)
        , m_opened(std::move(opened)) {}
    const TimelineIndex& index() const { return *m_index; }
    /// Removes its row, and those of its channels, permanently.
    void leaveOut(LaneId lane) { m_leftOut.insert(lane); }
    bool isLeftOut(LaneId lane) const { return m_leftOut.contains(lane); }
    const std::vector<OpenedLanePtr>& opened() const { return m_opened; }
    const Lane* lane(LaneId id) const; ///< null: no such lane, or it was closed
    std::span<const Strip> strips(LaneId lane) const;
    /// The lanes an activity is drawn in: of its engine, its stream, its channel.
    std::vector<const Strip*> stripsWith(ActivityIndex activity) const;
    /// Empty if it is not open.
    std::span<const Lane> channelsOf(LaneId engine) const;
    /// Null: it shows no value, or its content has not been computed yet.
    const ValueSeries* valuesOf(LaneId lane) const;
    /// Whether its content is available.
    bool isOpen(LaneId lane) const { return openedAt(lane) != nullptr; }

private:
    const OpenedLane* openedAt(LaneId parent) const;
    const TimelineIndex* m_index;
    std::vector<OpenedLanePtr> m_opened;
    std::set<LaneId> m_leftOut;
};

/// Opens lanes by channel on separate threads, so that the window stays responsive while ten million
/// activities are distributed.
class LaneOpener {
public:
    /// Called on the working thread, or on the caller's if the system has no thread available; not called if
    /// stopped.
    using Done = std::function<void(OpenedLanePtr)>;
    explicit LaneOpener(Done done)
        : m_done(std::move(done)) {}
    void open(ViewDataPtr shown, LaneId parent);
    /// Cancels running work. Does not wait.
    void stop();
    bool isOpening(LaneId parent) const;

private:
    struct Job {
        LaneId parent;
        std::shared_ptr<std::atomic<bool>> ended = std::make_shared<std::atomic<bool>>(false);
        std::jthread thread;
    };
    void forgetEnded();
    Done m_done;
    std::list<Job> m_jobs; ///< joined by their destructors, which request the stop first
};

} // namespace olab::view
