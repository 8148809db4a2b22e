// Stream calls: TraceBuilder finds the call and the stream of each, Trace looks them up.
#include "trace_builder_state.h"

#include <algorithm>

namespace olab {
namespace {

// A stream with only these is also part of the trace: events lead from stream to stream through it. A host
// wait for an empty stream needs none.
bool putsIntoStream(StreamCallKind kind) {
    return kind == StreamCallKind::EventRecord || kind == StreamCallKind::StreamWait ||
           kind == StreamCallKind::HostFunction;
}

/// The first API call of each correlation in time, which is the outermost one. CUPTI numbers correlations
/// densely, so they mostly are an index.
class FirstCalls {
public:
    FirstCalls(const Trace& trace, std::uint32_t highest)
        : m_isDense(highest < 8 * trace.size() + 1024) {
        m_dense.assign(m_isDense ? std::size_t{highest} + 1 : 0, kNoActivity);
        for (ActivityIndex i = 0; i < trace.size(); ++i)
            if (const auto c = trace.correlation(i); trace.cls(i) == ActivityClass::Api && c <= highest)
                take(c, i);
        std::ranges::sort(m_sparse);
    }
    ActivityIndex operator[](std::uint32_t correlation) const {
        if (correlation == 0)
            return kNoActivity;
        if (m_isDense)
            return m_dense[correlation];
        const auto at = std::ranges::lower_bound(m_sparse, std::pair{correlation, ActivityIndex{0}});
        return at != m_sparse.end() && at->first == correlation ? at->second : kNoActivity;
    }

private:
    void take(std::uint32_t correlation, ActivityIndex row) {
        if (m_isDense)
            m_dense[correlation] = std::min(m_dense[correlation], row);
        else
            m_sparse.emplace_back(correlation, row);
    }
    bool m_isDense;
    Column<ActivityIndex> m_dense;
    std::vector<std::pair<std::uint32_t, ActivityIndex>> m_sparse; // sorted
};

} // namespace

/// The trace's number of a context's device, if the trace has it.
std::optional<std::uint32_t> TraceBuilder::State::deviceOf(const Local& context) const {
    const auto owner = contexts.find(context);
    if (owner == contexts.end())
        return std::nullopt;
    const auto known = numberOfDevice.find({context.process, owner->second.device});
    const std::uint32_t device = known != numberOfDevice.end() ? known->second : owner->second.device;
    return std::ranges::binary_search(deviceNumbers, device) ? std::optional(device) : std::nullopt;
}

/// The stream of each call: that of device work with its number, else a new one, if its device is known and
/// no row loses its queue to it.
void TraceBuilder::State::findStreams(std::set<QueueKey>& keys) {
    if (streamCalls.empty())
        return;
    std::map<LocalStream, QueueKey> known;
    for (const QueueKey& key : keys)
        if (!key.host && key.number != kNoNumber)
            known.try_emplace({{key.process, key.context}, key.number}, key);
    const auto streamOf = [](const StreamCallRecord& call) {
        return LocalStream{{call.process, call.context}, call.stream};
    };
    for (const StreamCallRecord& call : streamCalls)
        if (putsIntoStream(call.kind) && call.stream != kNoNumber && keys.size() < kMaxQueues &&
            !known.contains(streamOf(call)))
            if (const auto device = deviceOf({call.process, call.context})) {
                const QueueKey key{false, *device, call.process, call.context, call.stream};
                keys.insert(key);
                known.emplace(streamOf(call), key);
            }
    for (const StreamCallRecord& call : streamCalls) {
        const auto at = known.find(streamOf(call));
        streamKeys.push_back(at != known.end() ? std::optional(at->second) : std::nullopt);
    }
}

void TraceBuilder::State::makeStreamCalls(Trace& trace) {
    if (streamCalls.empty())
        return;
    const auto highest = std::ranges::max(streamCalls, {}, &StreamCallRecord::correlation).correlation;
    const FirstCalls calls(trace, highest);
    trace.m_streamCalls.reserve(streamCalls.size());
    for (std::size_t i = 0; i < streamCalls.size(); ++i) {
        const StreamCallRecord& r = streamCalls[i];
        ActivityIndex api = calls[r.correlation];
        if (api != kNoActivity && trace.queue(trace.queueOf(api)).process != r.process)
            api = kNoActivity; // only one process's calls were recorded, and these belong to another
        trace.m_streamCalls.push_back({r.kind, api, QueueId{streamIds[i]}, r.event, r.recording, r.process});
    }
    std::ranges::sort(trace.m_streamCalls, [](const StreamCall& a, const StreamCall& b) {
        return a.api != b.api ? a.api < b.api : a < b;
    });
}

bool Trace::recordsStreamCalls() const {
    const auto said = m_environment.find(std::string(kStreamCallsKey));
    return !m_streamCalls.empty() || (said != m_environment.end() && said->second == kStreamCallsRecorded);
}

const StreamCall* Trace::streamCallOf(ActivityIndex api) const {
    const auto at = std::ranges::lower_bound(m_streamCalls, api, {}, &StreamCall::api);
    return api != kNoActivity && at != m_streamCalls.end() && at->api == api ? &*at : nullptr;
}

/// With the contexts that give the device of their streams: the only source if a stream has no work, or loses
/// it to a later filter.
void Trace::replayStreamCalls(RecordSink& sink) const {
    std::vector<bool> hasWork(m_queues.size());
    for (std::size_t i = 0; i < m_queue.size() && !m_streamCalls.empty(); ++i)
        hasWork[m_queue[i]] = true;
    std::map<Local, std::uint32_t> deviceOf;
    for (const bool withWork : {false, true})
        for (const StreamCall& call : m_streamCalls)
            if (call.queue != kNoQueue && hasWork[call.queue.value] == withWork) {
                const Queue& q = queue(call.queue);
                deviceOf.try_emplace({q.process, q.context}, m_devices[q.device].device);
            }
    for (const Queue& q : m_queues) // they must not assign a device to work whose device is unknown
        if (q.kind == Queue::Kind::Stream && m_devices[q.device].device == kNoNumber)
            deviceOf.erase({q.process, q.context});
    for (const auto& [context, device] : deviceOf)
        sink.add(ContextRecord{context.number, device, kNoNumber, context.process});
    for (const StreamCall& call : m_streamCalls) {
        StreamCallRecord r{call.kind, 0, kNoNumber, kNoNumber, call.event, call.recording, call.process};
        if (call.api != kNoActivity)
            r.correlation = correlation(call.api);
        if (call.queue != kNoQueue)
            r.context = queue(call.queue).context, r.stream = queue(call.queue).number;
        sink.add(r);
    }
}

} // namespace olab
