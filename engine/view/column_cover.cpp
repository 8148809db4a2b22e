#include "column_cover.h"

#include "column_group.h"

#include <algorithm>

namespace olab::view {
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
