#include <olab/analysis/late_ends.h>

#include <olab/analysis/work.h>
#include <olab/trace/trace_builder.h>

#include <algorithm>

namespace olab::analysis {
namespace {

constexpr Ns kClock = 2'000; ///< devices stamp begin and end with no more error

bool isOneCopy(const TraceFacts& facts, ActivityIndex row) {
    const Trace& trace = facts.trace();
    if (!isCopyClass(trace.cls(row)) || isMigration(trace, row))
        return false;
    const ActivityIndex call = facts.apiOf(row);
    return call != kNoActivity && facts.issuedBy(call).size() == 1 &&
           !launchesGraph(trace.text(trace.nameOf(call)));
}

/// Passes activities on, some of them with another end.
class EndSetter final : public ForwardingSink {
public:
    EndSetter(RecordSink& target, const std::vector<LateEnd>& late)
        : ForwardingSink(target)
        , m_next(late.begin())
        , m_last(late.end()) {}
    using ForwardingSink::add;
    void add(const ActivityRecord& r) override {
        ActivityRecord record = r;
        if (m_next != m_last && m_next->row == m_row)
            record.end = m_next++->end;
        ++m_row;
        target().add(record);
    }

private:
    ActivityIndex m_row = 0; ///< a trace delivers its rows in order
    std::vector<LateEnd>::const_iterator m_next, m_last;
};

} // namespace

std::vector<LateEnd> findLateEnds(const TraceFacts& facts) {
    std::vector<LateEnd> late;
    if (!facts.hasApi())
        return late;
    const Trace& trace = facts.trace();
    for (std::uint16_t queue = 0; queue < trace.queues().size(); ++queue) {
        ActivityIndex before = kNoActivity;
        for (const ActivityIndex row : facts.ofStream(QueueId{queue})) {
            const Ns begin = trace.begin(row);
            if (before != kNoActivity && trace.end(before) > begin + kClock && isOneCopy(facts, before))
                late.push_back({before, begin});
            if (!isMigration(trace, row))
                before = row;
        }
    }
    std::ranges::sort(late, {}, &LateEnd::row);
    return late;
}

Trace withEnds(const Trace& trace, const std::vector<LateEnd>& late) {
    TraceBuilder builder;
    EndSetter setter(builder, late);
    trace.replay(setter);
    return builder.finish();
}

} // namespace olab::analysis
