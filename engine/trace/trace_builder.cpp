#include <olab/trace/trace_builder.h>

#include "trace_builder_state.h"

#include <algorithm>

namespace olab {
namespace {

constexpr std::size_t kMaxProcesses = 4096;
constexpr Ns kMaxClock = Ns{1} << 62;       // centuries; products of differences fit in 128 bits
constexpr std::size_t kMaxReadings = 65536; // of a clock

std::uint8_t packMemory(MemoryKind source, MemoryKind target) {
    const auto low = knownOr(source, MemoryKind::ManagedStatic, MemoryKind::Unknown);
    const auto high = knownOr(target, MemoryKind::ManagedStatic, MemoryKind::Unknown);
    return static_cast<std::uint8_t>(low | high << 4);
}

ClassMask maskOfRaw(ActivityClass c) {
    return static_cast<std::size_t>(c) < kClassCount ? maskOf(c) : kAllClasses;
}

std::optional<DefectCode> whyRefused(Ns begin, Ns end) {
    if (end < begin)
        return DefectCode::EndBeforeStart;
    if (begin == 0 && end == 0)
        return DefectCode::NoTimestamp;
    if (longerThanTime(begin, end))
        return DefectCode::BadRecord;
    return std::nullopt;
}

std::optional<DefectCode> whyRefused(const ActivityRecord& r) {
    if (static_cast<std::size_t>(r.cls) >= kClassCount || r.bytes < 0)
        return DefectCode::BadRecord;
    return whyRefused(r.begin, r.end);
}

} // namespace

void TraceBuilder::State::note(DefectCode code, std::uint64_t count, ClassMask classes,
                               const std::string& detail) {
    if (count == 0)
        return;
    const std::string shown(cutText(detail, kMaxFactBytes));
    auto at = defects.find({code, shown});
    if (at ==
        defects.end()) { // of very many, only the code is kept, not the detail: a defect is never silent
        const std::string others = "and others";
        const auto detailed =
            std::ranges::count_if(defects, [&](const auto& entry) { return entry.second.detail != others; });
        const std::string& detailKept = static_cast<std::size_t>(detailed) < kMaxDefectKinds ? shown : others;
        at = defects.try_emplace({code, detailKept}, Defect{code, 0, 0, detailKept}).first;
    }
    Defect& d = at->second;
    d.count = std::min(kMaxCount, d.count + std::min(count, kMaxCount));
    d.classes |= classes & kAllClasses;
}

void TraceBuilder::State::cut(std::string& text, std::size_t most) {
    const std::size_t fits = cutText(text, most).size();
    if (fits == text.size())
        return;
    text.resize(fits);
    note(DefectCode::TextCut, 1, kAllClasses, {});
}

void TraceBuilder::State::refuse(DefectCode code, std::uint64_t count, ClassMask classes,
                                 const std::string& detail) {
    note(code, count, classes, detail);
    refused = std::min(kMaxCount, refused + std::min(count, kMaxCount));
}

void TraceBuilder::State::refuseRow(Row& row, const std::string& detail) {
    const std::uint8_t cls = kindOf(row).cls;
    --kept[cls];
    row.kind = kNoId;
    someGone = true;
    refuse(DefectCode::BadRecord, 1, maskOf(static_cast<ActivityClass>(cls)), detail);
}

std::uint32_t TraceBuilder::State::queueOf(const ActivityRecord& r) {
    const bool host = !isDeviceClass(r.cls);
    const std::uint32_t queue =
        queues.idOf(host ? RawQueue{true, kNoNumber, kNoNumber, r.thread, r.process, r.clock}
                         : RawQueue{false, r.device, r.context, r.stream, r.process, r.clock});
    if (queue == placeOf.size()) // a new one
        placeOf.push_back(
            host ? kNoId : places.idOf({r.process, r.device, r.device == kNoNumber ? r.context : kNoNumber}));
    return queue;
}

std::uint32_t TraceBuilder::State::channelOf(const ActivityRecord& r, std::uint32_t place) {
    const auto type = knownOr(r.channelType, ChannelType::Decompress, ChannelType::Unknown);
    const bool none = r.channel == kNoNumber && type == static_cast<std::uint8_t>(ChannelType::Unknown);
    return none || !isDeviceClass(r.cls) ? kNoId : channels.idOf({place, r.channel, type});
}

RawKind TraceBuilder::State::rawKindOf(const ActivityRecord& r, std::uint32_t place) {
    RawKind kind;
    kind.bytes = r.bytes;
    kind.place = place;
    kind.channel = channelOf(r, place);
    kind.geometry = r.cls == ActivityClass::Kernel && r.geometry ? geometry.idOf(*r.geometry) : kNoId;
    kind.name = r.name.value < names.size() ? r.name.value : 0;
    kind.cls = static_cast<std::uint8_t>(r.cls);
    kind.memory = packMemory(r.source, r.target);
    kind.flags = r.flags;
    return kind;
}

/// Everything that the counts of a trace contain.
void TraceBuilder::State::count(ActivityClass cls, Ns begin, Ns end) {
    first = std::min(first, begin), last = std::max(last, end);
    ++kept[static_cast<std::size_t>(cls)];
    ++counted;
}

void TraceBuilder::State::keep(const ActivityRecord& r) {
    const std::uint32_t queue = queueOf(r);
    if (isOnlyCounted(r.cls))
        return count(r.cls, r.begin, r.end);
    const std::uint32_t kind = kinds.idOf(rawKindOf(r, placeOf[queue]));
    keepRow({r.begin, r.end, kind, r.correlation, r.op.value, queue});
    ++kept[static_cast<std::size_t>(r.cls)];
}

void TraceBuilder::State::keepRow(const Row& row) {
    rows.push(row);
    first = std::min(first, row.begin), last = std::max(last, row.end);
    falling = falling || row.begin < latestBegin;
    latestBegin = row.begin;
}

RawShape TraceBuilder::State::rawShapeOf(const ActivityRecord& shared) {
    RawShape shape;
    shape.cls = shared.cls, shape.op = shared.op.value;
    shape.isBad = static_cast<std::size_t>(shared.cls) >= kClassCount || shared.bytes < 0;
    if (!shape.isBad) {
        shape.queue = queueOf(shared);
        shape.kind = kinds.idOf(rawKindOf(shared, placeOf[shape.queue]));
    }
    return shape;
}

void TraceBuilder::State::add(const ActivityRow& row) {
    const RawShape& shape = shapes[row.shape];
    const auto why = shape.isBad ? std::optional(DefectCode::BadRecord) : whyRefused(row.begin, row.end);
    if (why) {
        refuse(*why, 1, maskOfRaw(shape.cls));
        someGone = true; // its queue may have no other row
    } else if (rows.size() + counted >= kMaxRows)
        refuse(DefectCode::BadRecord, 1, maskOf(shape.cls), kTooManyRows);
    else if (isOnlyCounted(shape.cls))
        count(shape.cls, row.begin, row.end);
    else {
        keepRow({row.begin, row.end, shape.kind, row.correlation, shape.op, shape.queue});
        ++kept[static_cast<std::size_t>(shape.cls)];
    }
}

// --- entry points

TraceBuilder::TraceBuilder(Keeping keeping)
    : m_state(std::make_unique<State>()) {
    m_state->numbersOnly = keeping == Keeping::Numbers;
}
TraceBuilder::~TraceBuilder() = default;
TraceBuilder::TraceBuilder(TraceBuilder&&) noexcept = default;

TextId TraceBuilder::intern(std::string_view text) {
    const std::string_view kept = cutText(text, kMaxTextBytes);
    if (kept.size() < text.size())
        m_state->note(DefectCode::TextCut, 1, kAllClasses, {});
    return {m_state->names.intern(kept)};
}

void TraceBuilder::add(const ProcessRecord& r) {
    if (m_state->processes.size() >= kMaxProcesses && !m_state->processes.contains(r.process))
        return m_state->note(DefectCode::BadRecord, 1, kAllClasses,
                             "more than " + std::to_string(kMaxProcesses) + " processes");
    m_state->cut((m_state->processes[r.process] = r).name);
}

void TraceBuilder::add(const ClockRecord& r) {
    if (std::max(r.at, r.wall) > kMaxClock || std::min(r.at, r.wall) < -kMaxClock)
        return m_state->note(DefectCode::BadRecord, 1, kAllClasses, "a reading of a clock");
    auto& readings = m_state->clocks[r.clock];
    if (readings.size() >= kMaxReadings || m_state->clocks.size() > kMaxProcesses)
        return m_state->note(DefectCode::BadRecord, 1, kAllClasses, "more readings of clocks than can be");
    readings.push_back(r);
}

void TraceBuilder::add(const RankRecord& r) {
    if (r.rank >= kMaxProcesses)
        return m_state->note(DefectCode::BadRecord, 1, kAllClasses,
                             "more than " + std::to_string(kMaxProcesses) + " recordings in one");
    RankRecord& kept = m_state->ranks[r.rank] = r;
    kept.alignment =
        RankAlignment{knownOr(r.alignment, RankAlignment::Collectives, RankAlignment::Unaligned)};
    for (std::string* text : {&kept.name, &kept.file, &kept.leftOut})
        m_state->cut(*text);
}

void TraceBuilder::add(const DeviceRecord& r) {
    const Local key{r.process, r.device};
    if (m_state->devices.size() >= kMaxDevices && !m_state->devices.contains(key))
        return m_state->note(DefectCode::BadRecord, 1, kAllClasses, "more than 255 devices");
    DeviceRecord& kept = m_state->devices[key] = r;
    m_state->cut(kept.name);
    m_state->cut(kept.uuid);
}

void TraceBuilder::add(const ContextRecord& r) {
    m_state->contexts[{r.process, r.context}] = r;
}

void TraceBuilder::add(const StreamRecord& r) {
    m_state->streams[{{r.process, r.context}, r.stream}] = r;
}

void TraceBuilder::add(const ActivityRecord& r) {
    if (const auto why = whyRefused(r))
        m_state->refuse(*why, 1, maskOfRaw(r.cls));
    else if (m_state->rows.size() + m_state->counted >= kMaxRows)
        m_state->refuse(DefectCode::BadRecord, 1, maskOf(r.cls), kTooManyRows);
    else
        m_state->keep(r);
}

std::uint32_t TraceBuilder::shape(const ActivityRecord& shared) {
    m_state->shapes.push_back(m_state->rawShapeOf(shared));
    return static_cast<std::uint32_t>(m_state->shapes.size() - 1);
}

void TraceBuilder::addRows(std::span<const ActivityRow> rows) {
    for (const ActivityRow& row : rows)
        m_state->add(row);
}

void TraceBuilder::add(const CorrelationRecord& r) {
    m_state->correlations.push_back({{r.process, r.correlation}, r.op.value});
}

void TraceBuilder::add(const StreamCallRecord& r) {
    if (m_state->streamCalls.size() >= kMaxRows)
        return m_state->note(DefectCode::BadRecord, 1, kAllClasses,
                             "more calls on streams than a trace can hold");
    StreamCallRecord& kept = m_state->streamCalls.emplace_back(r);
    kept.kind = StreamCallKind{knownOr(r.kind, StreamCallKind::DeviceSync, StreamCallKind::Unknown)};
}

void TraceBuilder::add(const SoloRecord& r) {
    if (static_cast<std::size_t>(r.cls) >= kClassCount || r.duration < 0 || r.bytes < 0)
        m_state->note(DefectCode::BadRecord, 1, maskOfRaw(r.cls), "a solo run");
    else
        m_state->solos.push_back(r);
}

void TraceBuilder::add(const WindowRecord& r) {
    if (r.end < r.begin || longerThanTime(r.begin, r.end))
        m_state->note(DefectCode::BadRecord, 1, kAllClasses, "a measured window");
    else
        m_state->windows.push_back(r);
}

void TraceBuilder::add(const EnvironmentRecord& r) {
    std::string key = r.key;
    m_state->cut(key);
    const std::size_t most =
        r.value.size() > kMaxFactBytes ? kMaxEnvironment : trace_detail::kMostEnvironment;
    if (m_state->environment.size() >= most && !m_state->environment.contains(key))
        return m_state->note(DefectCode::BadRecord, 1, kAllClasses,
                             "more than " + std::to_string(most) + " entries of the environment");
    m_state->cut(m_state->environment[std::move(key)] = r.value, kMaxTextBytes);
}

void TraceBuilder::add(const ProvenanceRecord& r) {
    ProvenanceRecord& last = m_state->provenance.emplace(r);
    for (std::string* text : {&last.tool, &last.toolVersion, &last.recordedAt})
        m_state->cut(*text);
    if (r.source > SourceKind::Traced)
        last.source = SourceKind::Imported;
}

void TraceBuilder::add(const RefusedRecord& r) {
    const DefectCode code = isDefectCode(r.code) ? r.code : DefectCode::BadRecord;
    if (r.countsAsRead)
        m_state->refuse(code, r.count, r.classes, r.detail);
    else
        m_state->note(code, r.count, r.classes, r.detail);
}

std::uint64_t TraceBuilder::kept(ActivityClass c) const {
    return m_state->kept[static_cast<std::size_t>(c)];
}

bool TraceBuilder::wantsDetails() const {
    return !m_state->numbersOnly;
}

/// The maximum, from streams with work, threads, and streams that only calls refer to.
std::size_t TraceBuilder::State::mostQueues() const {
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> ofCalls;
    for (const StreamCallRecord& call : streamCalls)
        ofCalls.emplace(call.process, call.context, call.stream);
    return queues.size() + ofCalls.size();
}

bool TraceBuilder::mustHaveEverything() const {
    return m_state->counted > 0 &&
           (!m_state->clocks.empty() || longerThanTime(m_state->first, m_state->last) ||
            m_state->mostQueues() > kMaxQueues);
}

Trace TraceBuilder::finish() {
    return std::exchange(m_state, std::make_unique<State>())->finish();
}

Trace TraceBuilder::snapshot() const {
    return std::make_unique<State>(*m_state)->finish();
}

EngineKind engineOf(ActivityClass cls, ChannelType channel) {
    if (!isDeviceClass(cls))
        return EngineKind::None;
    const ClassRow& row = kClassRows[static_cast<std::size_t>(cls)];
    return channel == ChannelType::Compute     ? EngineKind::Compute
           : channel == ChannelType::AsyncCopy ? row.copyEngine
                                               : row.engine;
}

} // namespace olab
