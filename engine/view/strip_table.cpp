#include <olab/view/strip_table.h>

#include <cstring>

namespace olab::view {

namespace {

constexpr std::size_t kMostSlots = std::size_t{1} << 26; // with more, the sums of rows get too coarse
constexpr std::size_t kFewestSlots = 16;
constexpr double kBurstBytes = 0.5;
constexpr double kCoarser = 8;                 // how much longer its slots are
constexpr std::size_t kWorthCoarser = 1 << 13; // slots

__extension__ using Wide = unsigned __int128;

std::uint64_t highHalf(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(static_cast<Wide>(a) * b >> 64);
}

/// The lowest n bits, for n up to 64.
constexpr auto kLowest = [] {
    std::array<std::uint64_t, 65> masks{};
    for (std::size_t n = 1; n < masks.size(); ++n)
        masks[n] = masks[n - 1] << 1 | 1;
    return masks;
}();

/// Compiles to one instruction where available.
[[gnu::always_inline]] inline Ns countOnes(std::uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return static_cast<Ns>(bits * 0x0101010101010101u >> 56);
}

} // namespace

/// The items of one crowded slot.
struct StripTable::Burst {
    std::size_t first;
    StripTable table;
};

StripTable::StripTable(const Times& times, const Layers& layers, double bytes)
    : m_times(times)
    , m_layers(layers) {
    cutIntoSlots(bytes);
    packLayers();
    fillRows();
    addBursts(bytes);
    addCoarser(bytes);
}

/// With longer slots: views of a long time read fewer of its rows, which are closer together.
StripTable::StripTable(const StripTable& finer, double bytes)
    : m_times(finer.m_times)
    , m_layers(finer.m_layers)
    , m_codes(finer.m_codes)
    , m_codeBits(finer.m_codeBits) {
    cutIntoSlots(bytes);
    fillRows();
    addCoarser(bytes);
}

void StripTable::addCoarser(double bytes) {
    if (m_slots >= kWorthCoarser)
        m_coarser.reset(new StripTable(*this, bytes / kCoarser));
}

void StripTable::cutIntoSlots(double bytes) {
    const std::size_t n = m_times.size();
    m_origin = n == 0 ? 0 : m_times.begin(0);
    const std::uint64_t span = n == 0 ? 0 : since(m_times.begin(n - 1));
    const auto rowBytes = static_cast<double>(sizeof(std::uint32_t) * rowLength());
    const auto wanted = static_cast<std::size_t>(static_cast<double>(n) * bytes / rowBytes);
    // A crowded slot gets several slots, otherwise tables would nest endlessly.
    const std::size_t fewest = std::max<std::size_t>(n > kLong ? kFewestSlots : 1, (span >> 60) + 1);
    const std::size_t most = std::clamp<std::size_t>(wanted, fewest, kMostSlots);
    m_step = span / most / kSteps + 1;
    m_slot = m_step * kSteps;
    m_perStep = 1.0 / static_cast<double>(m_step);
    m_perSlot = 1.0 / static_cast<double>(m_slot);
    m_slots = static_cast<std::size_t>(span / m_slot) + 1;
    const int bits = n == 0 ? 0 : std::bit_width(since(m_times.end(n - 1)));
    m_unit = static_cast<unsigned>(std::max(0, bits - 32));
}

/// One to four bits per item, so that the trace need not be read again.
void StripTable::packLayers() {
    if (m_layers.count == 1)
        return;
    m_codeBits = m_layers.count <= 2 ? 1 : m_layers.count <= 4 ? 2 : 4;
    const std::size_t perWord = 64 / m_codeBits, n = m_times.size();
    // Up to kManyLayers codes are read behind the last item.
    const auto made = std::make_shared<Column<std::uint64_t>>(n / perWord + 2 + m_codeBits);
    for (std::size_t word = 0, i = 0; word < made->size(); ++word) {
        std::uint64_t codes = 0;
        for (std::size_t at = 0; at < perWord && i < n; ++at, ++i)
            codes |= std::uint64_t{m_layers(i)} << at * m_codeBits;
        (*made)[word] = codes;
    }
    m_codes = made;
}

template <unsigned Bits>
void StripTable::readCodes(std::size_t first, std::array<std::uint8_t, kManyLayers>& out) const {
    constexpr std::size_t kEach = 64 / Bits;
    const std::uint64_t* const from = m_codes->data() + first * Bits / 64;
    const std::size_t shift = first * Bits % 64;
    for (std::size_t word = 0; word < kManyLayers / kEach; ++word) {
        const std::uint64_t codes = from[word] >> shift | (shift == 0 ? 0 : from[word + 1] << (64 - shift));
        for (std::size_t i = 0; i < kEach; ++i)
            out[word * kEach + i] = codes >> i * Bits & ((1u << Bits) - 1);
    }
}

void StripTable::layersFrom(std::size_t first, std::array<std::uint8_t, kManyLayers>& out) const {
    if (m_codeBits == 1)
        readCodes<1>(first, out);
    else if (m_codeBits == 2)
        readCodes<2>(first, out);
    else
        readCodes<4>(first, out);
}

/// Fills the rows from left to right. The bits of a row are runs of ones, one run per item. The begin and end
/// of a run follow from two roundings, of the busy time and of the idle time in the slot so far: during an
/// item the idle time is constant, so after j steps the count of ones is j minus the idle steps, which is
/// within half a step of the busy time; while nothing runs it is the rounded busy time.
class StripTable::RowMaker {
public:
    explicit RowMaker(StripTable& table)
        : m_table(table)
        , m_slot(table.m_slot)
        , m_halfDown((table.m_step - 1) / 2)
        , m_halfUp(table.m_step / 2)
        , m_perStep((std::uint64_t{1} << 63) / table.m_step)
        , m_out(table.m_rows.data())
        , m_end(m_out + table.m_rows.size()) {
        startRow(0);
    }
    void takeAll() {
        const std::size_t n = m_table.m_times.size();
        if (m_table.m_layers.count > 1)
            for (std::size_t i = 0; i < n; ++i)
                take(i, m_layers[m_table.layerOf(i)]);
        else { // most strips; the layer's state stays in registers
            Layer only = m_layers[0];
            for (std::size_t i = 0; i < n; ++i)
                take(i, only);
            m_layers[0] = only;
        }
        while (m_out != m_end)
            nextRow(n, m_layers[0]);
    }

private:
    struct Layer {
        std::uint64_t before = 0; ///< busy time before the row
        std::uint64_t busy = 0;   ///< in the row so far
        std::uint64_t ones = 0;   ///< that time in steps
        std::uint64_t bits = 0;
    };

