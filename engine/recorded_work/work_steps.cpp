#include "work_steps.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace olab::recorded_work::detail {
namespace {

constexpr Ns kUsualCall = 4'000; // duration of an unblocked call: a repeated run has it, too
constexpr Ns kGapThatTells = 2'000;
constexpr Ns kIdleThatTells = 100'000;
constexpr Ns kLooseFor = 1'000'000; // a host function comes at most this long after the last work
constexpr Ns kUsualIssue = 95'000;  // from the end of a host wait to the next issued work

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// A copy whose call returns only when it is done.
bool blocks(std::string_view name) {
    return contains(name, "Memcpy") && !contains(name, "Async") && !contains(name, "DtoD");
}

experiment::OpKind kindOf(ActivityClass cls) {
    switch (cls) {
    case ActivityClass::MemcpyH2D:
        return experiment::OpKind::CopyH2D;
    case ActivityClass::MemcpyD2H:
        return experiment::OpKind::CopyD2H;
    case ActivityClass::Memset:
        return experiment::OpKind::Memset;
    case ActivityClass::Kernel:
        return experiment::OpKind::Kernel;
    default:
        return experiment::OpKind::FillCopy;
    }
}

} // namespace

WorkSteps::WorkSteps(const analysis::TraceFacts& facts, const WorkRows& rows, WorkGaps& gaps)
    : m_facts(facts)
    , m_trace(facts.trace())
    , m_rows(rows)
    , m_gaps(gaps)
    , m_firstBegin(m_trace.begin(rows.rows.front())) {
    addWork();
    if (m_gaps.calls > 0)
        addCalls();
    addLooseHostFns();
    std::stable_sort(m_steps.begin(), m_steps.end(), [](const WorkStep& a, const WorkStep& b) {
        return a.at != b.at ? a.at < b.at : a.order < b.order;
    });
    keepStreamOrder();
    const Ns firstCall = m_issued.begin, lastCall = m_issued.end;
    m_queued = m_gaps.withoutCall == 0 && firstCall < m_firstBegin && lastCall <= m_firstBegin;
    if (m_gaps.calls > 0 && !m_queued)
        addHostWork();
    if (m_gaps.calls == 0)
        addIdle();
}

std::int32_t WorkSteps::streamOf(QueueId queue) {
    const auto next = static_cast<std::int32_t>(m_streams.size());
    const auto [at, fresh] = m_streamOf.try_emplace(queue.value, next);
    if (!fresh)
        return at->second;
    if (m_streams.size() == experiment::kMostRecordedStreams) {
        ++m_gaps.mergedStreams;
        return at->second = queue.value % static_cast<std::int32_t>(experiment::kMostRecordedStreams);
    }
    const Queue& q = m_trace.queue(queue);
    experiment::RecordedStream stream;
    const bool hasNull = std::ranges::any_of(m_streams, [](const experiment::RecordedStream& s) {
        return s.kind == experiment::PlannedStreamKind::Legacy;
    });
    if (q.streamKind == StreamKind::Null && !hasNull)
        stream.kind = experiment::PlannedStreamKind::Legacy;
    else if (q.streamKind == StreamKind::Blocking)
        stream.kind = experiment::PlannedStreamKind::Blocking;
    m_gaps.unknownStreams += q.streamKind == StreamKind::Unknown ? 1 : 0;
    stream.priorityRank = static_cast<std::uint32_t>(q.priority); // as CUDA numbers it, for now
    m_streams.push_back(stream);
    return at->second;
}

/// For a stream with work in the window; -1: none.
std::int32_t WorkSteps::knownStream(QueueId queue) const {
    const auto found = m_streamOf.find(queue.value);
    return found == m_streamOf.end() ? -1 : found->second;
}

/// In the order of their numbers, so that users recognise them.
void WorkSteps::addStreams() {
    std::set<std::pair<std::uint32_t, std::uint16_t>> queues;
    for (const ActivityIndex row : m_rows.rows) {
        const QueueId queue = m_trace.queueOf(row);
        queues.emplace(m_trace.queue(queue).number, queue.value);
    }
    for (const auto& [number, queue] : queues)
        streamOf(QueueId{queue});
}

