// Points in time at which events were recorded in streams, and at which streams had waited for them. CUPTI
// gives no device time for either: an event is recorded once the work before it in its stream has ended, and
// a wait is over when the work behind it begins. Pure function; any thread.
#pragma once

#include <olab/analysis/facts.h>

#include <vector>

namespace olab::view {

struct EventMark {
    QueueId queue{}; ///< the stream
    Ns time = 0;
    bool isWait = false; ///< false: an event record
    std::uint32_t event = kNoNumber;
    ActivityIndex call = kNoActivity;
    friend bool operator==(const EventMark&, const EventMark&) = default;
};
/// For recorded calls in known streams; by stream, then by time. O(n log n) in stream calls.
std::vector<EventMark> eventMarks(const analysis::Facts& facts);

} // namespace olab::view
