#include "timeline/canvas/lane_renderer.h"

#include "timeline/canvas/canvas_marks.h"
#include "timeline/rows/row_names.h"

#include <olab/trace/lanes.h>
#include <olab/trace/side_by_side.h>

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace olab::ui {

namespace {

constexpr int kMinLabelWidth = 30, kGridPx = 110;
constexpr std::size_t kPixelsOfItem = 4; // for threadsFor(): four threads for 1920x1080
constexpr std::size_t kPartsEach = 6;    // of a thread: so that all end together
constexpr int kRateGap = 8, kMinRateWidth = 30;

int px(const RenderInput& in, int logical) {
    return static_cast<int>(std::floor(logical * in.ratio + 0.5));
}

/// The pinned rows last: they cover what is scrolled below them.
template <typename Paint>
void eachVisible(const QImage& image, const RenderInput& in, Paint paint) {
    for (const Row* row : in.rows.inView(in.scroll, static_cast<int>(image.height() / in.ratio) + 1))
        paint(*row);
}

QFont sized(const RenderInput& in, int logical) {
    return ViewStyle::sized(in.font, px(in, logical));
}

/// Headings of groups and the names of rows.
class HeadingPainter {
public:
    HeadingPainter(QImage& image, const RenderInput& input)
        : m_image(image)
        , m_in(input)
        , m_painter(&image)
        , m_font(sized(input, input.style.type))
        , m_small(sized(input, input.style.small)) {}

    void run() {
        m_painter.fillRect(m_image.rect(), m_in.theme.base);
        eachVisible(m_image, m_in,
                    [this](const Row& row) { row.kind == Row::Kind::Group ? group(row) : label(row); });
    }

private:
    int px(int logical) const { return olab::ui::px(m_in, logical); }
    int top(const Row& row) const { return px(m_in.rows.screenTop(row, m_in.scroll)); }
    int left() const { return px(m_in.style.gutter()); }

    void group(const Row& row) {
        const QRect area(0, top(row), m_image.width(), px(row.height));
        m_painter.fillRect(area, m_in.theme.group);
        QFont bold = m_font;
        bold.setBold(true);
        m_painter.setFont(bold);
        m_painter.setPen(m_in.theme.text);
        const QString arrow = row.folded ? QStringLiteral("▸  ") : QStringLiteral("▾  ");
        m_painter.drawText(area.adjusted(px(6), 0, 0, 0), Qt::AlignVCenter, arrow + row.label);
    }

    void label(const Row& row) {
        const int line = px(m_in.style.line);
        const QRect area(0, top(row), left() - line, px(row.height));
        m_painter.fillRect(area, m_in.theme.lane);
        m_painter.fillRect(QRect(left() - line, area.y(), line, area.height()), m_in.theme.line);
        if (area.height() < px(m_in.style.small)) // a thin line: the name is in the tooltip
            return;
        const bool ribbon = row.kind == Row::Kind::Ribbon;
        m_painter.setFont(ribbon || !laneKindRow(row.lane->kind).large ? m_small : m_font);
        m_painter.setPen(ribbon ? m_in.theme.dim : m_in.theme.text);
        const QRect text = area.adjusted(px(m_in.style.nameIndent(row.beneath)), 0, -px(6), 0);
        if (row.canOpen)
            m_painter.drawText(area.adjusted(px(1), 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                               row.isOpen ? QStringLiteral("▾") : QStringLiteral("▸"));
        const QRect scale = scaleArea(text, m_painter.fontMetrics().height(), scaleText(row));
        const QString elided = m_painter.fontMetrics().elidedText(row.label, Qt::ElideMiddle, text.width());
        m_painter.drawText(text.adjusted(0, 0, 0, -scale.height()), Qt::AlignVCenter | Qt::AlignLeft, elided);
        m_painter.setPen(m_in.theme.dim);
        m_painter.drawText(scale, Qt::AlignVCenter | Qt::AlignLeft, scaleText(row));
    }

    QImage& m_image;
    const RenderInput& m_in;
    QPainter m_painter;
    QFont m_font, m_small;
};

/// Everything right of the names: straight into the pixels, each of them once, then the labels of bars.
class LanePainter {
public:
    LanePainter(QImage& image, const RenderInput& input, BarLabels& labels)
        : m_image(image)
        , m_bits(image.bits())
        , m_in(input)
        , m_labels(labels)
        , m_columns(input.view)
        , m_strips(image, px(input.style.gutter()), gridRow(), input.theme, px(input.style.line)) {
        m_labels.setFont(sized(input, input.style.small));
        m_labels.beginImage();
    }

    void run() {
        int last = 0;
        bool overOthers = false;
        eachVisible(m_image, m_in, [&](const Row& row) {
            if (row.pinned && !std::exchange(overOthers, true))
                paintPending();
            paint(row);
            last = std::max(last, bottom(row));
        });
        m_strips.paintBase(last, m_image.height() - last);
        paintPending();
    }

private:
    /// A strip, or the ribbon of a device, at its place.
    struct Pending {
        const view::Strip* strip; ///< null: the ribbon
        int y, height, tick;
        std::uint8_t device = 0;
        std::vector<view::Bar> bars{};
    };

    /// On several threads: they are most of a frame. What is written over them follows on this one.
    void paintPending() {
        const auto pixels = static_cast<std::size_t>(m_in.view.width() * m_image.height());
        const std::size_t threads = threadsFor(pixels / kPixelsOfItem), parts = threads * kPartsEach;
        sideBySide(parts, threads, [&](std::size_t part) {
            StripPainter strips = m_strips;
            QImage image(m_bits, m_image.width(), m_image.height(), m_image.bytesPerLine(), m_image.format());
            for (std::size_t i = part; i < m_pending.size(); i += parts)
                paint(strips, image, m_pending[i]);
        });
        for (const Pending& each : m_pending)
            for (const view::Bar& bar : each.bars)
                label(bar, each);
        m_pending.clear();
    }

    void paint(StripPainter& painter, QImage& image, Pending& each) const {
        if (!each.strip)
            return painter.paintRibbon(each.y, each.height, m_in.lanes.index().atOnceTables(each.device),
                                       m_columns);
        const view::Colouring* const colouring = colouringOf(*each.strip, m_in.colouring);
        const view::StripView view = stripViewOf(*each.strip, m_columns, each.height - each.tick, colouring);
        painter.paint(each.y, each.height, view, m_in.lanes.index().looks(), colouring);
        waits(image, *each.strip, view, each.y, each.height);
        pointAtShort(image, view, each.y, colouring);
        each.bars.assign(view.bars().begin(), view.bars().end());
    }

    int px(int logical) const { return olab::ui::px(m_in, logical); }
    int top(const Row& row) const { return px(m_in.rows.screenTop(row, m_in.scroll)); }
    int bottom(const Row& row) const { return px(m_in.rows.screenTop(row, m_in.scroll) + row.height); }

    /// What every row of pixels has where nothing ran.
    std::vector<QRgb> gridRow() const {
        std::vector<QRgb> row(static_cast<std::size_t>(m_in.view.width()), m_in.theme.base.rgb());
        const Ns step = gridStep(m_in.view, px(m_in.style.scaled(kGridPx)));
        const int line = px(m_in.style.line);
        const Interval range = m_in.view.visible();
        for (Ns t = m_in.zero + (range.begin - m_in.zero) / step * step; t < range.end; t += step)
            if (const auto x = m_in.view.edgeAt(t); x > 0 && x < m_in.view.width())
                std::fill_n(row.begin() + x, std::min<std::int64_t>(line, m_in.view.width() - x),
                            m_in.theme.grid.rgb());
        return row;
    }

    void paint(const Row& row) {
        if (row.kind == Row::Kind::Group)
            return;
        int y = top(row);
        const auto space = [&](int until) {
            m_strips.paintBase(y, until - y);
            y = until;
        };
        space(top(row) + px(Row::kInset));
        if (row.kind == Row::Kind::Lane)
            y = showsValue(row.lane->kind) ? value(row) : lane(row);
        else if (row.device < m_in.lanes.index().deviceCount()) {
            const int height = px(row.height) - px(Row::kInset + 2);
            m_pending.push_back({nullptr, y, height, 0, row.device});
            y += height;
        }
        space(bottom(row));
    }

    /// Each sub-lane begins at its own rounded place, where it is looked for: none drifts with a fractional
    /// ratio. Returns where the last one ends.
    int lane(const Row& row) {
        int below = m_in.rows.screenTop(row, m_in.scroll) + Row::kInset, y = px(below);
        for (const view::Strip& strip : m_in.lanes.strips(row.lane->id)) {
            below += row.stripHeight;
            const int height = px(below) - y;
            const bool isLast = strip.depth + 1 == row.lane->depthCount;
            const int ideal = isLast && hasIdeal(row) ? idealHeight(height) : 0;
            const int drawn =
                std::max(height - ideal - (row.lane->depthCount > 1 ? 1 : 0), std::min(height, 3));
            const int tick = std::min(px(m_in.style.line), drawn / 3);
            if (y < m_image.height() && y + drawn > 0)
                m_pending.push_back({&strip, y, drawn, tick});
            m_strips.paintBase(y + drawn, height - drawn);
            if (ideal > 0)
                paintIdeal(m_image, left(), m_in.ideal->idealIn(row.lane->id, m_columns),
                           {y + drawn + 1, height - drawn - 1}, m_in.theme);
            y += height;
        }
        return y;
    }

    /// Returns where it ends.
    int value(const Row& row) {
        const int below = m_in.rows.screenTop(row, m_in.scroll) + Row::kInset, y = px(below),
                  height = px(below + row.stripHeight) - y;
        if (row.values && y < m_image.height() && y + height > 0)
            m_strips.paintValue(y, height, view::valueHeights(*row.values, m_columns, height),
                                m_in.theme.colour(row.lane->cls));
        else
            m_strips.paintBase(y, height);
        return y + height;
    }

    bool hasIdeal(const Row& row) const { return m_in.ideal && !m_in.ideal->ideal(row.lane->id).empty(); }

    /// In the rows of streams: there nothing else runs while an op of the stream waits.
    void waits(QImage& image, const view::Strip& strip, const view::StripView& view, int y,
               int height) const {
        if (!m_in.waits || strip.lane->kind != LaneKind::Stream)
            return;
        auto drawn = m_in.waits->waitsIn(strip, view, m_columns);
        if (!m_in.only.empty())
            std::erase_if(drawn, [this](const view::DrawnWait& each) {
                return std::ranges::find(m_in.only, each.wait.cause) == m_in.only.end();
            });
        paintWaits(image, left(), drawn, waitBand(y, height), m_in.theme, px(m_in.style.line));
    }

    void pointAtShort(QImage& image, const view::StripView& view, int y,
                      const view::Colouring* colouring) const {
        const auto marks = shortMarks(view, m_columns, px(kShortApart));
        if (marks.empty())
            return;
        QPainter painter(&image);
        painter.setPen(Qt::NoPen);
        const view::Looks& looks = m_in.lanes.index().looks();
        for (const ShortMark& mark : marks) {
            painter.setBrush(edgeOf(barColour(looks, mark.activity, colouring, m_in.theme), m_in.theme));
            painter.drawPolygon(arrowAt(left() + mark.column, y, px(Row::kInset)));
        }
    }

    int left() const { return px(m_in.style.gutter()); }

    void label(const view::Bar& bar, const Pending& of) {
        const int y = of.y, height = of.height;
        if (bar.x1 - bar.x0 < px(m_in.style.scaled(kMinLabelWidth)) || height < px(m_in.style.small + 1))
            return;
        const Trace& trace = m_in.lanes.index().trace();
        const QColor& fill = barColour(m_in.lanes.index().looks(), bar.activity,
                                       colouringOf(*of.strip, m_in.colouring), m_in.theme);
        const int left = bar.x0 + px(4), room = bar.x1 - left - px(3);
        const int taken = write(m_labels.fitting(trace, bar.activity, room, fill), left, y, height);
        if (const int gap = px(kRateGap);
            taken > 0 && room - taken - gap >= px(m_in.style.scaled(kMinRateWidth)))
            write(m_labels.rate(trace, bar.activity, room - taken - gap, fill), left + taken + gap, y,
                  height);
    }

    /// Returns how wide it is.
    int write(const QImage& text, int x, int y, int height) {
        if (text.isNull())
            return 0;
        const QPoint at(px(m_in.style.gutter()) + x, y + (height - text.height()) / 2);
        copy(text, at.x(), at.y());
        m_labels.written({at, text.size()});
        return text.width();
    }

    void copy(const QImage& from, int x, int y) {
        const int wide = std::min(from.width(), m_image.width() - x);
        for (int row = std::max(0, -y); row < std::min(from.height(), m_image.height() - y); ++row)
            std::memcpy(m_image.scanLine(y + row) + static_cast<qsizetype>(x) * 4, from.constScanLine(row),
                        static_cast<std::size_t>(wide) * 4);
    }

    QImage& m_image;
    uchar* m_bits;
    const RenderInput& m_in;
    BarLabels& m_labels;
    view::ViewColumns m_columns;
    StripPainter m_strips;
    std::vector<Pending> m_pending;
};

} // namespace

QRect scaleArea(const QRect& name, int line, const QString& scale) {
    if (scale.isEmpty() || name.height() < 2 * line)
        return {};
    return name.adjusted(0, name.height() / 2, 0, 0);
}

Ns gridStep(const view::Viewport& view, int minPx) {
    const Ns shortest = std::max<Ns>(view.lengthOf(minPx), 1);
    for (Ns decade = 1;; decade *= 10)
        for (const Ns step : {decade, 2 * decade, 5 * decade})
            if (step >= shortest || decade >= 1'000'000'000'000'000'000)
                return step;
}

namespace {

void copyLines(const QImage& from, QImage& to, int top, int bottom, int width) {
    for (int y = std::max(top, 0); y < std::min({bottom, to.height(), from.height()}); ++y)
        std::memcpy(to.scanLine(y), from.constScanLine(y), static_cast<std::size_t>(width) * sizeof(QRgb));
}

/// What scrolls is seen below the pinned rows only.
void copyGroups(const QImage& from, QImage& to, const RenderInput& input, bool pinnedOnly) {
    eachVisible(to, input, [&](const Row& row) {
        if (row.kind != Row::Kind::Group || (pinnedOnly && !row.pinned))
            return;
        const int y = input.rows.screenTop(row, input.scroll);
        const int top = row.pinned ? y : std::max(y, input.rows.pinnedHeight);
        copyLines(from, to, px(input, top), px(input, y + row.height), to.width());
    });
}

} // namespace

void renderLanes(QImage& image, const RenderInput& input, BarLabels& labels) {
    // Lanes that are scrolled under the pinned rows are painted over the heading of these.
    const int height = px(input, input.rows.pinnedHeight);
    const QImage pinned = height > 0 ? image.copy(0, 0, image.width(), height) : QImage();
    LanePainter(image, input, labels).run();
    if (height > 0)
        copyGroups(pinned, image, input, true);
}

void copyHeadings(const QImage& from, QImage& to, const RenderInput& input) {
    copyLines(from, to, 0, to.height(), std::min(px(input, input.style.gutter()), to.width()));
    copyGroups(from, to, input, false);
}

void renderRows(QImage& image, const RenderInput& input, BarLabels& labels) {
    HeadingPainter(image, input).run();
    renderLanes(image, input, labels);
}

} // namespace olab::ui