void WorkSteps::addWork() {
    addStreams();
    Ns first = std::numeric_limits<Ns>::max(), last = std::numeric_limits<Ns>::min();
    for (std::uint32_t number = 0; number < m_rows.rows.size(); ++number) {
        const ActivityIndex row = m_rows.rows[number];
        const ActivityIndex call = m_facts.apiOf(row);
        WorkStep step;
        step.row = number;
        step.order = number;
        step.op.kind = kindOf(m_trace.cls(row));
        step.op.stream = laneFor(number, streamOf(m_trace.queueOf(row)));
        step.at = step.called = m_trace.begin(row);
        if (call == kNoActivity) {
            ++m_gaps.withoutCall;
        } else {
            step.at = m_trace.begin(call);
            step.called = m_trace.end(call);
            ++m_gaps.calls;
            first = std::min(first, step.at);
            last = std::max(last, step.at);
        }
        m_steps.push_back(step);
        if (call != kNoActivity && blocks(m_trace.text(m_trace.nameOf(call)))) {
            step.row = kNoNumber;
            step.op.kind = experiment::OpKind::HostSync;
            step.op.sync = experiment::SyncMode::Stream;
            m_steps.push_back(step);
        }
    }
    m_issued = {first, last};
}

/// Nodes of a graph have one stream but can run concurrently. Work that overlapped others of its stream gets
/// its own stream, ordered after all work of that stream that ended before it began.
std::int32_t WorkSteps::laneFor(std::uint32_t number, std::int32_t stream) {
    const Interval time = m_trace.time(m_rows.rows[number]);
    std::vector<Lane>& lanes = m_lanes[stream];
    if (lanes.empty())
        lanes.push_back({stream, time.begin, {}});
    Lane* mine = nullptr;
    for (Lane& lane : lanes)
        if (lane.end <= time.begin && (!mine || lane.end > mine->end))
            mine = &lane;
    if (!mine && m_streams.size() < experiment::kMostRecordedStreams) {
        lanes.push_back({static_cast<std::int32_t>(m_streams.size()), 0, {}});
        const experiment::RecordedStream like = m_streams[static_cast<std::size_t>(stream)];
        m_streams.push_back(like);
        if (like.kind == experiment::PlannedStreamKind::Legacy)
            m_streams.back().kind = experiment::PlannedStreamKind::NonBlocking;
        mine = &lanes.back();
        ++m_gaps.apart;
    }
    if (!mine) // no more streams available: one after the other
        mine = &lanes.front();
    for (const Lane& other : lanes) {
        const auto seen = std::ranges::find(mine->behind, other.stream, &std::pair<std::int32_t, Ns>::first);
        const Ns upTo = seen == mine->behind.end() ? 0 : seen->second;
        if (&other == mine || other.end > time.begin || other.end <= upTo)
            continue;
        orderBehind(mine->stream, other.stream, number);
        if (seen == mine->behind.end())
            mine->behind.emplace_back(other.stream, other.end);
        else
            seen->second = other.end;
    }
    mine->end = std::max(mine->end, time.end);
    return mine->stream;
}

/// Adds steps before it that belong to its call.
void WorkSteps::orderBehind(std::int32_t lane, std::int32_t other, std::uint32_t number) {
    const ActivityIndex row = m_rows.rows[number], call = m_facts.apiOf(row);
    WorkStep step;
    step.at = step.called = call == kNoActivity ? m_trace.begin(row) : m_trace.begin(call);
    step.order = number;
    step.row = kNoNumber;
    step.op = {.kind = experiment::OpKind::EventRecord, .stream = other, .number = m_events};
    m_steps.push_back(step);
    step.op.kind = experiment::OpKind::EventWait;
    step.op.stream = lane;
    m_steps.push_back(step);
    ++m_events;
}

// --- other actions of the host

void WorkSteps::addCalls() {
    std::set<std::uint16_t> threads;
    for (ActivityIndex i = 0; i < m_trace.size() && m_trace.begin(i) <= m_trace.end(m_rows.rows.back());
         ++i) {
        if (m_trace.cls(i) != ActivityClass::Api)
            continue;
        const Ns begin = m_trace.begin(i);
        if (begin < m_issued.begin || begin > std::max(m_issued.end, m_trace.end(m_rows.rows.back())))
            continue;
        addCall(i);
        if (begin <= m_issued.end)
            threads.insert(m_trace.queueOf(i).value);
    }
    m_gaps.threads = threads.size();
}

