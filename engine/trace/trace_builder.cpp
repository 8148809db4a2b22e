#include <olab/trace/trace_builder.h>

#include "string_table.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace olab {
namespace {

constexpr std::size_t kMaxDevices = 255;
constexpr std::size_t kMaxQueues = 65535;
constexpr std::size_t kMaxChannels = kNoChannel.value;
constexpr std::size_t kMaxRows = std::numeric_limits<ActivityIndex>::max() - 1;
// Counts come from files too: sums of absurd ones stop here instead of wrapping.
constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 62;

constexpr std::uint32_t kNoGeometry = 0xffffffffu;
constexpr std::uint8_t kGone = 0xff; // class of a row refused in the second pass

// An ActivityRecord without its strings and rare fields: 64 bytes, so ten million fit.
struct Row {
    Ns begin, end;
    std::int64_t bytes;
    std::uint32_t device, context;
    std::uint32_t number; // stream, or thread of host classes
    std::uint32_t channel, name, correlation, op, geometry;
    std::uint8_t cls, channelType, memory, flags;
    bool gone() const { return cls == kGone; }
    bool onHost() const { return !isDeviceClass(static_cast<ActivityClass>(cls)); }
};
static_assert(sizeof(Row) <= 64);

using QueueKey =
    std::tuple<bool, std::uint32_t, std::uint32_t, std::uint32_t>;         // host?, device, context, number
using ChannelKey = std::tuple<std::uint32_t, std::uint32_t, std::uint8_t>; // device, number, type

QueueKey queueKey(const Row& r) {
    return {r.onHost(), r.device, r.context, r.number};
}
ChannelKey channelKey(const Row& r) {
    return {r.device, r.channel, r.channelType};
}
std::uint32_t deviceOf(const Row& r) {
    return r.device;
}
bool isKept(const Row& r) {
    return !r.gone();
}
bool hasDevice(const Row& r) {
    return !r.gone() && !r.onHost();
}
bool hasChannel(const Row& r) {
    return hasDevice(r) &&
           (r.channel != kNoNumber || r.channelType != static_cast<std::uint8_t>(ChannelType::Unknown));
}

// Enumerators come from CUPTI and from files; one this version does not know is unknown, not a crash.
template <typename Enum>
std::uint8_t knownOr(Enum value, Enum last, Enum otherwise) {
    return static_cast<std::uint8_t>(value <= last ? value : otherwise);
}

std::uint8_t packMemory(MemoryKind source, MemoryKind target) {
    const auto low = knownOr(source, MemoryKind::ManagedStatic, MemoryKind::Unknown);
    const auto high = knownOr(target, MemoryKind::ManagedStatic, MemoryKind::Unknown);
    return static_cast<std::uint8_t>(low | high << 4);
}

ClassMask maskOfRaw(ActivityClass c) {
    return static_cast<std::size_t>(c) < kClassCount ? maskOf(c) : kAllClasses;
}

bool longerThanTime(Ns begin, Ns end) {
    return begin < 0 && end > std::numeric_limits<Ns>::max() + begin;
}

std::optional<DefectCode> whyRefused(const ActivityRecord& r) {
    if (static_cast<std::size_t>(r.cls) >= kClassCount || r.bytes < 0)
        return DefectCode::BadRecord;
    if (r.end < r.begin)
        return DefectCode::EndBeforeStart;
    if (r.begin == 0 && r.end == 0)
        return DefectCode::NoTimestamp;
    if (longerThanTime(r.begin, r.end))
        return DefectCode::BadRecord;
    return std::nullopt;
}

struct SortKey {
    Ns begin;
    std::uint32_t row;
};

// The distinct keys of the rows that `has` one, sorted; at most `limit`, so a key that did not get in cannot
// be found.
template <typename Key>
std::vector<Key> distinct(const std::deque<Row>& rows, bool (*has)(const Row&), Key (*keyOf)(const Row&),
                          std::size_t limit, std::set<Key> keys = {}) {
    std::optional<Key> latest; // consecutive rows mostly share theirs
    for (const Row& row : rows)
        if (has(row) && latest != keyOf(row))
            keys.insert(*(latest = keyOf(row)));
    std::vector<Key> sorted(keys.begin(), keys.end());
    if (sorted.size() > limit)
        sorted.resize(limit);
    return sorted;
}

template <typename Key>
std::optional<std::size_t> indexIn(const std::vector<Key>& sorted, const Key& key) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), key);
    if (at == sorted.end() || *at != key)
        return std::nullopt;
    return static_cast<std::size_t>(at - sorted.begin());
}

} // namespace