    [[gnu::always_inline]] void take(std::size_t i, Layer& layer) {
        const Interval time = m_table.m_times[i];
        std::uint64_t begin = m_table.since(time.begin) - m_row, end = m_table.since(time.end) - m_row;
        if (end <= m_slot && begin < m_slot) [[likely]]
            return cover(layer, begin, end);
        takeOver(i, layer, begin, end);
    }
    /// An item that begins or ends after the row.
    void takeOver(std::size_t i, Layer& layer, std::uint64_t begin, std::uint64_t end) {
        for (; begin >= m_slot && m_out != m_end; begin -= m_slot, end -= m_slot)
            nextRow(i, layer);
        for (; end > m_slot && m_out != m_end; end -= m_slot) {
            cover(layer, begin, m_slot);
            nextRow(i + 1, layer);
            begin = 0;
        }
        if (m_out != m_end) // after the last row nothing is stored
            cover(layer, begin, end);
    }
    /// All of [begin, end) is in the current row.
    [[gnu::always_inline]] void cover(Layer& layer, std::uint64_t begin, std::uint64_t end) {
        const std::uint64_t idle = inSteps(begin - layer.busy + m_halfDown);
        layer.busy += end - begin;
        const std::uint64_t ones = inSteps(layer.busy + m_halfUp);
        layer.bits ^= kLowest[layer.ones + idle] ^ kLowest[ones + idle];
        layer.ones = ones;
    }
    std::uint64_t inSteps(std::uint64_t time) const { return highHalf(2 * time, m_perStep); }
    void startRow(std::size_t begun) {
        m_out[0] = static_cast<std::uint32_t>(begun);
        for (std::size_t layer = 0; layer < m_table.m_layers.count; ++layer)
            m_out[1 + layer * kLayerWords] =
                static_cast<std::uint32_t>(m_layers[layer].before >> m_table.m_unit);
    }
    /// `current`: a copy of the only layer, or one of them.
    [[gnu::always_inline]] void nextRow(std::size_t begun, Layer& current) {
        if (m_table.m_layers.count == 1)
            m_layers[0] = current;
        for (std::size_t i = 0; i < m_table.m_layers.count; ++i) {
            Layer& layer = m_layers[i];
            m_out[2 + i * kLayerWords] = static_cast<std::uint32_t>(layer.bits);
            m_out[3 + i * kLayerWords] = static_cast<std::uint32_t>(layer.bits >> 32);
            layer = {layer.before + layer.busy, 0, 0, 0};
        }
        if (m_table.m_layers.count == 1)
            current = m_layers[0];
        m_row += m_slot;
        m_out += m_table.rowLength();
        if (m_out != m_end)
            startRow(begun);
    }

