// Adds up to 64 items to the columns at once. Compares all of them with each border, without a branch: vector
// instructions do that faster than a search for the few between two borders.
#include "column_cover.h"

#include <algorithm>
#include <limits>

namespace olab::view {
namespace {

using Numbers = std::array<std::int32_t, Times::kMostRead>;

[[gnu::always_inline]] inline std::int32_t coveredBefore(std::int32_t time, const Numbers& begins,
                                                         const Numbers& lengths) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < Times::kMostRead; ++i)
        sum += std::min(std::max(time - begins[i], 0), lengths[i]);
    return sum;
}

[[gnu::always_inline]] inline std::int32_t begunBefore(std::int32_t time, const Numbers& begins) {
    std::int32_t count = 0;
    for (std::size_t i = 0; i < Times::kMostRead; ++i)
        count += begins[i] < time ? 1 : 0;
    return count;
}

/// Pads the group to a fixed size; padding items never begin.
void fillUp(Times::Near& times, std::size_t count) {
    const auto from = static_cast<std::ptrdiff_t>(count);
    std::fill(times.begins.begin() + from, times.begins.end(), std::numeric_limits<std::int32_t>::max());
    std::fill(times.lengths.begin() + from, times.lengths.end(), 0);
}

} // namespace

/// The borders from the one at or before the first item up to the first behind the last, in the group's time.
inline void ColumnCover::cut(const Group& group) {
    const auto& [base, begins, lengths] = group.times;
    const std::int32_t last = begins[group.count - 1], behind = last + std::max(lengths[group.count - 1], 1);
    m_cuts.clear();
    m_cuts.push_back(static_cast<std::int32_t>(std::clamp<Ns>(m_borders[m_column] - base, 0, behind)));
    for (; m_column < m_width; ++m_column) {
        const Ns border = m_borders[m_column + 1] - base;
        m_cuts.push_back(static_cast<std::int32_t>(std::min<Ns>(border, behind)));
        if (border >= behind)
            break;
    }
}

[[gnu::always_inline]] inline void ColumnCover::addLayer(const Group& group, std::size_t layer) {
    Numbers lengths = group.times.lengths;
    if (m_table.layers() > 1)
        for (std::size_t i = 0; i < lengths.size(); ++i)
            lengths[i] = group.layers[i] == layer ? lengths[i] : 0;
    Ns* const busy = m_busy.data() + layer * m_width + group.column;
    Touched* const touched = m_touched.data() + group.column;
    std::int32_t before = coveredBefore(m_cuts[0], group.times.begins, lengths);
    for (std::size_t px = 0; px + 1 < m_cuts.size(); ++px) {
        const std::int32_t covered = coveredBefore(m_cuts[px + 1], group.times.begins, lengths);
        busy[px] += covered - before;
        touched[px] = covered > before ? Touched::Yes : touched[px];
        before = covered;
    }
}

/// Items without length.
[[gnu::always_inline]] inline void ColumnCover::findShortest(const Group& group) {
    Touched* const touched = m_touched.data() + group.column;
    for (std::size_t px = 0; px + 1 < m_cuts.size(); ++px)
        if (touched[px] == Touched::No &&
            begunBefore(m_cuts[px], group.times.begins) < begunBefore(m_cuts[px + 1], group.times.begins))
            touched[px] = Touched::Yes;
}

[[gnu::always_inline]] inline void ColumnCover::addAll(Group& group) {
    for (std::size_t layer = 0; layer < m_table.layers(); ++layer)
        addLayer(group, layer);
    findShortest(group);
}

void ColumnCover::addPlain(Group& group) {
    addAll(group);
}

#if defined(__x86_64__)
[[gnu::target("avx2,bmi,bmi2")]] void ColumnCover::addWide(Group& group) {
    addAll(group);
}
#endif

void ColumnCover::add(Group& group) {
    while (m_column < m_width && m_borders[m_column + 1] <= group.times.base + group.times.begins[0])
        ++m_column;
    if (m_column == m_width)
        return;
    group.column = m_column;
    cut(group);
    fillUp(group.times, group.count);
    if (m_table.layers() > 1)
        m_table.layersFrom(group.first, group.layers);
#if defined(__x86_64__)
    static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    if (wide)
        return addWide(group);
#endif
    addPlain(group);
}

namespace {

/// From this many items per column, two table lookups per column are faster than adding items one by one.
constexpr std::size_t kCrowd = 64;

bool isCrowd(const StripTable& table, const ViewColumns& columns, std::size_t things, int height) {
    return things > kCrowd * static_cast<std::size_t>(columns.count()) &&
           2 * table.rounding() <= columns.view.visible().length() / columns.count() / (2 * height + 1);
}

} // namespace

