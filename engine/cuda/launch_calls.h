// Of the records that come by, which call launched each host function: CUPTI tells the op of a call, and no
// more of a host function.
#pragma once

#include <olab/experiment/schedule.h>
#include <olab/trace/records.h>

#include <algorithm>
#include <vector>

namespace olab {

class LaunchCalls final : public ForwardingSink {
public:
    LaunchCalls(RecordSink& target, const Schedule& schedule)
        : ForwardingSink(target)
        , m_schedule(schedule)
        , m_calls(wanted(schedule) ? schedule.ops.size() : 0) {}
    using ForwardingSink::add;
    /// Of the calls of an op the last one: it may have made an event first.
    void add(const CorrelationRecord& r) override {
        if (r.op.value < m_calls.size() && m_schedule.ops[r.op.value].kind == OpKind::HostFn)
            m_calls[r.op.value] = std::max(m_calls[r.op.value], r.correlation);
        target().add(r);
    }
    /// Its correlation; 0: not recorded.
    std::uint32_t of(OpId op) const { return op.value < m_calls.size() ? m_calls[op.value] : 0; }

private:
    /// The calls by which a graph was captured put nothing into a stream.
    static bool wanted(const Schedule& schedule) {
        return !schedule.graph &&
               std::ranges::any_of(schedule.ops, [](const Op& op) { return op.kind == OpKind::HostFn; });
    }
    const Schedule& m_schedule;
    std::vector<std::uint32_t> m_calls; ///< by op; empty where nobody asks
};

} // namespace olab