    StripTable& m_table;
    const std::uint64_t m_slot, m_halfDown, m_halfUp;
    const std::uint64_t m_perStep; ///< 2^63 / step
    std::uint32_t* m_out;
    std::uint32_t* const m_end;
    std::uint64_t m_row = 0; ///< the begin of the current row, from the origin
    std::array<Layer, kLooks> m_layers{};
};

void StripTable::fillRows() {
    m_rows.resize((m_slots + 1) * rowLength());
    RowMaker(*this).takeAll();
}

void StripTable::addBursts(double bytes) {
    if (m_slots == 1) // all of them within a few nanoseconds: their own table would look the same
        return;
    for (std::size_t slot = 0; slot < m_slots; ++slot) {
        const std::size_t first = row(slot)[0], last = row(slot + 1)[0];
        if (last - first <= kLong || m_times.begin(last - 1) == m_times.begin(first))
            continue; // few, or all at the same time
        Layers layers = m_layers;
        if (layers.count > 1)
            layers.activities = layers.activities.part(first, last - first);
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
        sums[layerOf(at - 1)] += std::min(m_times.end(at - 1), t) - begin;
    const std::size_t last = row(std::min(slot + 1, m_slots))[0];
    if (last - at > kLong) {
        if (const Burst* burst = burstIn(slot)) {
            Sums more{};
            at = burst->first + burst->table.before(t, more);
            for (std::size_t layer = 0; layer < m_layers.count; ++layer)
                sums[layer] += more[layer];
            return at;
        }
        if (m_times.begin(at) >= t) // all of them begin at the same time
            return at;
    }
    for (; at < last && m_times.begin(at) < t; ++at)
        add(t, at, sums);
    return at;
}

/// Calls `look` with the index of each time and its slot, whose row has been prefetched.
template <typename Look>
[[gnu::always_inline]] inline void StripTable::eachSlot(std::span<const Ns> times, Look look) const {
    constexpr std::size_t kAtOnce = 32;
    std::array<std::size_t, kAtOnce> rows;
    for (std::size_t first = 0; first < times.size(); first += kAtOnce) {
        const std::size_t count = std::min(kAtOnce, times.size() - first);
        for (std::size_t i = 0; i < count; ++i) {
            rows[i] = slotOf(times[first + i]);
            __builtin_prefetch(row(rows[i]));
        }
        for (std::size_t i = 0; i < count; ++i)
            look(first + i, rows[i]);
    }
}

[[gnu::always_inline]] inline void StripTable::estimateInside(Ns t, std::size_t slot, Ns* sums) const {
    const std::uint64_t time = t <= m_origin ? 0 : since(t);
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
    if (const std::size_t slot = slotOf(t); slot < m_slots)
        return estimateInside(t, slot, sums);
    Sums exact; // after the last row there are no bits
    before(t, exact);
    std::copy_n(exact.begin(), m_layers.count, sums);
}

[[gnu::always_inline]] inline void StripTable::estimateEach(std::span<const Ns> times, Ns* sums) const {
    eachSlot(
        times, [&](std::size_t i, std::size_t slot) __attribute__((always_inline)) {
            if (slot < m_slots)
                estimateInside(times[i], slot, sums + i * m_layers.count);
            else
                estimate(times[i], sums + i * m_layers.count);
        });
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

// At each border the bits are off by half a step at most, and the rows' sums by their rounding.
const StripTable* StripTable::within(Ns error) const {
    const StripTable* found = nullptr;
    for (const StripTable* level = this; level && level->stepLength() + 2 * level->rounding() <= error;
         level = level->m_coarser.get())
        found = level;
    return found;
}

std::size_t StripTable::memoryBytes() const {
    std::size_t bytes = m_rows.capacity() * sizeof(std::uint32_t);
    if (m_codes)
        bytes += m_codes->capacity() * sizeof(std::uint64_t);
    for (const StripTable* level = m_coarser.get(); level; level = level->m_coarser.get())
        bytes += sizeof(*level) + level->m_rows.capacity() * sizeof(std::uint32_t);
    for (const auto& [slot, burst] : m_bursts)
        bytes += sizeof(m_bursts.front()) + sizeof(Burst) + burst->table.memoryBytes();
    return bytes;
}

} // namespace olab::view
