#include <olab/view/strip_view.h>

#include "column_cover.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace olab::view {
namespace {

/// Turns busy times into heights. The columns of a view have one of two lengths, a nanosecond apart, so only
/// two divisions are needed.
class Heights {
public:
    Heights(const ViewColumns& columns, int height, int* tops, std::size_t layers)
        : m_borders(columns.borders.data())
        , m_shortest(columns.view.visible().length() / columns.count())
        , m_height(height)
        , m_width(columns.borders.size() - 1)
        , m_layers(layers)
        , m_tops(tops) {
        for (std::size_t i = 0; i < m_perNs.size(); ++i)
            if (const Ns length = m_shortest + static_cast<Ns>(i); length > 0)
                m_perNs[i] = static_cast<double>(height) / static_cast<double>(length);
    }
    void putAll(const ColumnCover& cover);

private:
    static constexpr Ns kLongestColumn = Ns{1} << 51; ///< for toDouble(): 26 days
    void putSlowly(const ColumnCover& cover);
    void putPlain(const ColumnCover& cover);
    void putWide(const ColumnCover& cover);
    void putEach(const ColumnCover& cover);
    void putLayer(const Ns* busy, std::size_t layer, Ns* sums);
    /// For 0 <= n < 2^52, with vector instructions that every processor has.
    static double toDouble(Ns n) {
        constexpr std::uint64_t kTwoTo52 = 0x4330000000000000;
        return std::bit_cast<double>(static_cast<std::uint64_t>(n) | kTwoTo52) -
               std::bit_cast<double>(kTwoTo52);
    }