void WorkSteps::addCall(ActivityIndex call) {
    const std::string_view name = m_trace.text(m_trace.nameOf(call));
    if (contains(name, "Launch") || contains(name, "Memcpy") || contains(name, "Memset"))
        ++(name.starts_with("cuda") ? m_runtimeCalls : m_driverCalls);
    if (const StreamCall* made = m_trace.streamCallOf(call))
        return addStreamCall(call, *made);
    if (contains(name, "Synchronize"))
        addNamedWait(call);
    else if (contains(name, "HostFunc") || contains(name, "AddCallback"))
        addHostFn(call, streamBefore(m_trace.begin(call)));
}

void WorkSteps::addHostFn(ActivityIndex call, std::int32_t stream) {
    for (const std::uint32_t row : m_facts.issuedBy(call))
        if (m_trace.cls(row) == ActivityClass::HostFn)
            add(call,
                {.kind = experiment::OpKind::HostFn, .stream = stream, .amount = m_trace.duration(row)});
}

/// Older recordings do not show which call put a host function into which stream: it is assumed to follow the
/// work that ended last before it.
void WorkSteps::addLooseHostFns() {
    std::vector<std::pair<Ns, const WorkStep*>> byEnd;
    for (const WorkStep& step : m_steps)
        if (step.row != kNoNumber)
            byEnd.emplace_back(m_trace.end(m_rows.rows[step.row]), &step);
    std::ranges::sort(byEnd);
    std::vector<WorkStep> made;
    for (ActivityIndex i = 0; i < m_trace.size(); ++i) {
        if (m_trace.cls(i) != ActivityClass::HostFn || m_facts.apiOf(i) != kNoActivity)
            continue;
        const auto behind =
            std::ranges::upper_bound(byEnd, m_trace.begin(i), {}, [](const auto& e) { return e.first; });
        if (behind == byEnd.begin() || m_trace.begin(i) > byEnd.back().first + kLooseFor)
            continue; // not in this window
        WorkStep step = *std::prev(behind)->second;
        step.at = step.called;
        step.row = kNoNumber;
        step.op = {
            .kind = experiment::OpKind::HostFn, .stream = step.op.stream, .amount = m_trace.duration(i)};
        made.push_back(step);
    }
    m_gaps.looseFunctions = made.size();
    m_steps.insert(m_steps.end(), made.begin(), made.end());
}

/// The stream of the work issued last before `time`: a function without a recorded stream follows that.
std::int32_t WorkSteps::streamBefore(Ns time) const {
    const WorkStep* last = nullptr;
    for (const WorkStep& step : m_steps)
        if (step.row != kNoNumber && step.at < time && (!last || step.at > last->at))
            last = &step;
    return last ? last->op.stream : 0;
}

void WorkSteps::add(ActivityIndex call, experiment::RecordedOp op) {
    WorkStep step;
    step.at = m_trace.begin(call);
    step.called = m_trace.end(call);
    step.row = kNoNumber;
    step.order = kNoNumber;
    step.op = op;
    m_steps.push_back(step);
}

void WorkSteps::addStreamCall(ActivityIndex call, const StreamCall& made) {
    const std::int32_t stream = made.queue == kNoQueue ? -1 : knownStream(made.queue);
    switch (made.kind) {
    case StreamCallKind::EventRecord:
        if (stream < 0)
            return;
        m_recordings[{made.event, made.recording}] = {m_events, stream};
        m_recordings[{made.event, 0}] = {m_events, stream};
        return add(call, {.kind = experiment::OpKind::EventRecord, .stream = stream, .number = m_events++});
    case StreamCallKind::StreamWait:
    case StreamCallKind::EventSync:
        return addEventWait(call, made);
    case StreamCallKind::StreamSync:
        if (stream >= 0)
            add(call, {.kind = experiment::OpKind::HostSync,
                       .sync = experiment::SyncMode::Stream,
                       .stream = stream});
        return;
    case StreamCallKind::DeviceSync:
        return add(call, {.kind = experiment::OpKind::HostSync});
    case StreamCallKind::HostFunction:
        if (stream >= 0)
            addHostFn(call, stream);
        return;
    case StreamCallKind::Unknown:
        return;
    }
}

