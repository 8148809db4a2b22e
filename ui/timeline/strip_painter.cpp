#include <olab/ui/strip_painter.h>

#include <algorithm>

namespace olab {

namespace {

/// Rows [top, bottom) of one pixel column.
void fillColumn(QImage& image, int x, int top, int bottom, QRgb colour) {
    if (x < 0 || x >= image.width())
        return;
    for (int y = std::max(top, 0); y < std::min(bottom, image.height()); ++y)
        reinterpret_cast<QRgb*>(image.scanLine(y))[x] = colour;
}

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
    , m_classes(classesOf(strip)) {
    findBars();
    giveWay();
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
        const Interval column = m_view.column(px);
        return somethingShortIn(column, m_strip.busy->measure(column));
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
    if (busy > m_barTime.measure(column))
        return true;
    // Zero-length activities are in no IntervalSet. At most one bar begins in a column, so two looks are
    // enough.
    auto at = std::ranges::partition_point(
        m_strip.activities, [&](ActivityIndex a) { return m_trace.begins()[a] < column.begin; });
    for (int look = 0; look < 2 && at != m_strip.activities.end() && m_trace.begins()[*at] < column.end;
         ++look, ++at)
        if (!isBar(*at))
            return true;
    return false;
}

bool StripView::coveredByBar(int px) const {
    const auto at = std::ranges::partition_point(m_bars, [&](const Bar& bar) { return bar.x1 <= px; });
    return at != m_bars.end() && at->x0 <= px;
}

ColumnFill StripView::column(int px, int height) const {
    ColumnFill fill;
    const Interval column = m_view.column(px);
    if (column.length() <= 0 || coveredByBar(px))
        return fill;
    const Ns busy = m_strip.busy->measure(column);
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
        before += last ? 0 : (*m_strip.coverage)[m_classes[i]].measure(column);
        const int upTo = last ? fill.total : std::min(fill.total, shareHeight(before, busy, fill.total));
        fill.height[m_classes[i]] = upTo - placed;
        placed = upTo;
    }
}

void paintColumns(QImage& image, QPoint at, int height, const StripView& strip, int width,
                  const Theme& theme) {
    const int foot = at.y() + height - 1;
    for (int px = 0; px < width; ++px) {
        const ColumnFill fill = strip.column(px, height - 1);
        int bottom = foot;
        for (std::size_t c = 0; c < kClassCount && fill.total > 0; ++c) {
            if (fill.height[c] == 0)
                continue;
            fillColumn(image, at.x() + px, bottom - fill.height[c], bottom, theme.classes[c].rgb());
            bottom -= fill.height[c];
        }
        if (fill.tick)
            fillColumn(image, at.x() + px, foot, foot + 1, theme.tick.rgb());
    }
}

void paintRibbon(QImage& image, QPoint at, int height, const std::array<IntervalSet, 3>& atOnce,
                 const Viewport& view, const Theme& theme) {
    const int foot = at.y() + height;
    for (int px = 0; px < view.width(); ++px) {
        const Interval column = view.column(px);
        for (std::size_t level = 0; level < atOnce.size(); ++level) {
            const int rows = shareHeight(atOnce[level].measure(column), column.length(), height);
            fillColumn(image, at.x() + px, foot - rows, foot, theme.ribbon[level].rgb());
        }
    }
}

} // namespace olab
