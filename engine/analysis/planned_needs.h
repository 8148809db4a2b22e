// What the plan makes an op wait for beyond the order of its stream: events of other streams, and callbacks
// that issue it.
#pragma once

#include <olab/analysis/facts.h>

namespace olab {

/// Per planned op (index of Schedule::ops); empty without a schedule.
struct PlannedNeeds {
    /// Activities whose end an event makes the op wait for: of each waited-for event the last op before its
    /// record in the recording stream.
    std::vector<std::vector<ActivityIndex>> events;
    /// The host function whose end lets the host issue the op; kNoActivity: none.
    std::vector<ActivityIndex> callback;
    bool empty() const { return events.empty(); }
};

PlannedNeeds plannedNeeds(const Facts& facts);

/// Whether host functions hold up their stream (those that poll an event do not).
bool callbacksHoldTheStream(const Schedule& schedule);

} // namespace olab