struct TraceBuilder::State {
    RecordSink* tee = nullptr;
    StringTable names;
    std::deque<Row> rows; // a deque: growing it never holds everything twice
    std::vector<KernelGeometry> geometry;
    std::map<std::uint32_t, DeviceRecord> devices;
    std::map<std::uint32_t, ContextRecord> contexts;
    std::map<std::pair<std::uint32_t, std::uint32_t>, StreamRecord> streams; // by context and stream
    std::vector<std::pair<std::uint32_t, std::uint32_t>> correlations; // correlation and op, as they came
    std::vector<SoloRecord> solos;
    std::vector<WindowRecord> windows;
    std::map<std::string, std::string> environment;
    ProvenanceRecord provenance;
    std::map<std::pair<DefectCode, std::string>, Defect> defects;
    std::array<std::uint64_t, kClassCount> kept{};
    std::uint64_t refused = 0;

    // --- first pass: one record at a time
    void note(DefectCode code, std::uint64_t count, ClassMask classes, const std::string& detail);
    void refuse(DefectCode code, std::uint64_t count, ClassMask classes, const std::string& detail = {});
    void refuseRow(Row& row, const std::string& detail);
    void keep(const ActivityRecord& r);

    // --- second pass: what can only be known when all records are there, in this order
    void findDevices();
    void resolveOps();
    void refuseUnspannable();
    template <typename Key>
    void refuseWithout(const std::vector<Key>& known, bool (*has)(const Row&), Key (*keyOf)(const Row&),
                       const char* detail);
    void makeDevices(Trace& trace);
    void makeQueues(Trace& trace);
    void makeChannels(Trace& trace);
    Queue queueOf(const QueueKey& key) const;
    std::vector<SortKey> order() const;
    bool before(const SortKey& a, const SortKey& b) const;
    void reserve(Trace& t, std::size_t n) const;
    void append(Trace& t, const Row& row, std::uint32_t name) const;
    void makeColumns(Trace& trace);
    void makeSpans(Trace& trace) const;
    void makeFacts(Trace& trace);
    Trace finish();

    // the numbers that rows refer to, sorted; found once, used by makeColumns
    std::vector<std::uint32_t> deviceNumbers;
    std::vector<QueueKey> queueKeys;
    std::vector<ChannelKey> channelKeys;
};

void TraceBuilder::State::note(DefectCode code, std::uint64_t count, ClassMask classes,
                               const std::string& detail) {
    if (count == 0)
        return;
    Defect& d = defects.try_emplace({code, detail}, Defect{code, 0, 0, detail}).first->second;
    d.count = std::min(kMaxCount, d.count + std::min(count, kMaxCount));
    d.classes |= classes & kAllClasses;
}

void TraceBuilder::State::refuse(DefectCode code, std::uint64_t count, ClassMask classes,
                                 const std::string& detail) {
    note(code, count, classes, detail);
    refused = std::min(kMaxCount, refused + std::min(count, kMaxCount));
}

void TraceBuilder::State::refuseRow(Row& row, const std::string& detail) {
    const auto cls = static_cast<ActivityClass>(row.cls);
    --kept[row.cls];
    row.cls = kGone;
    refuse(DefectCode::BadRecord, 1, maskOf(cls), detail);
}

void TraceBuilder::State::keep(const ActivityRecord& r) {
    Row row{};
    row.begin = r.begin, row.end = r.end, row.bytes = r.bytes;
    row.correlation = r.correlation, row.op = r.op.value;
    row.cls = static_cast<std::uint8_t>(r.cls);
    row.flags = r.flags;
    row.memory = packMemory(r.source, r.target);
    row.name = names.intern(r.name);
    row.device = row.context = row.channel = kNoNumber;
    row.number = r.thread;
    row.geometry = kNoGeometry;
    if (isDeviceClass(r.cls)) {
        row.device = r.device, row.context = r.context, row.number = r.stream, row.channel = r.channel;
        row.channelType = knownOr(r.channelType, ChannelType::Decompress, ChannelType::Unknown);
    }
    if (r.cls == ActivityClass::Kernel && r.geometry) {
        row.geometry = static_cast<std::uint32_t>(geometry.size());
        geometry.push_back(*r.geometry);
    }
    rows.push_back(row);
    ++kept[row.cls];
}

// --- second pass

void TraceBuilder::State::findDevices() {
    for (Row& row : rows)
        if (!row.onHost() && row.device == kNoNumber)
            if (const auto c = contexts.find(row.context); c != contexts.end())
                row.device = c->second.device;
}

