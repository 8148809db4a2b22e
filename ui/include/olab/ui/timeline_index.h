// What painting needs beside the lanes, computed once per recording (on the engine thread): strips of bars
// that do not cross, and how many engines were busy at once. What is drawn comes from the same IntervalSets
// that are judged: a lane whose activities never cross is one strip over Lane::coverage itself; one with
// crossings has a strip per sub-lane whose union is Lane::coverage.
#pragma once

#include <olab/trace/lanes.h>
#include <olab/ui/viewport.h>

#include <memory>
#include <span>
#include <vector>

namespace olab {

using ClassCoverage = std::array<IntervalSet, kClassCount>;

/// Activities of one lane and depth: sorted by begin and by end, none crosses another.
struct Strip {
    const Lane* lane = nullptr;
    int depth = 0;
    std::span<const ActivityIndex> activities;
    const ClassCoverage* coverage = nullptr;
    const IntervalSet* busy = nullptr;
    std::vector<Ns> instants; ///< begins of the activities of no length, which are in no IntervalSet; sorted
    std::vector<Ns> longest;  ///< longest duration in each block of kStripBlock activities: skips blocks with
                              ///< no bar to draw

    /// Positions [first, last) in `activities` that may touch `range`.
    std::pair<std::size_t, std::size_t> candidates(const Trace& trace, Interval range) const;

    struct Own; ///< sets of a sub-lane
    std::shared_ptr<const Own> own;
};
inline constexpr std::size_t kStripBlock = 64;

class TimelineIndex {
public:
    /// Keeps references into both: they must outlive the index.
    TimelineIndex(const Trace& trace, const LaneSet& lanes);

    const Trace& trace() const { return *m_trace; }
    const LaneSet& lanes() const { return *m_lanes; }
    std::span<const Strip> strips(LaneId lane) const;
    /// Time with at least 1, 2 and 3 engines of the device busy.
    const std::array<IntervalSet, 3>& atOnce(std::uint8_t device) const { return m_atOnce[device]; }
    std::size_t deviceCount() const { return m_atOnce.size(); }
    /// The lanes an activity is drawn in.
    std::vector<const Strip*> stripsWith(ActivityIndex index) const;

private:
    const Trace* m_trace;
    const LaneSet* m_lanes;
    std::vector<Strip> m_strips;
    std::vector<std::size_t> m_firstStrip; ///< per lane, and one past the end
    std::vector<std::array<IntervalSet, 3>> m_atOnce;
};

} // namespace olab
