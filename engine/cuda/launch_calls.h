// Finds in the passing records which call launched each host function: CUPTI gives the op of a call, but
// nothing about the host function.
#pragma once

#include <olab/experiment/schedule.h>
#include <olab/trace/records.h>

#include <algorithm>
#include <set>
#include <vector>

namespace olab::cuda {

class LaunchCalls final : public ForwardingSink {
public:
    LaunchCalls(RecordSink& target, const experiment::Schedule& schedule)
        : ForwardingSink(target)
        , m_schedule(schedule)
        , m_calls(wanted(schedule) ? schedule.ops.size() : 0) {}
    using ForwardingSink::add;
    TextId intern(std::string_view text) override {
        const TextId id = target().intern(text);
        if (text.find("LaunchHostFunc") != text.npos || text.find("AddCallback") != text.npos)
            m_names.insert(id);
        return id;
    }
    void add(const ActivityRecord& r) override {
        if (!m_calls.empty() && r.cls == ActivityClass::Api && m_names.contains(r.name))
            m_launches.insert(r.correlation);
        target().add(r);
    }
    void add(const CorrelationRecord& r) override {
        if (r.op.value < m_calls.size() && m_schedule.ops[r.op.value].kind == experiment::OpKind::HostFn)
            m_calls[r.op.value].push_back(r.correlation);
        target().add(r);
    }
    /// Its correlation; 0: not recorded. Among the calls of an op the launching one: with the driver API
    /// there are others around it. If there is none, the last: it may have created an event first.
    std::uint32_t of(OpId op) const {
        std::uint32_t last = 0;
        if (op.value < m_calls.size())
            for (const std::uint32_t call : m_calls[op.value]) {
                if (m_launches.contains(call))
                    return call;
                last = std::max(last, call);
            }
        return last;
    }

private:
    /// Calls during graph capture put nothing into a stream.
    static bool wanted(const experiment::Schedule& schedule) {
        return !schedule.graph && std::ranges::any_of(schedule.ops, [](const experiment::Op& op) {
            return op.kind == experiment::OpKind::HostFn;
        });
    }
    const experiment::Schedule& m_schedule;
    std::vector<std::vector<std::uint32_t>> m_calls; ///< by op; empty if not needed
    std::set<TextId> m_names;                        ///< of calls that launch host functions
    std::set<std::uint32_t> m_launches;              ///< their correlations
};

} // namespace olab::cuda
