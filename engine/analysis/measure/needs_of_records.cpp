#include "measure/needs_of_records.h"

#include "facts/looks.h"

#include <algorithm>
#include <unordered_map>

namespace olab::analysis {
namespace {

// Maximum number of event waits of a stream before its next work. More only occurs in malicious files.
constexpr std::size_t kMostAwaited = 256;

/// Follows each stream in the order of the calls: its last work, and what its next work waits for.
class CallFollower {
public:
    explicit CallFollower(const TraceFacts& facts)
        : m_trace(facts.trace())
        , m_streams(m_trace.queues().size()) {}

    void issued(ActivityIndex row, const StreamCall* call) {
        if (isDeviceClass(m_trace.cls(row)))
            enter(m_trace.queueOf(row), row);
        else if (call && call->kind == StreamCallKind::HostFunction && call->queue != kNoQueue)
            enter(call->queue, row);
    }
    void call(const StreamCall& call) {
        if (call.queue == kNoQueue || call.event == kNoNumber)
            return;
        if (call.kind == StreamCallKind::EventRecord)
            record(call);
        else if (call.kind == StreamCallKind::StreamWait)
            await(call);
    }
    using Needs = std::vector<std::pair<ActivityIndex, ActivityIndex>>; // row, what it needs
    Needs takeEvents() { return sorted(m_events); }
    Needs takeHostFns() { return sorted(m_hostFns); }

private:
    struct Stream {
        ActivityIndex last = kNoActivity;
        std::vector<ActivityIndex> awaited;
    };
    struct Slice {
        std::size_t first = 0, count = 0;
    };

    void enter(QueueId queue, ActivityIndex row) {
        Stream& stream = m_streams[queue.value];
        for (const ActivityIndex awaited : stream.awaited)
            m_events.emplace_back(row, awaited);
        stream.awaited.clear();
        if (stream.last != kNoActivity && m_trace.cls(stream.last) == ActivityClass::HostFn)
            m_hostFns.emplace_back(row, stream.last);
        stream.last = row;
    }
    /// An event completes when all work before it in its stream is done; in the legacy NULL stream, also all
    /// work before it in the blocking streams.
    void record(const StreamCall& call) {
        const Slice before{m_recorded.size(), 0};
        add(m_streams[call.queue.value]);
        const Queue& own = m_trace.queue(call.queue);
        if (own.streamKind == StreamKind::Null)
            for (std::size_t q = 0; q < m_streams.size() && m_recorded.size() - before.first < kMostAwaited;
                 ++q) {
                const Queue& other = m_trace.queues()[q];
                if (other.streamKind == StreamKind::Blocking && other.context == own.context &&
                    other.process == own.process)
                    add(m_streams[q]);
            }
        const Slice slice{before.first, m_recorded.size() - before.first};
        m_latest[call.event] = slice;
        if (call.recording != 0)
            m_byRecording[call.recording] = slice;
    }
    void add(const Stream& stream) {
        if (stream.last != kNoActivity)
            m_recorded.push_back(stream.last);
        m_recorded.insert(m_recorded.end(), stream.awaited.begin(), stream.awaited.end());
    }
    /// Waits for the named recording of the event; if that was not seen, for the last one before the call.
    void await(const StreamCall& call) {
        const auto named = m_byRecording.find(call.recording);
        const auto latest = m_latest.find(call.event);
        if (named == m_byRecording.end() && latest == m_latest.end())
            return; // recorded before the trace began, or never
        const Slice slice = named != m_byRecording.end() ? named->second : latest->second;
        std::vector<ActivityIndex>& awaited = m_streams[call.queue.value].awaited;
        for (std::size_t i = slice.first; i < slice.first + slice.count && awaited.size() < kMostAwaited; ++i)
            if (std::ranges::find(awaited, m_recorded[i]) == awaited.end() &&
                !isIn(call.queue, m_recorded[i]))
                awaited.push_back(m_recorded[i]);
    }
    bool isIn(QueueId stream, ActivityIndex row) const {
        return isDeviceClass(m_trace.cls(row)) && m_trace.queueOf(row) == stream;
    }
    static Needs sorted(Needs& needs) {
        std::ranges::stable_sort(needs, {}, [](const auto& need) { return need.first; });
        return std::move(needs);
    }

    const Trace& m_trace;
    std::vector<Stream> m_streams;
    std::vector<ActivityIndex> m_recorded; ///< activities of each event recording, concatenated
    std::unordered_map<std::uint32_t, Slice> m_latest;
    std::unordered_map<std::uint64_t, Slice> m_byRecording;
    Needs m_events, m_hostFns;
};

} // namespace

RecordedNeeds recordedNeeds(const TraceFacts& facts, const RunControl& control) {
    RecordedNeeds needs;
    const auto calls = facts.trace().streamCalls();
    const bool any = std::ranges::any_of(calls, [](const StreamCall& call) {
        return call.kind == StreamCallKind::StreamWait || call.kind == StreamCallKind::HostFunction;
    });
    if (!any)
        return needs;
    CallFollower follower(facts);
    auto call = calls.begin();
    ActivityIndex looked = 0;
    for (const ActivityIndex row : facts.byCall()) {
        lookAtCancel(looked++, control);
        const ActivityIndex api = facts.apiOf(row);
        for (; call != calls.end() && call->api < api; ++call)
            follower.call(*call);
        follower.issued(row, call != calls.end() && call->api == api ? &*call : nullptr);
    }
    for (; call != calls.end() && call->api != kNoActivity; ++call)
        follower.call(*call);
    for (const auto& [row, needed] : follower.takeEvents()) {
        if (needs.m_rows.empty() || needs.m_rows.back() != row) {
            needs.m_rows.push_back(row);
            needs.m_first.push_back(static_cast<std::uint32_t>(needs.m_needed.size()));
        }
        needs.m_needed.push_back(needed);
    }
    needs.m_first.push_back(static_cast<std::uint32_t>(needs.m_needed.size()));
    needs.m_hostFns = follower.takeHostFns();
    return needs;
}

std::span<const ActivityIndex> RecordedNeeds::events(ActivityIndex row) const {
    const auto at = std::ranges::lower_bound(m_rows, row);
    if (at == m_rows.end() || *at != row)
        return {};
    const auto i = static_cast<std::size_t>(at - m_rows.begin());
    return std::span(m_needed).subspan(m_first[i], m_first[i + 1] - m_first[i]);
}

ActivityIndex RecordedNeeds::hostFnBefore(ActivityIndex row) const {
    const auto at = std::ranges::lower_bound(m_hostFns, std::pair{row, ActivityIndex{0}});
    return at != m_hostFns.end() && at->first == row ? at->second : kNoActivity;
}

} // namespace olab::analysis
