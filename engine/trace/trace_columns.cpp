// TraceBuilder's second pass, last part: the order of all rows, and the columns of a trace in that order.
// Both visit every row, so they process blocks of rows in parallel.
#include "trace_builder_state.h"

#include "radix_sort.h"

#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>

namespace olab {

// The documented order first; then every other field except the geometry, so that the order of arrival never
// matters.
std::strong_ordering TraceBuilder::State::inAllButName(const Row& x, const Row& y) const {
    if (x.begin != y.begin)
        return x.begin <=> y.begin;
    const auto key = [this](const Row& r) {
        const RawKind& kind = kindOf(r);
        const auto channel = kind.channel == kNoId ? kNoChannel.value : channelIds[kind.channel];
        return std::tuple(r.end, r.correlation, r.op, kind.cls, queueIds[r.queue], kind.bytes, channel,
                          kind.memory, kind.flags);
    };
    return key(x) <=> key(y);
}

bool TraceBuilder::State::before(const Row& x, const Row& y) const {
    if (const auto order = inAllButName(x, y); order != 0)
        return order < 0;
    const std::uint32_t name = kindOf(x).name, other = kindOf(y).name;
    return name != other && namedBefore(name, other);
}

// Sorted once: otherwise long names would be compared repeatedly for rows that differ in nothing else.
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

/// Names are needed on one thread, at the end, and rarely.
bool TraceBuilder::State::inOrder() const {
    if (falling || someGone)
        return false;
    std::vector<std::vector<std::size_t>> byName(rows.blocks()); // rows that may differ only in the name
    std::atomic<bool> sorted = true;
    sideBySide(rows.blocks(), threadsFor(rows.size()), [&](std::size_t block) {
        std::size_t i = block * rows.kBlock;
        const Row* earlier = i > 0 ? &rows[i - 1] : nullptr;
        for (const Row& row : rows.block(block)) {
            const auto order = earlier ? inAllButName(*earlier, row) : std::strong_ordering::less;
            if (order == 0)
                byName[block].push_back(i);
            else if (order > 0)
                sorted = false;
            earlier = &row;
            ++i;
        }
    });
    for (const auto& numbers : byName)
        for (const std::size_t i : numbers)
            sorted = sorted && !before(rows[i], rows[i - 1]);
    return sorted;
}

/// The numbers of the rows that are kept, in their final order.
Column<std::uint32_t> TraceBuilder::State::order() const {
    constexpr Interval kNone{std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};
    std::vector<Interval> begins(rows.blocks(), kNone); // the earliest and the latest of each block
    std::vector<std::size_t> starts(rows.blocks() + 1); // of the first row kept in a block
    sideBySide(rows.blocks(), threadsFor(rows.size()), [&](std::size_t block) {
        Interval of = kNone; // written once at the end, to avoid false sharing
        std::size_t count = 0;
        for (const Row& row : rows.block(block))
            if (!row.gone()) {
                of = {std::min(of.begin, row.begin), std::max(of.end, row.begin)};
                ++count;
            }
        begins[block] = of, starts[block + 1] = count;
    });
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    if (starts.back() == 0)
        return {};
    const Ns earliest = std::ranges::min(begins, {}, &Interval::begin).begin;
    const Ns latest = std::ranges::max(begins, {}, &Interval::end).end;
    const auto sinceBits = static_cast<unsigned>(
        std::bit_width(static_cast<std::uint64_t>(latest) - static_cast<std::uint64_t>(earliest)));
    const auto rowBits = static_cast<unsigned>(std::bit_width(rows.size()));
    return sinceBits + rowBits <= 64 ? orderBy<PackedKey>(earliest, sinceBits, rowBits, starts)
                                     : orderBy<WideKey>(earliest, sinceBits, rowBits, starts);
}

template <typename Key>
Column<std::uint32_t> TraceBuilder::State::orderBy(Ns earliest, unsigned sinceBits, unsigned rowBits,
                                                   std::span<const std::size_t> starts) const {
    Column<Key> keys(starts.back());
    const std::size_t threads = threadsFor(keys.size());
    sideBySide(rows.blocks(), threads, [&](std::size_t block) {
        std::size_t place = starts[block];
        auto i = static_cast<std::uint32_t>(block * rows.kBlock);
        for (const Row& row : rows.block(block)) {
            if (!row.gone())
                keys[place++] = Key::of(
                    static_cast<std::uint64_t>(row.begin) - static_cast<std::uint64_t>(earliest), i, rowBits);
            ++i;
        }
    });
    radixSort(keys, sinceBits, [rowBits](const Key& k) { return k.since(rowBits); });
    sortTies(keys, rowBits);
    Column<std::uint32_t> sorted(keys.size());
    sideBySide(threads, threads, [&](std::size_t part) {
        const Stretch stretch = stretchOf(part, threads, keys.size());
        for (std::size_t i = stretch.begin; i < stretch.end; ++i)
            sorted[i] = keys[i].row(rowBits);
    });
    return sorted;
}

template <typename Key>
void TraceBuilder::State::sortTies(Column<Key>& keys, unsigned rowBits) const {
    const auto less = [&](const Key& a, const Key& b) {
        const Row &x = rows[a.row(rowBits)], &y = rows[b.row(rowBits)];
        // In order of arrival if they are otherwise equal.
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

constexpr std::size_t kLookAhead = 24; // rows prefetched when they are not read in order

// Assigns ids in order of first use.
class Renumbering {
public:
    explicit Renumbering(std::size_t size)
        : m_ids(size, kNoId) {}
    /// The new id of `old`; calls `isNew` if it had none.
    template <typename IsNew>
    std::uint32_t operator()(std::uint32_t old, IsNew isNew) {
        if (m_ids[old] == kNoId)
            m_ids[old] = isNew();
        return m_ids[old];
    }
    std::uint32_t operator[](std::uint32_t old) const { return m_ids[old]; }

private:
    std::vector<std::uint32_t> m_ids;
};

struct KindHash {
    std::size_t operator()(const ActivityKind& k) const {
        return mixed(mixed(mixed(std::uint64_t{k.channel.value} << 32 | k.name.value, k.geometry),
                           static_cast<std::uint64_t>(k.bytes) ^ std::uint64_t{k.device} << 56 ^
                               static_cast<std::uint64_t>(k.engine) << 48),
                     static_cast<std::uint64_t>(k.cls) << 16 | std::uint64_t{k.memory} << 8 | k.flags);
    }
};

void extend(std::optional<Interval>& span, Interval with) {
    span = span ? Interval{std::min(span->begin, with.begin), std::max(span->end, with.end)} : with;
}

} // namespace

// Rows in their final order into the columns of a trace. Shared data is processed once for all of them.
class TraceBuilder::State::ColumnMaker {
public:
    /// `sorted`: the numbers of the rows; empty: all of them, in order of arrival.
    ColumnMaker(State& state, Trace& trace, Column<std::uint32_t>&& sorted)
        : m_state(state)
        , m_trace(trace)
        , m_sorted(std::move(sorted))
        , m_size(m_sorted.empty() ? state.rows.size() : m_sorted.size())
        , m_parts((m_size + kPart - 1) / kPart)
        , m_kindIds(state.kinds.size())
        , m_nameIds(state.names.size())
        , m_geometryIds(state.geometry.size()) {
        m_nameIds(0, [] { return 0u; });
    }
    void make() {
        const std::size_t threads = threadsFor(m_size);
        sideBySide(m_parts.size(), threads, [this](std::size_t part) { findKinds(part); });
        for (Part& part : m_parts)
            for (const std::uint32_t kind : part.kinds)
                m_kindIds(kind, [&] { return m_kinds.idOf(finished(m_state.kinds[kind])); });
        m_trace.m_kinds = m_kinds.takeKeys();
        m_hasOp = std::ranges::any_of(m_parts, &Part::hasOp);
        size();
        sideBySide(m_parts.size(), threads, [this](std::size_t part) { fill(part); });
        m_state.rows = {}; // before the parts are joined
        m_sorted = {};
        join();
    }

private:
    static constexpr std::size_t kPart = BlockList<Row>::kBlock;
    static_assert(kPart % NearColumn::kGroup == 0 && kPart % AscendingColumn::kGroup == 0);
    using Longs = std::vector<std::pair<std::size_t, Ns>>;
    struct Part {
        std::vector<std::uint32_t> kinds; // raw, in order of first use
        NearColumn correlation, op;
        Longs begins, lengths; // that do not fit into 4 bytes
        bool hasOp = false;
        std::optional<Interval> all, device;
    };

    /// Calls `visit` with the place and the row of each item of a part.
    template <typename Visit>
    void eachRow(std::size_t part, Visit visit) {
        std::size_t i = part * kPart;
        if (m_sorted.empty()) {
            for (const Row& row : m_state.rows.block(part))
                visit(i++, row);
            return;
        }
        for (const std::size_t end = std::min(i + kPart, m_size); i < end; ++i) {
            __builtin_prefetch(&m_state.rows[m_sorted[std::min(i + kLookAhead, end - 1)]]);
            visit(i, m_state.rows[m_sorted[i]]);
        }
    }
    void findKinds(std::size_t part) {
        std::vector<bool> seen(m_state.kinds.size());
        std::vector<std::uint32_t> kinds;
        bool hasOp = false;
        eachRow(part, [&](std::size_t, const Row& row) {
            hasOp = hasOp || row.op != kNoOp.value;
            if (seen[row.kind])
                return;
            seen[row.kind] = true;
            kinds.push_back(row.kind);
        });
        m_parts[part].kinds = std::move(kinds);
        m_parts[part].hasOp = hasOp;
    }
    void size() {
        m_trace.m_begin.resize(m_size), m_trace.m_length.resize(m_size);
        m_trace.m_cls.resize(m_size);
        m_trace.m_kind.resize(m_size, m_trace.m_kinds.size());
        m_trace.m_queue.resize(m_size, m_trace.m_queues.size());
    }
    void fill(std::size_t number) {
        Part part;
        part.correlation.reserve(kPart), part.op.reserve(m_hasOp ? kPart : 0);
        if (m_hasOp)
            eachRow(number, [&](std::size_t i, const Row& row) { put<true>(i, row, part); });
        else
            eachRow(number, [&](std::size_t i, const Row& row) { put<false>(i, row, part); });
        m_parts[number] = std::move(part);
        if (m_sorted.empty()) // their memory is then released while the columns grow
            m_state.rows.release(number);
    }
    template <bool hasOp>
    void put(std::size_t i, const Row& row, Part& part) {
        const Ns length = row.end - row.begin;
        if (!m_trace.m_begin.set(i, row.begin))
            part.begins.emplace_back(i, row.begin);
        if (!m_trace.m_length.set(i, length))
            part.lengths.emplace_back(i, length);
        part.correlation.push_back(row.correlation - 1);
        if constexpr (hasOp)
            part.op.push_back(row.op);
        const std::uint32_t kind = m_kindIds[row.kind];
        const ActivityClass cls = m_trace.m_kinds[kind].cls;
        m_trace.m_queue.set(i, m_state.queueIds[row.queue]);
        m_trace.m_kind.set(i, kind);
        m_trace.m_cls[i] = cls;
        extend(part.all, {row.begin, row.end});
        if (isDeviceClass(cls))
            extend(part.device, {row.begin, row.end});
    }
    void join() {
        std::optional<Interval> all, device;
        m_trace.m_correlation.reserve(m_size), m_trace.m_op.reserve(m_hasOp ? m_size : 0);
        for (Part& part : m_parts) {
            m_trace.m_correlation.append(part.correlation);
            if (m_hasOp)
                m_trace.m_op.append(part.op);
            for (const auto& [i, begin] : part.begins)
                m_trace.m_begin.addLong(i, begin);
            for (const auto& [i, length] : part.lengths)
                m_trace.m_length.addLong(i, length);
            if (part.all)
                extend(all, *part.all);
            if (part.device)
                extend(device, *part.device);
            part = {};
        }
        m_trace.m_op.fit();
        m_trace.m_correlation.fit();
        m_trace.m_span = all.value_or(Interval{});
        m_trace.m_deviceSpan = device.value_or(Interval{});
    }
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
    Column<std::uint32_t> m_sorted;
    const std::size_t m_size;
    std::vector<Part> m_parts;
    bool m_hasOp = false;
    KeyTable<ActivityKind, KindHash> m_kinds;
    Renumbering m_kindIds, m_nameIds, m_geometryIds;
};

void TraceBuilder::State::makeColumns(Trace& trace) {
    const bool asTheyCame = inOrder();
    Column<std::uint32_t> sorted = asTheyCame ? Column<std::uint32_t>() : order();
    const std::size_t n = asTheyCame ? rows.size() : sorted.size();
    if (n > 0)
        ColumnMaker(*this, trace, std::move(sorted)).make();
    trace.m_counts = {n + counted + refused, n + counted, refused};
}

} // namespace olab
