// Adds up to 64 items to the columns at once. For each border all of them are looked at, without a branch:
// vector instructions do so faster than it takes to find the few between two borders.
#include "column_group.h"

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

/// So that there are always as many: those behind the last begin never.
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

} // namespace olab::view
