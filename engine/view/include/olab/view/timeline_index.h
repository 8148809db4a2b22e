// What painting needs besides the lanes, computed once per recording (on the engine thread): strips of bars
// that do not cross, each with its level-of-detail index, and how many engines were busy at once. A lane
// whose activities never cross is one strip over the lane's own columns; one with crossings has a strip per
// sub-lane. The union of the busy times of a lane's strips is Lane::busy, which the verdicts use.
#pragma once

#include <olab/trace/run_control.h>
#include <olab/view/strip_table.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace olab {
class LaneSet;
struct Lane;
} // namespace olab

namespace olab::view {

/// Finds long activities: stores the longest duration in each group of 8 activities, 128, 2048 and so on, in
/// one byte each.
class LongestTable {
public:
    LongestTable() = default;
    explicit LongestTable(const Times& times);
    /// The first position from `at` on, up to `last`, of an activity that lasts `length` or more; else
    /// `last`.
    std::size_t next(const Times& times, std::size_t at, std::size_t last, Ns length) const;
    std::size_t memoryBytes() const;

private:
    std::size_t nextGroup(std::size_t group, std::uint8_t wanted) const;
    std::vector<Column<std::uint8_t>> m_levels; ///< fine to coarse, in complete blocks
};

/// Activities of one lane and depth: sorted by begin and by end, not crossing.
struct Strip {
    const Lane* lane = nullptr;
    int depth = 0;
    NearNumbers activities;
    Times times;                      ///< of the activities
    StripTable table;                 ///< over `times`; a layer for each look
    std::vector<ActivityClass> looks; ///< of the layers, in their order
    LongestTable longest;

    /// Positions [first, last) in `activities` that may touch `range`.
    std::pair<std::size_t, std::size_t> candidates(Interval range) const;

    struct Own; ///< columns of a sub-lane
    class Appender;
    std::shared_ptr<const Own> own;
};

/// The level of detail of all lanes, in their order. Refers to both.
std::vector<Strip> stripsOf(const Trace& trace, const LaneSet& lanes);
/// One for each sub-lane. Refers into both.
std::vector<Strip> stripsOf(const Trace& trace, const Lane& lane);

/// When a lane was busy with each look. Refers to the lane.
class LookCoverage {
public:
    LookCoverage(const Trace& trace, const Looks& looks, const Lane& lane);
    const IntervalSet& operator[](ActivityClass look) const;

private:
    struct Kernels {
        IntervalSet computing, communicating;
    };
    const Lane* m_lane;
    std::shared_ptr<const Kernels> m_kernels; ///< null: no kernels of the lane communicate
};

class TimelineIndex {
public:
    /// Keeps references into both: they must outlive the index. Only the stop of `control` is checked, lane
    /// by lane. @throws Error when cancelled
    TimelineIndex(const Trace& trace, const LaneSet& lanes, const RunControl& control = {});

    const Trace& trace() const { return *m_trace; }
    const LaneSet& lanes() const { return *m_lanes; }
    const Looks& looks() const { return m_looks; }
    /// `lane`: one of lanes().
    const LookCoverage& coverage(LaneId lane) const { return m_coverage[lane.value]; }
    std::span<const Strip> strips(LaneId lane) const;
    /// Possible lanes that show a value over time, in view order. Their content is computed when they are
    /// opened (drawn_lanes.h). Their ids are above those of all other lanes.
    std::span<const Lane> valueLanes() const;
    /// Time with at least 1, 2 and 3 engines of the device busy.
    const std::array<IntervalSet, 3>& atOnce(std::uint8_t device) const { return m_atOnce[device]; }
    /// Over the intervals of atOnce().
    const std::array<StripTable, 3>& atOnceTables(std::uint8_t device) const {
        return m_atOnceTables[device];
    }
    std::size_t deviceCount() const { return m_atOnce.size(); }
    /// The lanes an activity is drawn in.
    std::vector<const Strip*> stripsWith(ActivityIndex index) const;
    /// Memory of the level-of-detail index: at most 5 bytes for each activity, which is usually in two lanes.
    std::size_t memoryBytes() const;
    std::size_t allBytes() const; ///< of all its data

private:
    void addDevice(std::uint8_t device, const RunControl& control);
    void findQueues();
    void findValueLanes();
    const Trace* m_trace;
    const LaneSet* m_lanes;
    Looks m_looks;
    std::vector<LookCoverage> m_coverage; ///< by lane
    std::vector<Strip> m_strips;
    std::shared_ptr<const std::vector<Lane>> m_valueLanes;
    std::vector<std::size_t> m_firstStrip;             ///< per lane, and one past the end
    std::vector<std::pair<QueueId, LaneId>> m_byQueue; ///< lanes of one queue, sorted
    std::vector<LaneId> m_ofAll;                       ///< lanes of work from any queue
    std::vector<std::array<IntervalSet, 3>> m_atOnce;
    std::vector<std::array<StripTable, 3>> m_atOnceTables;
};

} // namespace olab::view
