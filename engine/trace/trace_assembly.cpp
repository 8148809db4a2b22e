// TraceBuilder's second pass: what can only be known when all records are there.
#include "trace_builder_state.h"

#include "radix_sort.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace olab {
namespace {

constexpr std::size_t kMaxChannels = kNoChannel.value;
constexpr std::size_t kLookAhead = 24; // rows fetched ahead when they are not read in their order

template <typename Key>
std::vector<Key> sortedWithin(const std::set<Key>& keys, std::size_t limit) {
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

// The op of each correlation; of several for one the last wins. CUPTI numbers them densely, so they mostly
// are an index.
class OpOfCorrelation {
public:
    explicit OpOfCorrelation(std::vector<CorrelatedOp> ops) {
        std::uint64_t highest = 0;
        for (const CorrelatedOp& tagged : ops)
            highest = std::max<std::uint64_t>(highest, tagged.correlation.number);
        if (highest < 8 * ops.size() + 1024) {
            m_dense.assign(static_cast<std::size_t>(highest) + 1, kNoOp.value);
            for (const CorrelatedOp& tagged : ops)
                m_dense[tagged.correlation.number] = tagged.op;
            return;
        }
        for (const CorrelatedOp& tagged : ops)
            m_sparse.emplace_back(tagged.correlation.number, tagged.op);
        std::stable_sort(m_sparse.begin(), m_sparse.end(), less); // the last one stays last of its group
    }
    std::uint32_t opOf(std::uint32_t correlation) const {
        if (!m_dense.empty())
            return correlation < m_dense.size() ? m_dense[correlation] : kNoOp.value;
        const auto after =
            std::upper_bound(m_sparse.begin(), m_sparse.end(), std::pair{correlation, 0u}, less);
        const bool known = after != m_sparse.begin() && std::prev(after)->first == correlation;
        return known ? std::prev(after)->second : kNoOp.value;
    }

private:
    static bool less(const std::pair<std::uint32_t, std::uint32_t>& a,
                     const std::pair<std::uint32_t, std::uint32_t>& b) {
        return a.first < b.first;
    }
    Column<std::uint32_t> m_dense;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_sparse;
};

// Gives what is used ids in order of first use.
class Renumbering {
public:
    explicit Renumbering(std::size_t size)
        : m_ids(size, kNoId) {}
    /// The new id of `old`; calls `isNew` when it had none.
    template <typename IsNew>
    std::uint32_t operator()(std::uint32_t old, IsNew isNew) {
        if (m_ids[old] == kNoId)
            m_ids[old] = isNew();
        return m_ids[old];
    }

private:
    std::vector<std::uint32_t> m_ids;
};

} // namespace

void TraceBuilder::State::resolveQueues() {
    for (const RawPlace& raw : places.keys()) {
        std::uint32_t device = raw.device;
        if (device == kNoNumber)
            if (const auto c = contexts.find({raw.process, raw.context}); c != contexts.end())
                device = c->second.device;
        if (const auto known = numberOfDevice.find({raw.process, device}); known != numberOfDevice.end())
            device = known->second;
        placeDevices.push_back(device);
    }
    for (std::uint32_t q = 0; q < queues.size(); ++q) {
        const RawQueue& raw = queues[q];
        const std::uint32_t device = raw.host ? kNoNumber : placeDevices[placeOf[q]];
        queueKeys.push_back({raw.host, device, raw.process, raw.context, raw.number});
    }
}

// A record of a synchronisation does not name its thread, and older files do not either; that of the call
// which waited does, by its correlation id: cudaDeviceSynchronize, but cudaFree or a blocking copy just as
// well.
void TraceBuilder::State::resolveThreads() {
    const auto isOfNobody = [this](const Row& row) {
        return !row.gone() && kindOf(row).cls == static_cast<std::uint8_t>(ActivityClass::Sync) &&
               row.correlation != 0 && queues[row.queue].number == kNoNumber;
    };
    if (kept[static_cast<std::size_t>(ActivityClass::Sync)] == 0)
        return;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> wanted; // correlation, queue of its call
    rows.each([&](Row& row) {
        if (isOfNobody(row))
            wanted.emplace_back(row.correlation, kNoId);
    });
    if (wanted.empty())
        return;
    std::ranges::sort(wanted);
    const auto find = [&wanted](std::uint32_t correlation) {
        const auto at = std::ranges::lower_bound(wanted, std::pair{correlation, 0u});
        return at != wanted.end() && at->first == correlation ? &*at : nullptr;
    };
    rows.each([&](Row& row) {
        if (!row.gone() && kindOf(row).cls == static_cast<std::uint8_t>(ActivityClass::Api) &&
            queues[row.queue].number != kNoNumber)
            if (auto* sync = find(row.correlation))
                sync->second = row.queue;
    });
    rows.each([&](Row& row) {
        if (isOfNobody(row))
            if (const auto* call = find(row.correlation); call->second != kNoId) {
                row.queue = call->second;
                someMoved = true;
            }
    });
}

void TraceBuilder::State::resolveOps() {
    if (correlations.empty())
        return;
    const OpOfCorrelation ops(std::exchange(correlations, {}));
    std::vector<bool> mayHaveOp;
    for (const RawKind& kind : kinds.keys())
        mayHaveOp.push_back(!kind.onHost() || kind.cls == static_cast<std::uint8_t>(ActivityClass::Api));
    rows.each([&](Row& row) {
        if (!row.gone() && mayHaveOp[row.kind] && row.op == kNoOp.value && row.correlation != 0)
            row.op = ops.opOf(row.correlation);
    });
}

template <typename Bad>
void TraceBuilder::State::refuseWhere(Bad bad, const char* detail) {
    rows.each([&](Row& row) {
        if (!row.gone() && bad(row))
            refuseRow(row, detail);
    });
}

template <typename Bad>
void TraceBuilder::State::refuseKinds(Bad bad, const char* detail) {
    std::vector<bool> isBad;
    for (const RawKind& kind : kinds.keys())
        isBad.push_back(bad(kind));
    refuseWhere([&isBad](const Row& row) { return isBad[row.kind]; }, detail);
}

void TraceBuilder::State::refuseUnspannable() {
    if (longerThanTime(first, last))
        refuseWhere([](const Row& row) { return row.begin < 0; }, "a time centuries before the others");
}

// All of them, unless rows were refused or moved: only then it takes a look at each row.
std::vector<bool> TraceBuilder::State::usedQueues() const {
    const bool look = someGone || someMoved;
    std::vector<bool> used(queues.size(), !look);
    if (look)
        rows.each([&used](const Row& row) {
            if (!row.gone())
                used[row.queue] = true;
        });
    return used;
}

std::vector<bool> TraceBuilder::State::usedChannels() const {
    std::vector<bool> used(channels.size(), !someGone);
    if (someGone)
        rows.each([this, &used](const Row& row) {
            if (!row.gone() && kindOf(row).channel != kNoId)
                used[kindOf(row).channel] = true;
        });
    return used;
}

void TraceBuilder::State::makeDevices(Trace& trace) {
    std::set<std::uint32_t> numbers;
    for (const auto& [number, device] : described)
        numbers.insert(number);
    const auto used = usedQueues();
    for (std::size_t q = 0; q < queueKeys.size(); ++q)
        if (used[q] && !queueKeys[q].host)
            numbers.insert(queueKeys[q].device);
    deviceNumbers = sortedWithin(numbers, kMaxDevices);
    for (const std::uint32_t device : placeDevices) // of what is refused below, any number will do
        deviceIndex.push_back(static_cast<std::uint8_t>(indexIn(deviceNumbers, device).value_or(0)));
    if (deviceNumbers.size() < numbers.size())
        refuseKinds(
            [this](const RawKind& kind) {
                return !kind.onHost() && !indexIn(deviceNumbers, placeDevices[kind.place]);
            },
            "more than 255 devices");
    for (const std::uint32_t number : deviceNumbers) {
        const auto known = described.find(number);
        trace.m_devices.push_back(known != described.end() ? known->second : DeviceRecord{});
        trace.m_devices.back().device = number;
    }
}

Queue TraceBuilder::State::describe(const QueueKey& key) const {
    const Local context{key.process, key.context};
    Queue q;
    q.number = key.number;
    q.process = key.process;
    if (key.host) {
        q.kind = Queue::Kind::HostThread;
        return q;
    }
    q.device = static_cast<std::uint8_t>(*indexIn(deviceNumbers, key.device));
    q.context = key.context;
    if (const auto s = streams.find({context, key.number}); s != streams.end()) {
        q.priority = s->second.priority;
        q.streamKind =
            static_cast<StreamKind>(knownOr(s->second.kind, StreamKind::Null, StreamKind::Unknown));
    }
    const auto c = contexts.find(context);
    if (c != contexts.end() && key.number != kNoNumber && c->second.nullStream == key.number)
        q.streamKind = StreamKind::Null;
    return q;
}

void TraceBuilder::State::makeQueues(Trace& trace) {
    std::set<QueueKey> keys;
    const auto used = usedQueues();
    for (std::size_t q = 0; q < queueKeys.size(); ++q)
        if (used[q])
            keys.insert(queueKeys[q]);
    findStreams(keys);
    const auto sorted = sortedWithin(keys, kMaxQueues);
    for (const QueueKey& key : queueKeys)
        queueIds.push_back(static_cast<std::uint16_t>(indexIn(sorted, key).value_or(0)));
    if (sorted.size() < keys.size()) {
        std::vector<bool> isLost;
        for (const QueueKey& key : queueKeys)
            isLost.push_back(!indexIn(sorted, key));
        refuseWhere([&isLost](const Row& row) { return isLost[row.queue]; },
                    "more than 65535 streams and threads");
    }
    for (const auto& key : streamKeys) {
        const auto id = key ? indexIn(sorted, *key) : std::nullopt;
        streamIds.push_back(id ? static_cast<std::uint16_t>(*id) : kNoQueue.value);
    }
    for (const QueueKey& key : sorted) {
        trace.m_queues.push_back(describe(key));
        trace.m_severalProcesses = trace.m_severalProcesses || key.process != sorted.front().process;
    }
}

void TraceBuilder::State::makeChannels(Trace& trace) {
    const auto keyOf = [this](const RawChannel& c) {
        return ChannelKey{placeDevices[c.place], c.number, c.type};
    };
    std::set<ChannelKey> keys;
    const auto used = usedChannels();
    for (std::uint32_t c = 0; c < channels.size(); ++c)
        if (used[c])
            keys.insert(keyOf(channels[c]));
    const auto sorted = sortedWithin(keys, kMaxChannels);
    for (const RawChannel& raw : channels.keys())
        channelIds.push_back(
            static_cast<std::uint16_t>(indexIn(sorted, keyOf(raw)).value_or(kNoChannel.value)));
    if (sorted.size() < keys.size())
        refuseKinds(
            [&](const RawKind& kind) {
                return kind.channel != kNoId && !indexIn(sorted, keyOf(channels[kind.channel]));
            },
            "more than 65535 channels");
    for (const auto& [device, number, type] : sorted)
        trace.m_channels.push_back({static_cast<std::uint8_t>(*indexIn(deviceNumbers, device)), number,
                                    static_cast<ChannelType>(type)});
}

// The documented order first; then every other field but the geometry, so that the order of arrival never
// shows.
bool TraceBuilder::State::before(const Row& x, const Row& y) const {
    if (x.begin != y.begin)
        return x.begin < y.begin;
    const auto key = [this](const Row& r) {
        const RawKind& kind = kindOf(r);
        const auto channel = kind.channel == kNoId ? kNoChannel.value : channelIds[kind.channel];
        return std::tuple(r.end, r.correlation, r.op, kind.cls, queueIds[r.queue], kind.bytes, channel,
                          kind.memory, kind.flags);
    };
    if (const auto order = key(x) <=> key(y); order != 0)
        return order < 0;
    const std::uint32_t name = kindOf(x).name, other = kindOf(y).name;
    return name != other && namedBefore(name, other);
}

// Sorted once: rows that differ in nothing else would have two long names compared over and over.
bool TraceBuilder::State::namedBefore(std::uint32_t a, std::uint32_t b) const {
    if (nameRanks.empty()) {
        std::vector<std::uint32_t> order(names.size());
        std::iota(order.begin(), order.end(), 0u);
        std::ranges::sort(order, {}, [this](std::uint32_t id) -> const std::string& { return names[id]; });
        nameRanks.resize(order.size());
        for (std::uint32_t rank = 0; rank < order.size(); ++rank)
            nameRanks[order[rank]] = rank;
    }
    return nameRanks[a] < nameRanks[b];
}

bool TraceBuilder::State::inOrder() const {
    if (falling || someGone)
        return false;
    bool sorted = true;
    const Row* earlier = nullptr;
    rows.each([&](const Row& row) {
        sorted = sorted && (!earlier || !before(row, *earlier));
        earlier = &row;
    });
    return sorted;
}

/// The numbers of the rows that are kept, in their final order.
Column<std::uint32_t> TraceBuilder::State::order() const {
    Ns earliest = std::numeric_limits<Ns>::max(), latest = std::numeric_limits<Ns>::min();
    rows.each([&](const Row& row) {
        earliest = row.gone() ? earliest : std::min(earliest, row.begin);
        latest = row.gone() ? latest : std::max(latest, row.begin);
    });
    if (latest < earliest)
        return {};
    const auto sinceBits = static_cast<unsigned>(
        std::bit_width(static_cast<std::uint64_t>(latest) - static_cast<std::uint64_t>(earliest)));
    const auto rowBits = static_cast<unsigned>(std::bit_width(rows.size()));
    return sinceBits + rowBits <= 64 ? orderBy<PackedKey>(earliest, sinceBits, rowBits)
                                     : orderBy<WideKey>(earliest, sinceBits, rowBits);
}

template <typename Key>
Column<std::uint32_t> TraceBuilder::State::orderBy(Ns earliest, unsigned sinceBits, unsigned rowBits) const {
    Column<Key> keys;
    keys.reserve(rows.size());
    std::uint32_t i = 0;
    rows.each([&](const Row& row) {
        if (!row.gone())
            keys.push_back(Key::of(
                static_cast<std::uint64_t>(row.begin) - static_cast<std::uint64_t>(earliest), i, rowBits));
        ++i;
    });
    radixSort(keys, sinceBits, [rowBits](const Key& k) { return k.since(rowBits); });
    sortTies(keys, rowBits);
    Column<std::uint32_t> sorted(keys.size());
    std::transform(keys.begin(), keys.end(), sorted.begin(), [&](const Key& k) { return k.row(rowBits); });
    return sorted;
}

template <typename Key>
void TraceBuilder::State::sortTies(Column<Key>& keys, unsigned rowBits) const {
    const auto less = [&](const Key& a, const Key& b) {
        const Row &x = rows[a.row(rowBits)], &y = rows[b.row(rowBits)];
        // As they came when nothing tells them apart.
        return before(x, y) || (a.row(rowBits) < b.row(rowBits) && !before(y, x));
    };
    for (auto from = keys.begin(); from != keys.end();) {
        auto to = std::next(from);
        while (to != keys.end() && to->since(rowBits) == from->since(rowBits))
            ++to;
        if (to - from > 1)
            std::sort(from, to, less);
        from = to;
    }
}

namespace {

template <typename T>
T* sized(Column<T>& column, std::size_t n) {
    column.resize(n);
    return column.data();
}

struct KindHash {
    std::size_t operator()(const ActivityKind& k) const {
        return mixed(mixed(mixed(std::uint64_t{k.channel.value} << 32 | k.name.value, k.geometry),
                           static_cast<std::uint64_t>(k.bytes) ^ std::uint64_t{k.device} << 56 ^
                               static_cast<std::uint64_t>(k.engine) << 48),
                     static_cast<std::uint64_t>(k.cls) << 16 | std::uint64_t{k.memory} << 8 | k.flags);
    }
};

} // namespace

// Rows in their final order into the columns of a trace. What many share is finished once for all of them.
class TraceBuilder::State::ColumnMaker {
public:
    ColumnMaker(State& state, Trace& trace, std::size_t n)
        : m_state(state)
        , m_trace(trace)
        , m_cls(sized(trace.m_cls, n))
        , m_kindIds(state.kinds.size())
        , m_nameIds(state.names.size())
        , m_geometryIds(state.geometry.size()) {
        trace.m_begin.reserve(n), trace.m_length.reserve(n);
        trace.m_correlation.reserve(n), trace.m_op.reserve(n);
        trace.m_kind.resize(n, state.kinds.size());
        trace.m_queue.resize(n, trace.m_queues.size());
        m_nameIds(0, [] { return 0u; });
    }
    void put(const Row& row) {
        m_trace.m_begin.push_back(row.begin);
        m_trace.m_length.push_back(row.end - row.begin);
        m_trace.m_correlation.push_back(row.correlation - 1);
        m_trace.m_op.push_back(row.op);
        m_hasOp = m_hasOp || row.op != kNoOp.value;
        m_trace.m_queue.set(m_at, m_state.queueIds[row.queue]);
        m_trace.m_kind.set(m_at,
                           m_kindIds(row.kind, [&] { return m_kinds.idOf(finished(m_state.kindOf(row))); }));
        m_cls[m_at++] = static_cast<ActivityClass>(m_state.kindOf(row).cls);
    }
    void finish() {
        if (!m_hasOp)
            m_trace.m_op = {};
        m_trace.m_op.fit();
        m_trace.m_correlation.fit();
        m_trace.m_kinds = m_kinds.takeKeys();
        m_trace.m_kind.fit(m_trace.m_kinds.size());
    }

private:
    ActivityKind finished(const RawKind& raw) {
        ActivityKind kind;
        kind.cls = static_cast<ActivityClass>(raw.cls);
        kind.bytes = raw.bytes;
        kind.memory = raw.memory, kind.flags = raw.flags;
        kind.name.value = m_nameIds(raw.name, [&] {
            m_trace.m_strings.push_back(m_state.names[raw.name]);
            return static_cast<std::uint32_t>(m_trace.m_strings.size() - 1);
        });
        kind.device = raw.onHost() ? std::uint8_t{0} : m_state.deviceIndex[raw.place];
        const bool hasChannel = raw.channel != kNoId;
        kind.channel.value = hasChannel ? m_state.channelIds[raw.channel] : kNoChannel.value;
        kind.engine =
            engineOf(kind.cls, hasChannel ? static_cast<ChannelType>(m_state.channels[raw.channel].type)
                                          : ChannelType::Unknown);
        if (raw.geometry != kNoId)
            kind.geometry = m_geometryIds(raw.geometry, [&] {
                m_trace.m_geometry.push_back(m_state.geometry[raw.geometry]);
                return static_cast<std::uint32_t>(m_trace.m_geometry.size() - 1);
            });
        return kind;
    }

