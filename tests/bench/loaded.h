// A recording of 16 lanes as a window holds it, without the analysis.
#pragma once

#include <olab/trace/lanes.h>
#include <olab/trace/overlap_index.h>
#include <olab/view/timeline_index.h>

#include <optional>

namespace olab::bench {

struct Loaded {
    Trace trace;
    LaneSet lanes;
    std::optional<view::TimelineIndex> index;
    std::vector<OverlapIndex> overlaps; ///< per device
};

/// Makes `count` activities and prints what their lanes, their level of detail and their overlap index take.
void load(Loaded& loaded, std::size_t count);

} // namespace olab::bench