void TraceBuilder::State::resolveOps() {
    // Of several claims on one correlation the last wins; a stable sort keeps it last of its group.
    const auto byCorrelation = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::stable_sort(correlations.begin(), correlations.end(), byCorrelation);
    for (Row& row : rows) {
        const bool mayHaveOp = !row.onHost() || row.cls == static_cast<std::uint8_t>(ActivityClass::Api);
        if (!mayHaveOp || row.op != kNoOp.value || row.correlation == 0)
            continue;
        const auto after = std::upper_bound(correlations.begin(), correlations.end(),
                                            std::pair{row.correlation, 0u}, byCorrelation);
        if (after != correlations.begin() && std::prev(after)->first == row.correlation)
            row.op = std::prev(after)->second;
    }
    correlations = {};
}

void TraceBuilder::State::refuseUnspannable() {
    Ns first = 0, last = 0;
    for (const Row& row : rows)
        first = std::min(first, row.begin), last = std::max(last, row.end);
    if (!longerThanTime(first, last))
        return;
    for (Row& row : rows)
        if (row.begin < 0)
            refuseRow(row, "a time centuries before the others");
}

template <typename Key>
void TraceBuilder::State::refuseWithout(const std::vector<Key>& known, bool (*has)(const Row&),
                                        Key (*keyOf)(const Row&), const char* detail) {
    for (Row& row : rows)
        if (has(row) && !indexIn(known, keyOf(row)))
            refuseRow(row, detail);
}

void TraceBuilder::State::makeDevices(Trace& trace) {
    std::set<std::uint32_t> declared;
    for (const auto& [number, device] : devices)
        declared.insert(number);
    deviceNumbers = distinct(rows, hasDevice, deviceOf, kMaxDevices, std::move(declared));
    refuseWithout(deviceNumbers, hasDevice, deviceOf, "more than 255 devices");
    for (const std::uint32_t number : deviceNumbers) {
        const auto known = devices.find(number);
        trace.m_devices.push_back(known != devices.end() ? known->second : DeviceRecord{});
        trace.m_devices.back().device = number;
    }
}

Queue TraceBuilder::State::queueOf(const QueueKey& key) const {
    const auto& [host, device, context, number] = key;
    Queue q;
    q.number = number;
    if (host) {
        q.kind = Queue::Kind::HostThread;
        return q;
    }
    q.device = static_cast<std::uint8_t>(*indexIn(deviceNumbers, device));
    q.context = context;
    if (const auto s = streams.find({context, number}); s != streams.end()) {
        q.priority = s->second.priority;
        q.streamKind =
            static_cast<StreamKind>(knownOr(s->second.kind, StreamKind::Null, StreamKind::Unknown));
    }
    const auto c = contexts.find(context);
    if (c != contexts.end() && number != kNoNumber && c->second.nullStream == number)
        q.streamKind = StreamKind::Null;
    return q;
}

void TraceBuilder::State::makeQueues(Trace& trace) {
    queueKeys = distinct(rows, isKept, queueKey, kMaxQueues);
    refuseWithout(queueKeys, isKept, queueKey, "more than 65535 streams and threads");
    for (const QueueKey& key : queueKeys)
        trace.m_queues.push_back(queueOf(key));
}

void TraceBuilder::State::makeChannels(Trace& trace) {
    channelKeys = distinct(rows, hasChannel, channelKey, kMaxChannels);
    refuseWithout(channelKeys, hasChannel, channelKey, "more than 65535 channels");
    for (const auto& [device, number, type] : channelKeys)
        trace.m_channels.push_back({static_cast<std::uint8_t>(*indexIn(deviceNumbers, device)), number,
                                    static_cast<ChannelType>(type)});
}

// The documented order first; then every other field but the geometry, so that the order of arrival never
// shows.
bool TraceBuilder::State::before(const SortKey& a, const SortKey& b) const {
    if (a.begin != b.begin)
        return a.begin < b.begin;
    const Row& x = rows[a.row];
    const Row& y = rows[b.row];
    const auto key = [](const Row& r) {
        return std::tie(r.end, r.correlation, r.op, r.cls, r.device, r.context, r.number, r.bytes, r.channel,
                        r.channelType, r.memory, r.flags);
    };
    if (const auto order = key(x) <=> key(y); order != 0)
        return order < 0;
    return x.name != y.name ? names[x.name] < names[y.name] : a.row < b.row;
}

