#include <olab/ui/strip_table.h>

namespace olab {

namespace {

constexpr std::size_t kLong = 64;                        // more in a slot than one would walk over
constexpr std::size_t kMostSlots = std::size_t{1} << 26; // for more, the sums of rows get too coarse
constexpr std::size_t kFewestSlots = 16;
constexpr unsigned kLineBits = 20; // precision of the place within a slot
constexpr double kBurstBytes = 0.5;

} // namespace

/// The things of one crowded slot.
struct StripTable::Burst {
    std::size_t first;
    StripTable table;
};

Times::Times(std::span<const Interval> intervals)
    : m_begins(intervals.empty() ? nullptr : &intervals.front().begin)
    , m_ends(intervals.empty() ? nullptr : &intervals.front().end)
    , m_step(sizeof(Interval) / sizeof(Ns))
    , m_count(intervals.size()) {}

Times Times::part(std::size_t first, std::size_t count) const {
    Times part = *this;
    part.m_begins += first * m_step;
    part.m_ends += first * m_step;
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
    const double rowBytes = static_cast<double>(sizeof(std::uint32_t) * (1 + m_layers.count));
    const auto wanted = static_cast<std::size_t>(static_cast<double>(n) * bytes / rowBytes);
    // What is crowded gets several slots, or tables within tables would have no end.
    const std::size_t most = std::clamp<std::size_t>(wanted, n > kLong ? kFewestSlots : 1, kMostSlots);
    while ((span >> m_shift) >= most)
        ++m_shift;
    m_slots = static_cast<std::size_t>(span >> m_shift) + 1;
    const int bits = n == 0 ? 0 : std::bit_width(since(m_times.end(n - 1)));
    m_unit = static_cast<unsigned>(std::max(0, bits - 32));
}

void StripTable::fillRows() {
    const std::size_t width = 1 + m_layers.count;
    m_rows.resize((m_slots + 1) * width);
    std::uint32_t* out = m_rows.data();
    const std::uint32_t* const end = out + m_rows.size();
    Sums sums{};
    std::uint64_t border = 0; // of the row at `out`, from the origin
    const auto put = [&](std::size_t begun) {
        out[0] = static_cast<std::uint32_t>(begun);
        for (std::size_t layer = 0; layer < m_layers.count; ++layer)
            out[1 + layer] = static_cast<std::uint32_t>(sums[layer] >> m_unit);
        out += width;
        border += std::uint64_t{1} << m_shift;
    };
    for (std::size_t i = 0; i < m_times.size(); ++i) {
        const Interval time = m_times[i];
        const std::uint64_t begin = since(time.begin), finish = since(time.end);
        while (border <= begin)
            put(i);
        Ns& sum = sums[m_layers(i)];
        const Ns before = sum;
        while (border < finish && out != end) {
            sum = before + static_cast<Ns>(border - begin);
            put(i + 1);
        }
        sum = before + time.length();
    }
    while (out != end)
        put(m_times.size());
}

void StripTable::addBursts(double bytes) {
    if (m_shift == 0) // in a slot of 1 ns there is nothing to find
        return;
    for (std::size_t slot = 0; slot < m_slots; ++slot) {
        const std::size_t first = row(slot)[0], last = row(slot + 1)[0];
        if (last - first <= kLong)
            continue;
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
        sums[layer] = static_cast<Ns>(known[1 + layer]) << m_unit;
    std::size_t at = known[0];
    if (t <= m_origin)
        return at;
    if (const Ns begin = slotBegin(slot); at > 0 && m_times.end(at - 1) > begin) // reaches in
        sums[m_layers(at - 1)] += std::min(m_times.end(at - 1), t) - begin;
    const std::size_t last = row(std::min(slot + 1, m_slots))[0];
    if (last - at > kLong)
        if (const Burst* burst = burstIn(slot)) {
            Sums more{};
            at = burst->first + burst->table.before(t, more);
            for (std::size_t layer = 0; layer < m_layers.count; ++layer)
                sums[layer] += more[layer];
            return at;
        }
    for (; at < last && m_times.begin(at) < t; ++at)
        add(t, at, sums);
    return at;
}

void StripTable::estimate(Ns t, Sums& sums) const {
    const std::size_t slot = slotOf(t);
    if (slot == m_slots) { // behind the last row there is no line
        before(t, sums);
        return;
    }
    const std::uint32_t* const known = row(slot);
    const std::uint32_t* const next = row(slot + 1);
    const unsigned bits = std::min(m_shift, kLineBits);
    const auto place =
        t <= m_origin ? 0u : static_cast<std::uint64_t>(t - slotBegin(slot)) >> (m_shift - bits);
    for (std::size_t layer = 1; layer <= m_layers.count; ++layer) {
        const std::uint64_t more = std::uint64_t{next[layer] - known[layer]} * place >> bits;
        sums[layer - 1] = static_cast<Ns>((known[layer] + more) << m_unit);
    }
}

void StripTable::prefetchTimes(Ns t) const {
    if (const std::size_t at = least(t); at < m_times.size())
        m_times.prefetch(at);
}

std::size_t StripTable::memoryBytes() const {
    std::size_t bytes = m_rows.capacity() * sizeof(std::uint32_t);
    for (const auto& [slot, burst] : m_bursts)
        bytes += sizeof(m_bursts.front()) + sizeof(Burst) + burst->table.memoryBytes();
    return bytes;
}

void StripWalker::seek(Ns t) {
    const Times& times = m_table.m_times;
    if (!m_looked || t < m_time || t - m_time > m_table.slotLength()) {
        m_at = m_table.before(t, m_sums);
    } else {
        if (m_at > 0 && times.end(m_at - 1) > m_time) // goes on
            m_sums[m_table.m_layers(m_at - 1)] += std::min(times.end(m_at - 1), t) - m_time;
        const std::size_t limit = std::min(m_at + kLong, times.size());
        for (; m_at < limit && times.begin(m_at) < t; ++m_at)
            m_table.add(t, m_at, m_sums);
        if (m_at == limit && limit < times.size())
            m_at = m_table.before(t, m_sums);
    }
    m_time = t;
    m_looked = true;
}

} // namespace olab
