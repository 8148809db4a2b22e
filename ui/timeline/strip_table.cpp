#include <olab/ui/strip_table.h>

#include <utility>

namespace olab {

namespace {

constexpr std::size_t kMostSlots = std::size_t{1} << 26; // for more, the sums of rows get too coarse
constexpr Ns kRoundings = 128;                           // of a sum, that a column must be longer than
constexpr std::size_t kFewestSlots = 16;
constexpr double kBurstBytes = 0.5;

/// Compilers make one instruction of it where there is one.
[[gnu::always_inline]] inline Ns countOnes(std::uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return static_cast<Ns>(bits * 0x0101010101010101u >> 56);
}

} // namespace

/// The things of one crowded slot.
struct StripTable::Burst {
    std::size_t first;
    StripTable table;
};

Times::Times(std::span<const Interval> intervals)
    : m_begins(intervals.empty() ? nullptr : &intervals.front().begin)
    , m_ends(intervals.empty() ? nullptr : &intervals.front().end)
    , m_shift(1)
    , m_count(intervals.size()) {}

Times Times::part(std::size_t first, std::size_t count) const {
    Times part = *this;
    part.m_begins += first << m_shift;
    part.m_ends += first << m_shift;
    part.m_count = count;
    return part;
}

std::size_t Times::firstFrom(Ns t, std::size_t first, std::size_t last) const {
    while (first < last) {
        const std::size_t middle = first + (last - first) / 2;
        if (begin(middle) < t)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

StripTable::StripTable(const Times& times, const Layers& layers, double bytes)
    : m_times(times)
    , m_layers(layers) {
    cutIntoSlots(bytes);
    fillRows();
    addBursts(bytes);
}

void StripTable::cutIntoSlots(double bytes) {
    const std::size_t n = m_times.size();
    m_origin = n == 0 ? 0 : m_times.begin(0);
    const std::uint64_t span = n == 0 ? 0 : since(m_times.begin(n - 1));
    const auto rowBytes = static_cast<double>(sizeof(std::uint32_t) * rowLength());
    const auto wanted = static_cast<std::size_t>(static_cast<double>(n) * bytes / rowBytes);
    // What is crowded gets several slots, or tables within tables would have no end.
    const std::size_t most = std::clamp<std::size_t>(wanted, n > kLong ? kFewestSlots : 1, kMostSlots);
    m_step = span / most / kSteps + 1;
    m_slot = m_step * kSteps;
    m_perStep = 1.0 / static_cast<double>(m_step);
    m_perSlot = 1.0 / static_cast<double>(m_slot);
    m_slots = static_cast<std::size_t>(span / m_slot) + 1;
    const int bits = n == 0 ? 0 : std::bit_width(since(m_times.end(n - 1)));
    m_unit = static_cast<unsigned>(std::max(0, bits - 32));
}

/// Fills the rows from left to right.
class StripTable::RowMaker {
public:
    explicit RowMaker(StripTable& table)
        : m_table(table)
        , m_out(table.m_rows.data())
        , m_end(m_out + table.m_rows.size())
        , m_border(0) {
        startRow(0);
    }
    void take(std::size_t i, std::size_t layer, std::uint64_t begin, std::uint64_t end) {
        while (m_border <= begin)
            nextRow(i);
        for (; end > m_border && m_out != m_end; begin = m_border - m_table.m_slot) {
            cover(m_layers[layer], begin, m_border);
            nextRow(i + 1);
        }
        if (m_out != m_end)
            cover(m_layers[layer], begin, end);
        else // behind the last row nothing is kept but the sum
            m_layers[layer].sum += static_cast<Ns>(end - begin);
    }
    void finish() {
        while (m_out != m_end)
            nextRow(m_table.m_times.size());
    }

private:
    struct Layer {
        Ns sum = 0;
        std::uint64_t bits = 0, step = 0; ///< `step`: the one that is not yet decided
        std::int64_t owed = 0;            ///< busy time not yet told by bits, up to `step`
        std::int64_t inStep = 0;
    };

    void startRow(std::size_t begun) {
        m_out[0] = static_cast<std::uint32_t>(begun);
        for (std::size_t layer = 0; layer < m_table.m_layers.count; ++layer)
            m_out[1 + layer * kLayerWords] =
                static_cast<std::uint32_t>(m_layers[layer].sum >> m_table.m_unit);
        m_border += m_table.m_slot;
    }
    void nextRow(std::size_t begun) {
        for (std::size_t i = 0; i < m_table.m_layers.count; ++i) {
            Layer& layer = m_layers[i];
            decide(layer);
            m_out[2 + i * kLayerWords] = static_cast<std::uint32_t>(layer.bits);
            m_out[3 + i * kLayerWords] = static_cast<std::uint32_t>(layer.bits >> 32);
            layer.bits = layer.step = 0;
            layer.owed = 0; // the next row's sum is exact again
        }
        m_out += m_table.rowLength();
        if (m_out != m_end)
            startRow(begun);
    }
    /// Whether the bit of the step that ends is set: so that what is owed stays within half a step.
    void decide(Layer& layer) {
        const auto step = static_cast<std::int64_t>(m_table.m_step);
        layer.owed += std::exchange(layer.inStep, 0);
        if (2 * layer.owed < step)
            return;
        layer.bits |= std::uint64_t{1} << layer.step;
        layer.owed -= step;
    }
    /// All of [begin, end) lies in the row being made.
    void cover(Layer& layer, std::uint64_t begin, std::uint64_t end) {
        layer.sum += static_cast<Ns>(end - begin);
        const std::uint64_t row = m_border - m_table.m_slot;
        const auto stepAt = [&](std::uint64_t time) {
            return std::min<std::uint64_t>(scaled(time - row, m_table.m_perStep), kSteps - 1);
        };
        const std::uint64_t first = std::max(stepAt(begin), layer.step), last = std::max(stepAt(end), first);
        if (first > layer.step) {
            decide(layer);
            layer.step = first;
        }
        const auto beginOf = [&](std::uint64_t step) {
            return static_cast<std::int64_t>(row + step * m_table.m_step);
        };
        if (last > first) {
            layer.inStep += beginOf(first + 1) - static_cast<std::int64_t>(begin);
            decide(layer);
            layer.bits |= (std::uint64_t{1} << last) - (std::uint64_t{2} << first); // those between are full
            layer.step = last;
            begin = static_cast<std::uint64_t>(beginOf(last));
        }
        layer.inStep += static_cast<std::int64_t>(end) - static_cast<std::int64_t>(begin);
    }

    StripTable& m_table;
    std::uint32_t* m_out;
    std::uint32_t* const m_end;
    std::uint64_t m_border; ///< the end of the row being made, from the origin
    std::array<Layer, kClassCount> m_layers;
};

void StripTable::fillRows() {
    m_rows.resize((m_slots + 1) * rowLength());
    RowMaker rows(*this);
    for (std::size_t i = 0; i < m_times.size(); ++i)
        rows.take(i, m_layers(i), since(m_times.begin(i)), since(m_times.end(i)));
    rows.finish();
}

void StripTable::addBursts(double bytes) {
    for (std::size_t slot = 0; slot < m_slots; ++slot) {
        const std::size_t first = row(slot)[0], last = row(slot + 1)[0];
        if (last - first <= kLong || m_times.begin(last - 1) == m_times.begin(first))
            continue; // few, or all at one time
        Layers layers = m_layers;
        if (layers.count > 1)
            layers.activities = layers.activities.subspan(first, last - first);
        const Times times = m_times.part(first, last - first);
        m_bursts.emplace_back(slot, std::make_shared<const Burst>(Burst{
                                        first, StripTable(times, layers, std::min(bytes, kBurstBytes))}));
    }
}

const StripTable::Burst* StripTable::burstIn(std::size_t slot) const {
    const auto at = std::ranges::lower_bound(m_bursts, slot, {}, [](const auto& b) { return b.first; });
    return at != m_bursts.end() && at->first == slot ? at->second.get() : nullptr;
}

std::size_t StripTable::position(Ns t) const {
    if (t <= m_origin)
        return 0;
    return m_times.firstFrom(t, least(t), most(t));
}

std::size_t StripTable::before(Ns t, Sums& sums) const {
    const std::size_t slot = slotOf(t);
    const std::uint32_t* const known = row(slot);
    for (std::size_t layer = 0; layer < m_layers.count; ++layer)
        sums[layer] = static_cast<Ns>(known[1 + layer * kLayerWords]) << m_unit;
    std::size_t at = known[0];
    if (t <= m_origin)
        return at;
    if (const Ns begin = slotBegin(slot); at > 0 && m_times.end(at - 1) > begin) // reaches in
        sums[m_layers(at - 1)] += std::min(m_times.end(at - 1), t) - begin;
    const std::size_t last = row(std::min(slot + 1, m_slots))[0];
    if (last - at > kLong) {
        if (const Burst* burst = burstIn(slot)) {
            Sums more{};
            at = burst->first + burst->table.before(t, more);
            for (std::size_t layer = 0; layer < m_layers.count; ++layer)
                sums[layer] += more[layer];
            return at;
        }
        if (m_times.begin(at) >= t) // all of them begin at one time
            return at;
    }
    for (; at < last && m_times.begin(at) < t; ++at)
        add(t, at, sums);
    return at;
}

[[gnu::always_inline]] inline void StripTable::estimateInside(Ns t, Ns* sums) const {
    const std::uint64_t time = t <= m_origin ? 0 : since(t), slot = slotAt(time);
    const std::uint32_t* known = row(slot) + 1;
    const std::uint64_t inSlot = time - slot * m_slot;
    const auto step = std::min<std::uint64_t>(scaled(inSlot, m_perStep), kSteps - 1);
    const auto inStep = static_cast<Ns>(inSlot - std::min(inSlot, step * m_step));
    for (std::size_t layer = 0; layer < m_layers.count; ++layer, known += kLayerWords) {
        const std::uint64_t bits = known[1] | std::uint64_t{known[2]} << 32;
        const Ns whole = countOnes(bits & ((std::uint64_t{1} << step) - 1)) * stepLength();
        sums[layer] =
            (static_cast<Ns>(known[0]) << m_unit) + whole + (-static_cast<Ns>(bits >> step & 1) & inStep);
    }
}

void StripTable::estimate(Ns t, Ns* sums) const {
    if (slotOf(t) < m_slots)
        return estimateInside(t, sums);
    Sums exact; // behind the last row there are no bits
    before(t, exact);
    std::copy_n(exact.begin(), m_layers.count, sums);
}

[[gnu::always_inline]] inline void StripTable::estimateEach(std::span<const Ns> times, Ns* sums) const {
    constexpr std::size_t kFetch = 16; // times ahead
    const Ns inside = slotBegin(m_slots);
    for (std::size_t i = 0; i < times.size(); ++i, sums += m_layers.count) {
        __builtin_prefetch(row(slotOf(times[std::min(i + kFetch, times.size() - 1)])));
        if (times[i] < inside)
            estimateInside(times[i], sums);
        else
            estimate(times[i], sums);
    }
}

void StripTable::estimatePlain(std::span<const Ns> times, Ns* sums) const {
    estimateEach(times, sums);
}

#if defined(__x86_64__)
[[gnu::target("avx2,popcnt,bmi,bmi2")]] void StripTable::estimateWide(std::span<const Ns> times,
                                                                      Ns* sums) const {
    estimateEach(times, sums);
}
#endif

void StripTable::estimateAll(std::span<const Ns> times, Ns* sums) const {
#if defined(__x86_64__)
    static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
                             __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (wide)
        return estimateWide(times, sums);
#endif
    estimatePlain(times, sums);
}

std::size_t StripTable::memoryBytes() const {
    std::size_t bytes = m_rows.capacity() * sizeof(std::uint32_t);
    for (const auto& [slot, burst] : m_bursts)
        bytes += sizeof(m_bursts.front()) + sizeof(Burst) + burst->table.memoryBytes();
    return bytes;
}

/// More than one would walk over. The rows' sums are rounded, so in columns that short it is walked all the
/// same.
void ColumnWalker::measureCrowd(Interval column, StripTable::Sums& busy) {
    if (column.length() >> m_table.m_unit < kRoundings)
        return addAll(column.end, m_table.m_times.size(), busy);
    StripTable::Sums before{};
    m_table.before(column.begin, before);
    m_at = m_table.before(column.end, busy);
    for (std::size_t layer = 0; layer < m_table.layers(); ++layer)
        busy[layer] -= before[layer];
}

} // namespace olab