    const Ns* m_borders;
    Ns m_shortest;
    int m_height;
    std::size_t m_width, m_layers;
    int* m_tops;
    std::array<double, 2> m_perNs{};
};

[[gnu::always_inline]] inline void Heights::putLayer(const Ns* __restrict busy, std::size_t layer,
                                                     Ns* __restrict sums) {
    int* __restrict tops = m_tops + layer * m_width;
    const Ns* __restrict borders = m_borders;
    const double first = m_perNs[0], second = m_perNs[1];
    const std::size_t width = m_width;
    const Ns shortest = m_shortest;
    const int height = m_height;
    for (std::size_t px = 0; px < width; ++px) {
        sums[px] += busy[px];
        const double perNs = borders[px + 1] - borders[px] == shortest ? first : second;
        tops[px] = std::min(static_cast<int>(toDouble(sums[px]) * perNs + 0.5), height);
    }
}

[[gnu::always_inline]] inline void Heights::putEach(const ColumnCover& cover) {
    std::vector<Ns> sums(m_width);
    for (std::size_t layer = 0; layer < m_layers; ++layer)
        putLayer(cover.busy(layer).data(), layer, sums.data());
}

void Heights::putSlowly(const ColumnCover& cover) {
    for (std::size_t px = 0; px < m_width; ++px) {
        const double perNs =
            m_perNs[static_cast<std::size_t>(m_borders[px + 1] - m_borders[px] - m_shortest)];
        Ns sum = 0;
        for (std::size_t layer = 0; layer < m_layers; ++layer) {
            sum += cover.busy(layer)[px];
            m_tops[layer * m_width + px] =
                std::min(static_cast<int>(static_cast<double>(sum) * perNs + 0.5), m_height);
        }
    }
}

void Heights::putPlain(const ColumnCover& cover) {
    putEach(cover);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void Heights::putWide(const ColumnCover& cover) {
    putEach(cover);
}
#endif

void Heights::putAll(const ColumnCover& cover) {
    if (m_shortest >= kLongestColumn)
        return putSlowly(cover);
#if defined(__x86_64__)
    static const bool wide = __builtin_cpu_supports("avx2") != 0;
    if (wide)
        return putWide(cover);
#endif
    putPlain(cover);
}

} // namespace

const StripTable* levelFor(const StripTable& table, const ViewColumns& columns, int height) {
    return table.within(columns.view.visible().length() / columns.count() / (2 * height + 1));
}

StripView::StripView(const Strip& strip, const ViewColumns& columns, int height, const StripTable* coloured)
    : m_strip(strip)
    , m_table(coloured ? *coloured : strip.table)
    , m_layers(coloured ? coloured->layers() : strip.looks.size())
    , m_columns(columns)
    , m_height(height)
    , m_barLength(std::max<Ns>(columns.view.lengthOf(2), 1))
    , m_shows(at(columns.count()), Shows::Open)
    , m_tops(at(columns.count()) * m_table.layers(), 0)
    , m_highest(m_table.layers(), 0) {
    findBars();
    giveWay();
    markBars();
    fillColumns();
    findHighest();
}

void StripView::findBars() {
    const auto [first, last] = m_strip.candidates(m_columns.view.visible());
    for (std::size_t i = m_strip.longest.next(m_strip.times, first, last, m_barLength); i < last;
         i = m_strip.longest.next(m_strip.times, i + 1, last, m_barLength))
        addBar(i);
}

void StripView::addBar(std::size_t position) {
    const Interval time = m_strip.times[position], seen = m_columns.view.visible();
    if (time.end <= seen.begin) // the first candidate need not extend into the view
        return;
    const int width = m_columns.count();
    const int x0 = time.begin <= seen.begin ? 0 : static_cast<int>(m_columns.view.edgeAt(time.begin)),
              x1 = time.end >= seen.end ? width : static_cast<int>(m_columns.view.edgeAt(time.end));
    const bool before = x0 > 0 && time.begin < m_columns[x0 - 1].end,
               after = x1 < width && time.end > m_columns[x1].begin;
    m_places.push_back({position, before ? x0 - 1 : -1, after ? x1 : -1});
    m_bars.push_back({m_strip.activities[position], x0, std::max(x0, x1)});
}

/// Whether a short activity before the bar touches the column. Otherwise only another bar can.
bool StripView::shortBefore(std::size_t position, Interval column) const {
    while (position-- > 0) {
        const Interval time = m_strip.times[position];
        if (time.end < column.begin || (time.end == column.begin && time.length() > 0))
            return false;
        if (touches(time, column) && isShort(position))
            return true;
    }
    return false;
}

bool StripView::shortAfter(std::size_t position, Interval column) const {
    while (++position < m_strip.times.size() && m_strip.times.begin(position) < column.end)
        if (touches(m_strip.times[position], column) && isShort(position))
            return true;
    return false;
}

void StripView::giveWay() {
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        Bar& bar = m_bars[i];
        const std::size_t position = m_places[i].position;
        if (bar.x0 < bar.x1 && shortBefore(position, m_columns[bar.x0]))
            m_shows[at(bar.x0++)] = Shows::Short;
        if (bar.x0 < bar.x1 && shortAfter(position, m_columns[bar.x1 - 1]))
            m_shows[at(--bar.x1)] = Shows::Short;
    }
}

/// Columns that a bar only touches show nothing, unless something short is there, too.
void StripView::markBars() {
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        const auto [position, before, after] = m_places[i];
        if (before >= 0)
            m_shows[at(before)] = shortBefore(position, m_columns[before]) ? Shows::Short : Shows::Nothing;
        if (after >= 0)
            m_shows[at(after)] = shortAfter(position, m_columns[after]) ? Shows::Short : Shows::Nothing;
    }
    for (const Bar& bar : m_bars)
        std::fill(m_shows.begin() + bar.x0, m_shows.begin() + bar.x1, Shows::Bar);
    std::erase_if(m_bars, [](const Bar& bar) { return bar.x0 >= bar.x1; });
}

void StripView::fillColumns() {
    const ColumnCover cover(m_table, m_columns, m_height);
    Heights(m_columns, m_height, m_tops.data(), m_table.layers()).putAll(cover);
    for (std::size_t px = 0; px < m_shows.size(); ++px) {
        Shows& shows = m_shows[px];
        if (shows == Shows::Open)
            shows = cover.isTouched(px) ? Shows::Short : Shows::Nothing;
        if (shows != Shows::Short)
            for (std::size_t layer = 0; layer < m_table.layers(); ++layer)
                m_tops[layer * m_shows.size() + px] = 0;
    }
}