std::vector<SortKey> TraceBuilder::State::order() const {
    std::vector<SortKey> keys;
    keys.reserve(rows.size());
    for (std::uint32_t i = 0; const Row& row : rows) {
        if (!row.gone())
            keys.push_back({row.begin, i});
        ++i;
    }
    const auto less = [this](const SortKey& a, const SortKey& b) { return before(a, b); };
    if (!std::is_sorted(keys.begin(), keys.end(), less))
        std::sort(keys.begin(), keys.end(), less);
    return keys;
}

void TraceBuilder::State::reserve(Trace& t, std::size_t n) const {
    t.m_begin.reserve(n), t.m_end.reserve(n), t.m_bytes.reserve(n);
    t.m_name.reserve(n), t.m_correlation.reserve(n), t.m_op.reserve(n);
    t.m_queue.reserve(n), t.m_channel.reserve(n), t.m_cls.reserve(n), t.m_engine.reserve(n);
    t.m_device.reserve(n), t.m_flags.reserve(n), t.m_memory.reserve(n);
    t.m_geometry.reserve(geometry.size()), t.m_geometryOf.reserve(geometry.size());
}

void TraceBuilder::State::append(Trace& t, const Row& row, std::uint32_t name) const {
    const auto cls = static_cast<ActivityClass>(row.cls);
    const auto channel = hasChannel(row) ? *indexIn(channelKeys, channelKey(row)) : kNoChannel.value;
    const auto device = hasDevice(row) ? *indexIn(deviceNumbers, row.device) : 0;
    if (row.geometry != kNoGeometry) {
        t.m_geometryOf.push_back(static_cast<ActivityIndex>(t.size()));
        t.m_geometry.push_back(geometry[row.geometry]);
    }
    t.m_begin.push_back(row.begin);
    t.m_end.push_back(row.end);
    t.m_bytes.push_back(row.bytes);
    t.m_name.push_back(name);
    t.m_correlation.push_back(row.correlation);
    t.m_op.push_back(row.op);
    t.m_queue.push_back(static_cast<std::uint16_t>(*indexIn(queueKeys, queueKey(row))));
    t.m_channel.push_back(static_cast<std::uint16_t>(channel));
    t.m_cls.push_back(cls);
    t.m_engine.push_back(engineOf(cls, static_cast<ChannelType>(row.channelType)));
    t.m_device.push_back(static_cast<std::uint8_t>(device));
    t.m_flags.push_back(row.flags);
    t.m_memory.push_back(row.memory);
}

void TraceBuilder::State::makeColumns(Trace& trace) {
    const std::vector<SortKey> keys = order();
    reserve(trace, keys.size());
    std::vector<std::uint32_t> nameIds(names.size(), 0); // ids in order of first use in the sorted trace
    for (const SortKey& key : keys) {
        const Row& row = rows[key.row];
        if (row.name != 0 && nameIds[row.name] == 0) {
            nameIds[row.name] = static_cast<std::uint32_t>(trace.m_strings.size());
            trace.m_strings.push_back(names[row.name]);
        }
        append(trace, row, nameIds[row.name]);
    }
    trace.m_counts = {keys.size() + refused, keys.size(), refused};
}

void TraceBuilder::State::makeSpans(Trace& trace) const {
    bool any = false, anyDevice = false;
    const auto extend = [](Interval& span, Interval with, bool& started) {
        span = started ? Interval{std::min(span.begin, with.begin), std::max(span.end, with.end)} : with;
        started = true;
    };
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        extend(trace.m_span, trace.time(i), any);
        if (isDeviceClass(trace.cls(i)))
            extend(trace.m_deviceSpan, trace.time(i), anyDevice);
    }
}

void TraceBuilder::State::makeFacts(Trace& trace) {
    std::stable_sort(solos.begin(), solos.end(),
                     [](const auto& a, const auto& b) { return a.solo < b.solo; });
    std::stable_sort(windows.begin(), windows.end(), [](const auto& a, const auto& b) {
        return std::tie(a.begin, a.end, a.traced) < std::tie(b.begin, b.end, b.traced);
    });
    trace.m_solos = std::move(solos);
    trace.m_windows = std::move(windows);
    trace.m_environment = std::move(environment);
    trace.m_provenance = std::move(provenance);
    for (auto& [key, defect] : defects)
        trace.m_defects.push_back(std::move(defect));
}

Trace TraceBuilder::State::finish() {
    Trace trace;
    findDevices();
    resolveOps();
    refuseUnspannable();
    makeDevices(trace);
    makeQueues(trace);
    makeChannels(trace);
    makeColumns(trace);
    makeSpans(trace);
    makeFacts(trace);
    return trace;
}

// --- the door

