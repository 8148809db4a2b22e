// What an activity had to wait for according to the records, beyond the order of its stream: events of other
// streams, the host function before it, and the callback that made the host issue it. Needs no plan; empty if
// stream calls were not recorded (Trace::recordsStreamCalls()). Look-ups take O(log n).
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
    std::vector<ActivityIndex> m_rows;   ///< rows with events, sorted
    std::vector<std::uint32_t> m_first;  ///< per row of m_rows, and one past the end: index into ...
    std::vector<ActivityIndex> m_needed; ///< ... the activities
    std::vector<std::pair<ActivityIndex, ActivityIndex>> m_hostFns; ///< sorted: row, host function
};

} // namespace olab::analysis