void StripView::findHighest() {
    const auto width = static_cast<std::ptrdiff_t>(m_columns.count());
    for (std::size_t layer = 0; layer < m_highest.size(); ++layer) {
        const auto first = m_tops.begin() + static_cast<std::ptrdiff_t>(layer) * width;
        int highest = 0;
        for (auto top = first; top != first + width; ++top)
            highest = std::max(highest, *top);
        m_highest[layer] = highest;
    }
}

ColumnFill StripView::column(int px) const {
    ColumnFill fill;
    fill.tick = m_shows[at(px)] == Shows::Short;
    for (std::size_t layer = 0; layer < m_strip.looks.size(); ++layer) {
        const int top = m_tops[layer * at(m_columns.count()) + at(px)];
        fill.height[static_cast<std::size_t>(m_strip.looks[layer])] = top - fill.total;
        fill.total = top;
    }
    return fill;
}

void paintTops(const StripTable& table, const ViewColumns& columns, int height, std::span<int> tops) {
    Heights(columns, height, tops.data(), 1).putAll(ColumnCover(table, columns, height));
}

namespace {

bool isBar(const Strip& strip, const Viewport& view, std::size_t position) {
    return strip.times[position].length() >= std::max<Ns>(view.lengthOf(2), 1);
}

/// Positions of activities that touch the column.
std::pair<std::size_t, std::size_t> touching(const Strip& strip, Interval column) {
    std::size_t first = strip.table.position(column.begin);
    const std::size_t last = strip.table.position(column.end);
    if (first > 0 && strip.times.end(first - 1) > column.begin) // only the last before may reach in
        --first;
    return {first, last};
}

/// Bars yield to shorter activities. Only the first and the last of those that touch can be bars.
std::size_t shownOf(const Strip& strip, const Viewport& view, int px, std::size_t first, std::size_t last) {
    const std::size_t shortFirst = first + (isBar(strip, view, first) ? 1 : 0);
    const std::size_t shortLast = last - (isBar(strip, view, last - 1) ? 1 : 0);
    if (shortFirst < shortLast)
        return shortFirst + (shortLast - shortFirst) / 2;
    return px < view.edgeAt(strip.times.end(first)) ? first : last - 1;
}

std::optional<std::size_t> nearest(const Strip& strip, const Viewport& view, int px, int reach,
                                   std::size_t at) {
    const Interval column = view.column(px);
    std::optional<std::size_t> best;
    if (at > 0 && strip.times.end(at - 1) >= view.timeAt(px - reach))
        best = at - 1;
    if (at >= strip.times.size() || strip.times.begin(at) >= view.timeAt(px + reach + 1))
        return best;
    const bool later = !best || strip.times.begin(at) - column.end < column.begin - strip.times.end(at - 1);
    return later ? at : *best;
}

} // namespace

std::optional<ActivityIndex> hitIn(const Strip& strip, const Viewport& view, int px, int reach) {
    const auto [first, last] = touching(strip, view.column(px));
    const auto at = first < last ? std::optional(shownOf(strip, view, px, first, last))
                                 : nearest(strip, view, px, reach, first);
    return at ? std::optional(strip.activities[*at]) : std::nullopt;
}

std::optional<DrawnColumns> drawnColumns(const Strip& strip, const Viewport& view, ActivityIndex index) {
    const auto at = std::ranges::lower_bound(strip.activities, index);
    if (at == strip.activities.end() || *at != index)
        return std::nullopt;
    const auto position = static_cast<std::size_t>(at - strip.activities.begin());
    const Interval time = strip.times[position];
    if (isBar(strip, view, position))
        return DrawnColumns{view.edgeAt(time.begin), view.edgeAt(time.end)};
    return DrawnColumns{view.xAt(time.begin), view.xAt(std::max(time.end - 1, time.begin)) + 1};
}

} // namespace olab::view