TraceBuilder::TraceBuilder(RecordSink* tee)
    : m_state(std::make_unique<State>()) {
    m_state->tee = tee;
}
TraceBuilder::~TraceBuilder() = default;
TraceBuilder::TraceBuilder(TraceBuilder&&) noexcept = default;

void TraceBuilder::add(const DeviceRecord& r) {
    if (m_state->tee)
        m_state->tee->add(r);
    m_state->devices[r.device] = r;
}

void TraceBuilder::add(const ContextRecord& r) {
    if (m_state->tee)
        m_state->tee->add(r);
    m_state->contexts[r.context] = r;
}

void TraceBuilder::add(const StreamRecord& r) {
    if (m_state->tee)
        m_state->tee->add(r);
    m_state->streams[{r.context, r.stream}] = r;
}

void TraceBuilder::add(const ActivityRecord& r) {
    if (m_state->tee)
        m_state->tee->add(r);
    if (const auto why = whyRefused(r))
        m_state->refuse(*why, 1, maskOfRaw(r.cls));
    else if (m_state->rows.size() >= kMaxRows)
        m_state->refuse(DefectCode::BadRecord, 1, maskOf(r.cls), "more activities than a trace can hold");
    else
        m_state->keep(r);
}

void TraceBuilder::add(const CorrelationRecord& r) {
    if (m_state->tee)
        m_state->tee->add(r);
    m_state->correlations.emplace_back(r.correlation, r.op.value);
}

void TraceBuilder::add(const SoloRecord& r) {
    if (m_state->tee)
        m_state->tee->add(r);
    if (static_cast<std::size_t>(r.cls) >= kClassCount || r.duration < 0 || r.bytes < 0)
        m_state->note(DefectCode::BadRecord, 1, maskOfRaw(r.cls), "a solo run");
    else
        m_state->solos.push_back(r);
}

void TraceBuilder::add(const WindowRecord& r) {
    if (m_state->tee)
        m_state->tee->add(r);
    if (r.end < r.begin || longerThanTime(r.begin, r.end))
        m_state->note(DefectCode::BadRecord, 1, kAllClasses, "a measured window");
    else
        m_state->windows.push_back(r);
}

void TraceBuilder::add(const EnvironmentRecord& r) {
    if (m_state->tee)
        m_state->tee->add(r);
    m_state->environment[r.key] = r.value;
}

void TraceBuilder::add(const ProvenanceRecord& r) {
    if (m_state->tee)
        m_state->tee->add(r);
    m_state->provenance = r;
    if (r.source > SourceKind::Traced)
        m_state->provenance.source = SourceKind::Imported;
}

void TraceBuilder::add(const RefusedRecord& r) {
    if (m_state->tee)
        m_state->tee->add(r);
    const DefectCode code = r.code < DefectCode::Count_ ? r.code : DefectCode::BadRecord;
    if (r.countsAsRead)
        m_state->refuse(code, r.count, r.classes, r.detail);
    else
        m_state->note(code, r.count, r.classes, r.detail);
}

void TraceBuilder::addDefect(DefectCode code, std::uint64_t count, ClassMask classes, std::string detail) {
    add(RefusedRecord{code, count, classes, std::move(detail),
                      false}); // so a file of this recording has it too
}

std::uint64_t TraceBuilder::kept(ActivityClass c) const {
    return m_state->kept[static_cast<std::size_t>(c)];
}

Trace TraceBuilder::finish() {
    const auto state = std::exchange(m_state, std::make_unique<State>());
    m_state->tee = state->tee;
    return state->finish();
}

EngineKind engineOf(ActivityClass cls, ChannelType channel) {
    const bool onCopyEngine = channel == ChannelType::AsyncCopy;
    if (isDeviceClass(cls) && channel == ChannelType::Compute)
        return EngineKind::Compute;
    switch (cls) {
    case ActivityClass::Kernel:
        return EngineKind::Compute;
    case ActivityClass::Memset:
        return onCopyEngine ? EngineKind::CopyD2D : EngineKind::Compute;
    case ActivityClass::MemcpyH2D:
        return EngineKind::CopyH2D;
    case ActivityClass::MemcpyD2H:
        return EngineKind::CopyD2H;
    case ActivityClass::MemcpyD2D:
        return EngineKind::CopyD2D;
    case ActivityClass::MemcpyP2P:
        return EngineKind::CopyP2P;
    case ActivityClass::MemcpyOther:
        return onCopyEngine ? EngineKind::CopyD2D : EngineKind::None;
    default:
        return EngineKind::None;
    }
}

} // namespace olab
