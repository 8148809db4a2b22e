#include <olab/view/strip_view.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace olab {

namespace {

bool touches(Interval time, Interval column) {
    return time.length() == 0 ? column.contains(time.begin)
                              : time.begin < column.end && time.end > column.begin;
}

/// Turns busy times into heights. The columns of a view have one of two lengths, a nanosecond apart, so the
/// division is done twice in all.
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
    [[gnu::always_inline]] void put(std::size_t px, Interval column, const Ns* busy) {
        const double perNs = m_perNs[static_cast<std::size_t>(column.length() - m_shortest)];
        Ns sum = 0;
        for (std::size_t layer = 0; layer < m_layers; ++layer) {
            sum += busy[layer];
            m_tops[layer * m_width + px] =
                std::min(static_cast<int>(static_cast<double>(sum) * perNs + 0.5), m_height);
        }
    }

    /// All columns at once. `before`: the busy time before each border, by layer. Gives in `most` for each
    /// column the busy time of its busiest layer.
    void putAll(std::span<const Ns> before, std::span<Ns> most);

private:
    static constexpr Ns kLongestColumn = Ns{1} << 51; ///< for toDouble(): 26 days
    void putSlowly(const Ns* before, Ns* most);
    void putPlain(const Ns* before, Ns* most);
    void putWide(const Ns* before, Ns* most);
    void putEach(const Ns* before, Ns* most);
    void putLayer(const Ns* before, std::size_t layer, Ns* sums, Ns* most);
    /// Of 0 <= n < 2^52, with the instructions that every processor has for several numbers at once.
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

[[gnu::always_inline]] inline void Heights::putLayer(const Ns* __restrict before, std::size_t layer,
                                                     Ns* __restrict sums, Ns* __restrict most) {
    int* __restrict tops = m_tops + layer * m_width;
    const Ns* __restrict borders = m_borders;
    const double first = m_perNs[0], second = m_perNs[1];
    const std::size_t layers = m_layers, width = m_width;
    const Ns shortest = m_shortest;
    const int height = m_height;
    for (std::size_t px = 0; px < width; ++px) {
        const Ns busy = std::max<Ns>(before[(px + 1) * layers + layer] - before[px * layers + layer], 0);
        sums[px] += busy;
        most[px] = std::max(most[px], busy);
        const double perNs = borders[px + 1] - borders[px] == shortest ? first : second;
        tops[px] = std::min(static_cast<int>(toDouble(sums[px]) * perNs + 0.5), height);
    }
}

[[gnu::always_inline]] inline void Heights::putEach(const Ns* before, Ns* most) {
    std::vector<Ns> sums(m_width);
    for (std::size_t layer = 0; layer < m_layers; ++layer)
        putLayer(before, layer, sums.data(), most);
}

void Heights::putSlowly(const Ns* before, Ns* most) {
    StripTable::Sums busy;
    for (std::size_t px = 0; px < m_width; ++px, before += m_layers) {
        for (std::size_t layer = 0; layer < m_layers; ++layer) {
            busy[layer] = std::max<Ns>(before[m_layers + layer] - before[layer], 0);
            most[px] = std::max(most[px], busy[layer]);
        }
        put(px, {m_borders[px], m_borders[px + 1]}, busy.data());
    }
}

void Heights::putPlain(const Ns* before, Ns* most) {
    putEach(before, most);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void Heights::putWide(const Ns* before, Ns* most) {
    putEach(before, most);
}
#endif

void Heights::putAll(std::span<const Ns> before, std::span<Ns> most) {
    if (m_shortest >= kLongestColumn)
        return putSlowly(before.data(), most.data());
#if defined(__x86_64__)
    static const bool wide = __builtin_cpu_supports("avx2") != 0;
    if (wide)
        return putWide(before.data(), most.data());
#endif
    putPlain(before.data(), most.data());
}

} // namespace

namespace {

/// Whether columns hold so much that to sum up at their borders is less work than a walk, and the rows' sums
/// are right to less than half a pixel of height.
bool canSum(const StripTable& table, const ViewColumns& columns, int height) {
    constexpr std::size_t kFew = 3;
    const Interval seen = columns.view.visible();
    return 2 * table.rounding() <= seen.length() / columns.count() / (2 * height + 1) &&
           table.position(seen.end) - table.position(seen.begin) >=
               kFew * static_cast<std::size_t>(columns.count());
}

} // namespace

// At each border of a column the bits are off by half a step at most, and the rows' sums by their rounding.
bool canGlide(const StripTable& table, const ViewColumns& columns, int height) {
    const Ns column = columns.view.visible().length() / columns.count();
    return table.stepLength() + 2 * table.rounding() <= column / (2 * height + 1);
}

StripView::StripView(const Strip& strip, const ViewColumns& columns, int height)
    : m_strip(strip)
    , m_columns(columns)
    , m_height(height)
    , m_barLength(std::max<Ns>(columns.view.lengthOf(2), 1))
    , m_shows(at(columns.count()), Shows::Open)
    , m_tops(at(columns.count()) * strip.table.layers(), 0)
    , m_highest(strip.table.layers(), 0) {
    findBars();
    giveWay();
    markBars();
    if (canGlide(strip.table, columns, height))
        glide();
    else
        canSum(strip.table, columns, height) ? sum() : walk();
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
    if (time.end <= seen.begin) // the first candidate need not reach into the view
        return;
    const int width = m_columns.count();
    const int x0 = time.begin <= seen.begin ? 0 : static_cast<int>(m_columns.view.edgeAt(time.begin)),
              x1 = time.end >= seen.end ? width : static_cast<int>(m_columns.view.edgeAt(time.end));
    const bool before = x0 > 0 && time.begin < m_columns[x0 - 1].end,
               after = x1 < width && time.end > m_columns[x1].begin;
    m_places.push_back({position, before ? x0 - 1 : -1, after ? x1 : -1});
    m_bars.push_back({m_strip.activities[position], x0, std::max(x0, x1)});
}

/// Whether something short that lies before the bar touches the column. Beside it only another bar can.
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

/// Columns that a bar only touches show nothing, unless something short is there too.
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

/// Exactly.
void StripView::walk() {
    ColumnWalker walker(m_strip.table);
    Heights heights(m_columns, m_height, m_tops.data(), m_strip.table.layers());
    StripTable::Sums busy;
    const int width = m_columns.count();
    for (int px = 0; px < width; ++px) {
        Shows& shows = m_shows[at(px)];
        if (shows != Shows::Open && shows != Shows::Short)
            continue;
        const Interval column = m_columns[px];
        const bool touched = walker.measure(column, busy);
        if (shows == Shows::Open)
            shows = touched ? Shows::Short : Shows::Nothing;
        if (shows == Shows::Short)
            heights.put(at(px), column, busy.data());
    }
}

/// With what the bits of the table say at the borders. A set bit means that something is there, so three
/// steps of busy time, of which less than one at each end may be elsewhere, do so too.
void StripView::glide() {
    std::vector<Ns> before(m_columns.borders.size() * m_strip.table.layers());
    m_strip.table.estimateAll(m_columns.borders, before.data());
    fillBetween(before, 3 * m_strip.table.stepLength());
}

/// With the sums at the borders, exact but for the rounding of the rows.
void StripView::sum() {
    std::vector<Ns> before(m_columns.borders.size() * m_strip.table.layers());
    m_strip.table.sumAll(m_columns.borders, before.data());
    fillBetween(before, 2 * m_strip.table.rounding());
}

/// `before`: busy time before each border, by layer. More than `sure` of it says that something is there.
void StripView::fillBetween(std::span<const Ns> before, Ns sure) {
    std::vector<Ns> most(m_shows.size());
    Heights(m_columns, m_height, m_tops.data(), m_strip.table.layers()).putAll(before, most);
    for (int px = 0; px < m_columns.count(); ++px) {
        Shows& shows = m_shows[at(px)];
        if (shows == Shows::Open)
            shows = most[at(px)] >= sure || touched(m_columns[px]) ? Shows::Short : Shows::Nothing;
        if (shows != Shows::Short)
            for (std::size_t layer = 0; layer < m_strip.table.layers(); ++layer)
                m_tops[layer * m_shows.size() + at(px)] = 0;
    }
}

bool StripView::touched(Interval column) const {
    const std::size_t first = m_strip.table.position(column.begin);
    return (first < m_strip.times.size() && m_strip.times.begin(first) < column.end) ||
           (first > 0 && m_strip.times.end(first - 1) > column.begin);
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
    for (std::size_t layer = 0; layer < m_strip.classes.size(); ++layer) {
        const int top = m_tops[layer * at(m_columns.count()) + at(px)];
        fill.height[static_cast<std::size_t>(m_strip.classes[layer])] = top - fill.total;
        fill.total = top;
    }
    return fill;
}

void paintTops(const StripTable& table, const ViewColumns& columns, int height, std::span<int> tops) {
    Heights heights(columns, height, tops.data(), 1);
    const bool glides = canGlide(table, columns, height);
    if (glides || canSum(table, columns, height)) {
        std::vector<Ns> before(columns.borders.size()), most(tops.size());
        glides ? table.estimateAll(columns.borders, before.data())
               : table.sumAll(columns.borders, before.data());
        return heights.putAll(before, most);
    }
    ColumnWalker walker(table);
    StripTable::Sums busy;
    for (std::size_t px = 0; px < tops.size(); ++px) {
        const Interval column = columns[static_cast<int>(px)];
        walker.measure(column, busy);
        heights.put(px, column, busy.data());
    }
}

} // namespace olab
