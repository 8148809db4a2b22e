#include <olab/ui/strip_painter.h>

#include <algorithm>

namespace olab {

namespace {

/// The pixels of an image, asked for once: QImage looks for sharing at every access.
class Pixels {
public:
    explicit Pixels(QImage& image)
        : m_bits(reinterpret_cast<QRgb*>(image.bits()))
        , m_stride(image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb)))
        , m_width(image.width())
        , m_height(image.height()) {}

    /// Rows [top, bottom) of one pixel column.
    void fillColumn(int x, int top, int bottom, QRgb colour) {
        if (x < 0 || x >= m_width)
            return;
        for (int y = std::max(top, 0); y < std::min(bottom, m_height); ++y)
            m_bits[y * m_stride + x] = colour;
    }

private:
    QRgb* m_bits;
    qsizetype m_stride;
    int m_width, m_height;
};

/// The classes that occur in a strip at all: most have one or two.
std::vector<std::size_t> classesOf(const Strip& strip) {
    std::vector<std::size_t> classes;
    for (std::size_t c = 0; c < kClassCount; ++c)
        if (!(*strip.coverage)[c].empty())
            classes.push_back(c);
    return classes;
}

} // namespace

int shareHeight(Ns part, Ns whole, int height) {
    if (part <= 0 || whole <= 0)
        return 0;
    // Doubles are exact enough for a share of pixels; the lengths themselves never were doubles.
    return static_cast<int>(static_cast<double>(part) / static_cast<double>(whole) * height + 0.5);
}

StripView::StripView(const Strip& strip, const Trace& trace, const Viewport& view)
    : m_strip(strip)
    , m_trace(trace)
    , m_view(view)
    , m_barLength(std::max<Ns>(view.lengthOf(2), 1))
    , m_classes(classesOf(strip))
    , m_busy(*strip.busy)
    , m_ofBars(m_barTime) {
    for (const std::size_t c : m_classes)
        m_ofClass.emplace_back((*strip.coverage)[c]);
    findBars();
    giveWay();
}

Interval StripView::columnAt(int px) const {
    if (px != m_lastPx) { // its neighbour's end is its begin: one division instead of two
        const Ns begin = px == m_lastPx + 1 && m_lastPx >= 0 ? m_lastColumn.end : m_view.timeAt(px);
        m_lastColumn = {begin, m_view.timeAt(px + 1)};
        m_lastPx = px;
    }
    return m_lastColumn;
}

void StripView::findBars() {
    std::vector<Interval> times;
    const auto [first, last] = m_strip.candidates(m_trace, m_view.visible());
    for (std::size_t i = first; i < last;) {
        if (m_strip.longest[i / kStripBlock] < m_barLength) {
            i = (i / kStripBlock + 1) * kStripBlock;
            continue;
        }
        const ActivityIndex a = m_strip.activities[i++];
        if (!isBar(a))
            continue;
        const Interval time = m_trace.time(a);
        const auto x0 = std::max<std::int64_t>(m_view.edgeAt(time.begin), 0);
        const auto x1 = std::min<std::int64_t>(m_view.edgeAt(time.end), m_view.width());
        times.push_back(time);
        if (x0 < x1)
            m_bars.push_back({a, static_cast<int>(x0), static_cast<int>(x1)});
    }
    m_barTime = IntervalSet::unionOfSorted(times);
}

void StripView::giveWay() {
    const auto yields = [this](int px) {
        const Interval column = columnAt(px);
        return somethingShortIn(column, m_busy.measure(column));
    };
    for (Bar& bar : m_bars) {
        if (yields(bar.x0))
            ++bar.x0;
        if (bar.x1 > bar.x0 && yields(bar.x1 - 1))
            --bar.x1;
    }
    std::erase_if(m_bars, [](const Bar& bar) { return bar.x0 >= bar.x1; });
}

bool StripView::somethingShortIn(Interval column, Ns busy) const {
    if (busy > m_ofBars.measure(column))
        return true;
    if (m_strip.instants.empty())
        return false;
    const auto at = std::ranges::lower_bound(m_strip.instants, column.begin);
    return at != m_strip.instants.end() && *at < column.end;
}

bool StripView::coveredByBar(int px) const {
    if (m_barAt > 0 && m_bars[m_barAt - 1].x1 > px) // to the left of the last look
        m_barAt = 0;
    while (m_barAt < m_bars.size() && m_bars[m_barAt].x1 <= px)
        ++m_barAt;
    return m_barAt < m_bars.size() && m_bars[m_barAt].x0 <= px;
}

ColumnFill StripView::column(int px, int height) const {
    ColumnFill fill;
    const Interval column = columnAt(px);
    if (column.length() <= 0 || coveredByBar(px))
        return fill;
    const Ns busy = m_busy.measure(column);
    if (!somethingShortIn(column, busy))
        return fill;
    fill.tick = true;
    fill.total = shareHeight(busy, column.length(), height);
    splitByClass(fill, column, busy);
    return fill;
}

/// By the classes' shares, so that the parts add up. The last class takes what is left: one measurement less,
/// and most strips have one class only.
void StripView::splitByClass(ColumnFill& fill, Interval column, Ns busy) const {
    Ns before = 0;
    int placed = 0;
    for (std::size_t i = 0; i < m_classes.size() && fill.total > placed; ++i) {
        const bool last = i + 1 == m_classes.size();
        before += last ? 0 : m_ofClass[i].measure(column);
        const int upTo = last ? fill.total : std::min(fill.total, shareHeight(before, busy, fill.total));
        fill.height[m_classes[i]] = upTo - placed;
        placed = upTo;
    }
}

void paintColumns(QImage& image, QPoint at, int height, const StripView& strip, int width,
                  const Theme& theme) {
    Pixels pixels(image);
    const int foot = at.y() + height - 1;
    for (int px = 0; px < width; ++px) {
        const ColumnFill fill = strip.column(px, height - 1);
        int bottom = foot;
        for (std::size_t c = 0; c < kClassCount && fill.total > 0; ++c) {
            if (fill.height[c] == 0)
                continue;
            pixels.fillColumn(at.x() + px, bottom - fill.height[c], bottom, theme.classes[c].rgb());
            bottom -= fill.height[c];
        }
        if (fill.tick)
            pixels.fillColumn(at.x() + px, foot, foot + 1, theme.tick.rgb());
    }
}

void paintRibbon(QImage& image, QPoint at, int height, const std::array<IntervalSet, 3>& atOnce,
                 const Viewport& view, const Theme& theme) {
    Pixels pixels(image);
    std::array cursors{CoverageCursor(atOnce[0]), CoverageCursor(atOnce[1]), CoverageCursor(atOnce[2])};
    const int foot = at.y() + height;
    Ns begin = view.timeAt(0);
    for (int px = 0; px < view.width(); ++px) {
        const Interval column{begin, view.timeAt(px + 1)};
        begin = column.end;
        for (std::size_t level = 0; level < atOnce.size(); ++level) {
            const int rows = shareHeight(cursors[level].measure(column), column.length(), height);
            pixels.fillColumn(at.x() + px, foot - rows, foot, theme.ribbon[level].rgb());
        }
    }
}

} // namespace olab
