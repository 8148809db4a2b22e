// The device work that the calls of a thread issued, as running sums by call time: the work issued within a
// range of time is the difference of two sums.
#pragma once

#include "report/work_parts.h"

#include <map>

namespace olab::analysis {

class IssuedWork {
public:
    /// Calls must come in order.
    void add(Ns call, const WorkPart& part);
    /// Adds the work issued by calls that began within the time. O(log n).
    void sumOf(Interval time, WorkSum& sum) const;

private:
    /// Sums up to and including one call. They wrap around: their differences are exact.
    struct Sums {
        std::uint64_t count = 0, time = 0, overlapped = 0, bytes = 0, moving = 0;
    };
    struct Waits {
        std::vector<Ns> calls;
        std::vector<std::uint64_t> sums;
    };
    std::vector<Ns> m_calls;
    std::vector<Sums> m_sums;
    std::map<LossCause, Waits> m_waits;
};

/// By thread. @throws Error only when cancelled
std::map<QueueId, IssuedWork> issuedWork(const TraceFacts& facts, WorkParts& parts,
                                         const RunControl& control);

} // namespace olab::analysis