    State& m_state;
    Trace& m_trace;
    ActivityClass* m_cls;
    std::size_t m_at = 0;
    bool m_hasOp = false;
    KeyTable<ActivityKind, KindHash> m_kinds;
    Renumbering m_kindIds, m_nameIds, m_geometryIds;
};

void TraceBuilder::State::makeColumns(Trace& trace) {
    const bool asTheyCame = inOrder();
    const Column<std::uint32_t> sorted = asTheyCame ? Column<std::uint32_t>() : order();
    const std::size_t n = asTheyCame ? rows.size() : sorted.size();
    ColumnMaker columns(*this, trace, n);
    if (asTheyCame) // then their memory goes while that of the columns comes
        rows.drain([&](const Row& row) { columns.put(row); });
    else
        for (std::size_t i = 0; i < n; ++i) {
            __builtin_prefetch(&rows[sorted[std::min(i + kLookAhead, n - 1)]]);
            columns.put(rows[sorted[i]]);
        }
    columns.finish();
    rows = {};
    trace.m_counts = {n + refused, n, refused};
}

namespace {

void extend(std::optional<Interval>& span, Interval with) {
    span = span ? Interval{std::min(span->begin, with.begin), std::max(span->end, with.end)} : with;
}

} // namespace

void TraceBuilder::State::makeSpans(Trace& trace) const {
    std::optional<Interval> all, device;
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        extend(all, trace.time(i));
        if (isDeviceClass(trace.cls(i)))
            extend(device, trace.time(i));
    }
    trace.m_span = all.value_or(Interval{});
    trace.m_deviceSpan = device.value_or(Interval{});
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
    for (auto& [number, process] : processes)
        trace.m_processes.push_back(std::move(process));
    for (auto& [number, rank] : ranks)
        trace.m_ranks.push_back(std::move(rank));
    for (auto& [key, defect] : defects)
        trace.m_defects.push_back(std::move(defect));
}

Trace TraceBuilder::State::finish() {
    Trace trace;
    resolveClocks();
    separateCorrelations();
    separateEvents();
    resolveThreads();
    resolveDevices();
    resolveQueues();
    resolveOps();
    refuseUnspannable();
    makeDevices(trace);
    makeQueues(trace);
    makeChannels(trace);
    makeColumns(trace);
    makeStreamCalls(trace);
    makeSpans(trace);
    makeFacts(trace);
    return trace;
}

} // namespace olab
