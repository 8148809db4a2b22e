// Appends the contents of one builder to another: merges tables and renumbers rows.
#include "trace_builder_state.h"

#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <utility>

namespace olab {
namespace {

constexpr std::size_t kMostKept = 1 << 16;

std::uint32_t numberIn(const std::vector<std::uint32_t>& numbers, std::uint32_t number) {
    return number == kNoId ? kNoId : numbers[number];
}

} // namespace

/// Maps only new entries: from stretch to stretch there are hardly any.
void TraceBuilder::State::takeTables(State& more) {
    Renumbered& to = more.renumbered;
    if (to.by != identity) {
        to = Renumbered();
        to.by = identity;
    }
    for (std::size_t i = to.names.size(); i < more.names.size(); ++i)
        to.names.push_back(names.intern(more.names[static_cast<std::uint32_t>(i)]));
    for (const RawPlace& place : std::span(more.places.keys()).subspan(to.places.size()))
        to.places.push_back(places.idOf(place));
    for (std::size_t q = to.queues.size(); q < more.queues.size(); ++q) {
        to.queues.push_back(queues.idOf(more.queues.keys()[q]));
        if (to.queues.back() == placeOf.size()) // a new one
            placeOf.push_back(numberIn(to.places, more.placeOf[q]));
    }
    for (RawChannel channel : std::span(more.channels.keys()).subspan(to.channels.size())) {
        channel.place = numberIn(to.places, channel.place);
        to.channels.push_back(channels.idOf(channel));
    }
    for (const KernelGeometry& of : std::span(more.geometry.keys()).subspan(to.geometry.size()))
        to.geometry.push_back(geometry.idOf(of));
    for (RawKind kind : std::span(more.kinds.keys()).subspan(to.kinds.size())) {
        kind.place = numberIn(to.places, kind.place), kind.channel = numberIn(to.channels, kind.channel);
        kind.geometry = numberIn(to.geometry, kind.geometry), kind.name = to.names[kind.name];
        to.kinds.push_back(kinds.idOf(kind));
    }
}

/// Makes room after the existing rows and returns its start; copyRows() fills it. Refuses rows for which
/// there is no room.
std::size_t TraceBuilder::State::makeRoom(const State& more) {
    const std::size_t begin = rows.size(), count = std::min(more.rows.size(), kMaxRows - begin);
    for (std::size_t cls = 0; cls < kClassCount; ++cls)
        kept[cls] += more.kept[cls];
    for (std::size_t i = count; i < more.rows.size(); ++i) {
        const std::uint8_t cls = more.kindOf(more.rows[i]).cls;
        --kept[cls];
        refuse(DefectCode::BadRecord, 1, maskOf(static_cast<ActivityClass>(cls)), kTooManyRows);
    }
    if (count == 0)
        return begin;
    first = std::min(first, more.first), last = std::max(last, more.last);
    falling = falling || more.falling || more.rows[0].begin < latestBegin;
    latestBegin = more.latestBegin;
    rows.extend(count);
    return begin;
}

/// Several in parallel, once there is room for all.
void TraceBuilder::State::copyRows(const State& more, std::size_t to) {
    const std::size_t end = std::min(rows.size(), to + more.rows.size());
    for (std::size_t from = 0; to < end; ++from, ++to) {
        Row row = more.rows[from];
        row.kind = more.renumbered.kinds[row.kind], row.queue = more.renumbered.queues[row.queue];
        rows[to] = row;
    }
}

void TraceBuilder::State::takeFacts(const State& more) {
    for (const auto& [key, context] : more.contexts)
        contexts[key] = context;
    for (const auto& [key, stream] : more.streams)
        streams[key] = stream;
    correlations.insert(correlations.end(), more.correlations.begin(), more.correlations.end());
    solos.insert(solos.end(), more.solos.begin(), more.solos.end());
    windows.insert(windows.end(), more.windows.begin(), more.windows.end());
    if (more.provenance)
        provenance = more.provenance;
    for (const auto& [key, defect] : more.defects)
        note(defect.code, defect.count, defect.classes, defect.detail);
    refused = std::min(kMaxCount, refused + more.refused);
    someGone = someGone || more.someGone;
}

/// Resets it, but keeps what can be reused: its tables and the memory of its rows. If most activities have
/// unique names, the tables are useless for the next ones.
void TraceBuilder::State::forget() {
    State fresh;
    if (names.size() + kinds.size() > kMostKept) {
        *this = std::move(fresh);
        return;
    }
    fresh.names = std::move(names), fresh.kinds = std::move(kinds), fresh.queues = std::move(queues);
    fresh.places = std::move(places), fresh.placeOf = std::move(placeOf);
    fresh.channels = std::move(channels), fresh.geometry = std::move(geometry);
    fresh.renumbered = std::move(renumbered);
    fresh.rows = std::move(rows);
    fresh.rows.clear();
    *this = std::move(fresh);
}

/// Kinds with a limit use the normal entry point.
void TraceBuilder::takeLimited(const State& more) {
    for (const auto& [number, process] : more.processes)
        add(process);
    for (const auto& [number, readings] : more.clocks)
        for (const ClockRecord& reading : readings)
            add(reading);
    for (const auto& [local, device] : more.devices)
        add(device);
    for (const StreamCallRecord& call : more.streamCalls)
        add(call);
    for (const auto& [key, value] : more.environment)
        add(EnvironmentRecord{key, value});
}

/// Most of the time is spent in copying rows, so all threads do that.
void TraceBuilder::append(std::span<TraceBuilder* const> parts) {
    std::vector<std::size_t> places;
    const std::size_t before = m_state->rows.size();
    for (TraceBuilder* part : parts) {
        m_state->takeTables(*part->m_state);
        places.push_back(m_state->makeRoom(*part->m_state));
    }
    sideBySide(parts.size(), threadsFor(m_state->rows.size() - before),
               [&](std::size_t i) { m_state->copyRows(*parts[i]->m_state, places[i]); });
    for (TraceBuilder* part : parts) {
        m_state->takeFacts(*part->m_state);
        takeLimited(*part->m_state);
        part->m_state->forget();
    }
}

} // namespace olab
