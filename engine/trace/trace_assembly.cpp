// TraceBuilder's second pass: everything that requires all records.
#include "trace_builder_state.h"

#include <algorithm>

namespace olab {
namespace {

constexpr std::size_t kMaxChannels = kNoChannel.value;

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

// The op of each correlation; the last of several wins. CUPTI numbers them densely, so they can mostly be
// used as an index.
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

// A synchronisation record has no thread, nor have older files; the waiting call with the same correlation id
// has one: cudaDeviceSynchronize, but also cudaFree or a blocking copy.
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

// All of them, unless rows were refused or moved: only then each row is checked.
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
    for (const std::uint32_t device : placeDevices) // for rows refused below, any number will do
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

void TraceBuilder::State::makeFacts(Trace& trace) {
    std::stable_sort(solos.begin(), solos.end(),
                     [](const auto& a, const auto& b) { return a.solo < b.solo; });
    std::stable_sort(windows.begin(), windows.end(), [](const auto& a, const auto& b) {
        return std::tie(a.begin, a.end, a.traced) < std::tie(b.begin, b.end, b.traced);
    });
    trace.m_solos = std::move(solos);
    trace.m_windows = std::move(windows);
    trace.m_environment = std::move(environment);
    trace.m_provenance = std::move(provenance).value_or(ProvenanceRecord{});
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
    makeFacts(trace);
    return trace;
}

} // namespace olab
