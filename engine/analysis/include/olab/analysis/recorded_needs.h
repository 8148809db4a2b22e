// What the records say that an activity had to wait for beyond the order of its stream: events of other
// streams, the host function before it, and the callback that made the host issue it. Known without a plan;
// empty where stream calls were not recorded (Trace::recordsStreamCalls()). Look-ups take O(log n).
#pragma once

#include <olab/trace/trace.h>

namespace olab {
struct RunControl;
} // namespace olab

namespace olab::analysis {

class TraceFacts;

class RecordedNeeds {
public:
    /// Activities whose end an event makes the row wait for: of each waited-for event the last work of the
    /// recording stream before its record, in the order of the calls. A row of device work or of a host
    /// function.
    std::span<const ActivityIndex> events(ActivityIndex row) const;
    bool hasEvents() const { return !m_needed.empty(); }
    /// The host function directly before a row in its stream; kNoActivity: none.
    ActivityIndex hostFnBefore(ActivityIndex row) const;

private:
    friend RecordedNeeds recordedNeeds(const TraceFacts& facts, const RunControl& control);
    std::vector<ActivityIndex> m_rows;   ///< sorted: those with events
    std::vector<std::uint32_t> m_first;  ///< of each, and one past the end: into ...
    std::vector<ActivityIndex> m_needed; ///< ... the activities
    std::vector<std::pair<ActivityIndex, ActivityIndex>> m_hostFns; ///< sorted: row, host function
};

} // namespace olab::analysis