void WorkSteps::addEventWait(ActivityIndex call, const StreamCall& made) {
    const auto found = m_recordings.find({made.event, made.recording});
    if (found == m_recordings.end())
        return; // recorded before the window: nothing to wait for
    const auto [number, recorder] = found->second;
    m_gaps.events = true;
    if (made.kind == StreamCallKind::EventSync)
        return add(
            call,
            {.kind = experiment::OpKind::HostSync, .sync = experiment::SyncMode::Event, .stream = recorder});
    const std::int32_t stream = made.queue == kNoQueue ? -1 : knownStream(made.queue);
    if (stream >= 0)
        add(call, {.kind = experiment::OpKind::EventWait, .stream = stream, .number = number});
}

/// Only its name is known, not the stream: treated as a wait for all streams, which keeps more order rather
/// than less.
void WorkSteps::addNamedWait(ActivityIndex call) {
    const std::string_view name = m_trace.text(m_trace.nameOf(call));
    const bool all = contains(name, "Device") || contains(name, "Ctx") || contains(name, "Thread");
    if (!all && m_streams.size() > 1)
        ++m_gaps.waitsForWhom;
    add(call, {.kind = experiment::OpKind::HostSync});
}

// --- order and time

/// Issues work of a stream in the order in which it ran, regardless of the calls of several threads.
void WorkSteps::keepStreamOrder() {
    std::map<std::int32_t, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < m_steps.size(); ++i)
        if (m_steps[i].row != kNoNumber)
            places[m_steps[i].op.stream].push_back(i);
    for (const auto& [stream, at] : places) {
        std::vector<WorkStep> ordered;
        for (const std::size_t place : at)
            ordered.push_back(m_steps[place]);
        std::stable_sort(ordered.begin(), ordered.end(),
                         [](const WorkStep& a, const WorkStep& b) { return a.row < b.row; });
        for (std::size_t i = 0; i < at.size(); ++i) {
            const Ns time = m_steps[at[i]].at, called = m_steps[at[i]].called;
            m_steps[at[i]] = ordered[i];
            m_steps[at[i]].at = time;
            m_steps[at[i]].called = called;
        }
    }
}

/// The waiting part of a call, which a repeated run has, too.
Ns WorkSteps::waitedIn(const WorkStep& step) const {
    const Ns length = step.called - step.at;
    if (step.op.kind == experiment::OpKind::HostSync)
        return length;
    if (step.row == kNoNumber)
        return std::min(length, kUsualCall);
    const ActivityIndex row = m_rows.rows[step.row];
    const bool pageable =
        m_trace.source(row) == MemoryKind::Pageable || m_trace.target(row) == MemoryKind::Pageable;
    const bool held = step.called >= m_trace.end(row); // until the work was done
    return pageable || held ? length : std::min(length, kUsualCall);
}

/// The host's work between calls, and the extra duration of slow calls: the host is busy for this time.
void WorkSteps::addHostWork() {
    std::vector<WorkStep> all;
    all.reserve(m_steps.size() * 2);
    Ns free = m_steps.front().at, owed = 0;
    for (const WorkStep& step : m_steps) {
        owed += std::max<Ns>(step.at - free, 0);
        if (owed > kGapThatTells) {
            all.push_back({.at = free,
                           .called = step.at,
                           .row = kNoNumber,
                           .op = {.kind = experiment::OpKind::HostWork, .amount = owed}});
            owed = 0;
        }
        all.push_back(step);
        if (step.called > free) {
            owed += std::max<Ns>(step.called - std::max(step.at, free) - waitedIn(step), 0);
            free = step.called;
        }
    }
    m_steps = std::move(all);
}

/// Without calls: if nothing ran at all, the host is assumed to have waited, and to have been late.
void WorkSteps::addIdle() {
    std::vector<WorkStep> all;
    Ns busyUntil = m_firstBegin;
    for (const WorkStep& step : m_steps) {
        const Ns idle = step.at - busyUntil;
        if (step.row != kNoNumber && idle > kIdleThatTells) {
            all.push_back({.at = busyUntil,
                           .called = busyUntil,
                           .row = kNoNumber,
                           .op = {.kind = experiment::OpKind::HostSync}});
            all.push_back({.at = busyUntil,
                           .called = step.at,
                           .row = kNoNumber,
                           .op = {.kind = experiment::OpKind::HostWork, .amount = idle - kUsualIssue}});
        }
        all.push_back(step);
        if (step.row != kNoNumber)
            busyUntil = std::max(busyUntil, m_trace.end(m_rows.rows[step.row]));
    }
    m_steps = std::move(all);
}

} // namespace olab::recorded_work::detail
