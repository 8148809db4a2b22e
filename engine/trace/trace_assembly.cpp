// TraceBuilder's second pass: what can only be known when all records are there.
#include "trace_builder_state.h"

#include <algorithm>
#include <set>

namespace olab {
namespace {

constexpr std::size_t kMaxDevices = 255;
constexpr std::size_t kMaxQueues = 65535;
constexpr std::size_t kMaxChannels = kNoChannel.value;

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

} // namespace olab