ColumnCover::ColumnCover(const StripTable& table, const ViewColumns& columns, int height)
    : m_table(table)
    , m_borders(columns.borders)
    , m_width(columns.borders.size() - 1)
    , m_busy(m_width * table.layers())
    , m_touched(m_width, Touched::No) {
    const Interval seen = columns.view.visible();
    const std::size_t first = table.position(seen.begin), last = table.position(seen.end);
    if (const StripTable* const level = levelFor(table, columns, height))
        readTable(*level);
    else if (isCrowd(table, columns, last - first, height))
        sumAtBorders();
    else
        sumThings(first > 0 ? first - 1 : 0, last); // the one before may extend into the view
}

/// Items in order of begin, columns from left to right: each is visited once.
void ColumnCover::sumThings(std::size_t first, std::size_t last) {
    const bool isDense = last - first > m_width; // else adding each is faster
    Group group;
    for (std::size_t at = first; at < last;) {
        group.count = isDense ? m_table.times().readNear(at, group.times) : 0;
        if (group.count > 0) {
            group.first = at;
            add(group);
            at += group.count;
        } else
            at = addEach(at, last);
    }
}

/// Of items that are stored together. Returns the number of the next one.
std::size_t ColumnCover::addEach(std::size_t first, std::size_t last) {
    std::array<Interval, Times::kMostRead> read;
    const std::size_t count = m_table.times().read(first, last, read);
    for (std::size_t i = 0; i < count; ++i)
        addThing(read[i], m_busy.data() + m_table.layerOf(first + i) * m_width);
    return first + count;
}

inline void ColumnCover::addThing(Interval time, Ns* busy) {
    const Ns* const borders = m_borders.data();
    while (m_column < m_width && borders[m_column + 1] <= time.begin)
        ++m_column;
    std::size_t px = m_column;
    Ns from = time.begin;
    if (from < borders[px]) { // extends into the view, if at all
        if (time.end <= borders[px])
            return;
        from = borders[px];
    }
    for (; px < m_width; ++px) {
        m_touched[px] = Touched::Yes;
        if (time.end <= borders[px + 1]) {
            busy[px] += time.end - from;
            return;
        }
        busy[px] += borders[px + 1] - from;
        from = borders[px + 1];
    }
}

/// Uses the bits of `level` at the borders. A set bit means that something is there; so do three steps of
/// busy time, because less than one at each end can be outside.
void ColumnCover::readTable(const StripTable& level) {
    std::vector<Ns> before(m_borders.size() * m_table.layers());
    level.estimateAll(m_borders, before.data());
    takeDifferences(before, 3 * level.stepLength());
}

/// Uses the sums at the borders, exact except for the rounding of the table's rows.
void ColumnCover::sumAtBorders() {
    const std::size_t layers = m_table.layers();
    std::vector<Ns> before(m_borders.size() * layers);
    for (std::size_t i = 0; i < m_borders.size(); ++i) {
        StripTable::Sums sums{};
        m_table.before(m_borders[i], sums);
        std::copy_n(sums.begin(), layers, before.begin() + static_cast<std::ptrdiff_t>(i * layers));
    }
    takeDifferences(before, 2 * m_table.rounding());
}

/// `before`: busy time before each border, by layer. A difference above `sure` means that something is there.
void ColumnCover::takeDifferences(std::span<const Ns> before, Ns sure) {
    const std::size_t layers = m_table.layers();
    std::fill(m_touched.begin(), m_touched.end(), Touched::NotLookedAt);
    for (std::size_t layer = 0; layer < layers; ++layer) {
        Ns* const busy = m_busy.data() + layer * m_width;
        for (std::size_t px = 0; px < m_width; ++px) {
            busy[px] = std::max<Ns>(before[(px + 1) * layers + layer] - before[px * layers + layer], 0);
            m_touched[px] = busy[px] >= sure ? Touched::Yes : m_touched[px];
        }
    }
}

bool ColumnCover::isTouched(std::size_t px) const {
    if (m_touched[px] != Touched::NotLookedAt)
        return m_touched[px] == Touched::Yes;
    const Times& times = m_table.times();
    const std::size_t first = m_table.position(m_borders[px]);
    return (first < times.size() && times.begin(first) < m_borders[px + 1]) ||
           (first > 0 && times.end(first - 1) > m_borders[px]);
}

} // namespace olab::view
