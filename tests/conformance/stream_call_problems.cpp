#include "stream_call_problems.h"

#include <algorithm>
#include <map>
#include <optional>

namespace olab::conformance {
namespace {

using Kinds = std::vector<StreamCallKind>;
using enum StreamCallKind;

Kinds expectedOf(const experiment::Op& op) {
    switch (op.kind) {
    case experiment::OpKind::EventRecord:
    case experiment::OpKind::NullEvent:
        return {EventRecord};
    case experiment::OpKind::EventWait:
        return {StreamWait};
    case experiment::OpKind::HostFn:
        return {experiment::leavesStreamFree(op) ? EventRecord : HostFunction};
    case experiment::OpKind::HostSync:
        if (op.stream == experiment::kAllStreams)
            return {DeviceSync};
        if (!experiment::waitsByEvent(op.sync))
            return {StreamSync};
        return op.sync == experiment::SyncMode::Event ? Kinds{EventRecord, EventSync} : Kinds{EventRecord};
    default:
        return {};
    }
}

class StreamCallChecker {
public:
    StreamCallChecker(const experiment::Schedule& schedule, const Trace& trace)
        : m_schedule(schedule)
        , m_trace(trace) {
        for (ActivityIndex i = 0; i < trace.size(); ++i) {
            const std::uint32_t op = trace.opOf(i).value;
            if (op >= schedule.ops.size())
                continue;
            if (isDeviceClass(trace.cls(i)) && schedule.ops[op].stream != experiment::kAllStreams)
                m_queueOf.try_emplace(experiment::streamPlace(schedule, schedule.ops[op]), trace.queueOf(i));
            else if (const StreamCall* call = trace.streamCallOf(i))
                m_callsOf[op].push_back(*call);
            if (trace.cls(i) == ActivityClass::HostFn)
                m_hostFns[op] = i;
        }
    }
    std::vector<std::string> check() {
        if (!m_trace.recordsStreamCalls())
            return {"it does not say that stream calls were recorded"};
        for (const experiment::Op& op : m_schedule.ops)
            check(op);
        return m_problems;
    }

private:
    void wrong(const experiment::Op& op, const std::string& what) {
        m_problems.push_back("op " + std::to_string(op.id.value) + " (" +
                             std::string(experiment::opKindName(op.kind)) + "): " + what);
    }
    void check(const experiment::Op& op) {
        const Kinds expected = expectedOf(op);
        if (expected.empty())
            return;
        const std::vector<StreamCall>& calls = m_callsOf[op.id.value];
        Kinds kinds;
        for (const StreamCall& call : calls)
            kinds.push_back(call.kind);
        if (op.kind == experiment::OpKind::HostSync &&
            op.sync == experiment::SyncMode::Poll) // CUPTI records some questions as waits
            std::erase(kinds, EventSync);
        if (kinds != expected)
            return wrong(op, "has " + std::to_string(kinds.size()) + " stream calls, or of other kinds");
        for (const StreamCall& call : calls)
            checkStream(op, call);
        checkEvents(op, calls);
        if (op.kind == experiment::OpKind::HostFn)
            checkHostFn(op, calls.front());
    }
    void checkStream(const experiment::Op& op, const StreamCall& call) {
        if (op.stream == experiment::kAllStreams || call.kind == EventSync)
            return;
        const auto queue = m_queueOf.find(experiment::streamPlace(m_schedule, op));
        if (queue != m_queueOf.end() && call.queue != queue->second)
            wrong(op, "is in another stream than the work beside it");
    }
    void checkEvents(const experiment::Op& op, const std::vector<StreamCall>& calls) {
        if (calls.front().kind == EventRecord &&
            (calls.front().event == kNoNumber || calls.front().recording == 0))
            wrong(op, "does not say which event it recorded");
        if (op.kind == experiment::OpKind::EventRecord)
            m_recorded[op.event] = calls.front();
        const StreamCall* recorded =
            op.kind == experiment::OpKind::HostSync && calls.size() == 2 ? &calls.front() : nullptr;
        if (op.kind == experiment::OpKind::EventWait)
            if (const auto known = m_recorded.find(op.event); known != m_recorded.end())
                recorded = &known->second;
        if (recorded &&
            (calls.back().event != recorded->event || calls.back().recording != recorded->recording))
            wrong(op, "waits for recording " + std::to_string(calls.back().recording) + " of event " +
                          std::to_string(calls.back().event) + ", which was " +
                          std::to_string(recorded->recording) + " of " + std::to_string(recorded->event));
    }
    void checkHostFn(const experiment::Op& op, const StreamCall& call) {
        const auto row = m_hostFns.find(op.id.value);
        if (row != m_hostFns.end() && m_trace.correlation(row->second) != m_trace.correlation(call.api))
            wrong(op, "ran as the function of another call");
    }

    const experiment::Schedule& m_schedule;
    const Trace& m_trace;
    std::map<std::size_t, QueueId> m_queueOf; ///< of each planned stream
    std::map<std::uint32_t, std::vector<StreamCall>> m_callsOf;
    std::map<std::uint32_t, ActivityIndex> m_hostFns;
    std::map<std::uint32_t, StreamCall> m_recorded; ///< by planned event
    std::vector<std::string> m_problems;
};

} // namespace

std::vector<std::string> streamCallProblems(const experiment::Schedule& schedule, const Trace& trace) {
    return schedule.graph ? std::vector<std::string>() : StreamCallChecker(schedule, trace).check();
}

std::vector<std::vector<std::string>> settingsWithStreamCalls() {
    return {{"deps=event-chain"},
            {"deps=copy-to-kernel", "kernel.stream=other"},
            {"deps=event-chain", "api=driver"},
            {"stream.kind=blocking", "null_op=event"},
            {"sync=stream"},
            {"sync=event", "sync.every=iteration"},
            {"sync=poll"},
            {"callback.method=hostfn"},
            {"callback.method=streamcallback"},
            {"callback.method=poll"},
            {"callback.method=blocking-event"},
            {"callback.method=hostfn", "api=driver"},
            {"issue=on-callback"}};
}

} // namespace olab::conformance
