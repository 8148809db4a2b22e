#include "timeline/lane_renderer.h"

#include <olab/ui/format.h>

#include <QPainter>

#include <algorithm>

namespace olab {

namespace {

constexpr int kMinLabelWidth = 30, kGridPx = 110, kHatchMinWidth = 5;

class Renderer {
public:
    Renderer(QImage& image, const RenderInput& input)
        : m_image(image)
        , m_in(input)
        , m_painter(&image) {
        m_font = input.font;
        m_font.setPixelSize(px(12));
        m_small = input.font;
        m_small.setPixelSize(px(11));
    }

    void run() {
        m_painter.fillRect(m_image.rect(), m_in.theme.base);
        grid();
        for (const Row& row : m_in.rows.rows)
            if (row.bottom() > m_in.scroll && (row.top - m_in.scroll) * m_in.ratio < m_image.height())
                paint(row);
    }

private:
    int px(int logical) const { return static_cast<int>(logical * m_in.ratio + 0.5); }
    int top(const Row& row) const { return px(row.top - m_in.scroll); }
    int left() const { return px(m_in.gutter); }

    void grid() {
        const Ns step = gridStep(m_in.view, px(kGridPx)), zero = m_in.shown.zero();
        const Interval range = m_in.view.visible();
        m_painter.setPen(m_in.theme.grid);
        for (Ns t = zero + (range.begin - zero) / step * step; t < range.end; t += step) {
            const auto x = left() + static_cast<int>(m_in.view.edgeAt(t));
            if (x > left())
                m_painter.drawLine(x, 0, x, m_image.height());
        }
    }

    void paint(const Row& row) {
        if (row.kind == Row::Kind::Group)
            return group(row);
        label(row);
        if (row.kind == Row::Kind::Ribbon && row.device < m_in.shown.index.deviceCount())
            paintRibbon(m_image, {left(), top(row) + px(3)}, px(row.height) - px(5),
                        m_in.shown.index.atOnce(row.device), m_in.view, m_in.theme);
        if (row.kind == Row::Kind::Lane)
            lane(row);
    }

    void group(const Row& row) {
        const QRect area(0, top(row), m_image.width(), px(row.height));
        m_painter.fillRect(area, m_in.theme.group);
        QFont bold = m_font;
        bold.setBold(true);
        m_painter.setFont(bold);
        m_painter.setPen(m_in.theme.text);
        const QString arrow =
            m_in.collapsed.contains(row.group) ? QStringLiteral("▸  ") : QStringLiteral("▾  ");
        m_painter.drawText(area.adjusted(px(6), 0, 0, 0), Qt::AlignVCenter, arrow + row.label);
    }

    void label(const Row& row) {
        const QRect area(0, top(row), left() - 1, px(row.height));
        m_painter.fillRect(area, m_in.theme.lane);
        m_painter.fillRect(QRect(left() - 1, area.y(), 1, area.height()), m_in.theme.line);
        const bool ribbon = row.kind == Row::Kind::Ribbon;
        m_painter.setFont(ribbon || row.lane->kind != LaneKind::Engine ? m_small : m_font);
        m_painter.setPen(ribbon ? m_in.theme.dim : m_in.theme.text);
        const QRect text = area.adjusted(px(10), 0, -px(6), 0);
        const QString elided = m_painter.fontMetrics().elidedText(row.label, Qt::ElideRight, text.width());
        m_painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, elided);
    }

    void lane(const Row& row) {
        const int height = px(row.stripHeight);
        int y = top(row) + px(3);
        for (const Strip& strip : m_in.shown.index.strips(row.lane->id)) {
            const StripView view(strip, m_in.shown.trace(), m_in.view);
            const int drawn = std::max(height - (row.lane->depthCount > 1 ? 1 : 0), 3);
            paintColumns(m_image, {left(), y}, drawn, view, m_in.view.width(), m_in.theme);
            for (const Bar& bar : view.bars())
                paintBar(bar, y, drawn);
            y += height;
        }
    }

    void paintBar(const Bar& bar, int y, int height) {
        const ActivityClass cls = m_in.shown.trace().cls(bar.activity);
        const QColor& fill = m_in.theme.colour(cls);
        const QRect area(left() + bar.x0, y, bar.x1 - bar.x0, height);
        m_painter.fillRect(area, fill);
        const QColor edge = m_in.theme.dark ? fill.lighter(135) : fill.darker(135);
        if (area.width() >= kHatchMinWidth && hatchOf(cls) != Qt::NoBrush) {
            QColor ink = inkOn(fill);
            ink.setAlphaF(0.32F);
            m_painter.fillRect(area, QBrush(ink, hatchOf(cls)));
        }
        // The left edge tells two bars that touch from one.
        if (area.width() >= 3)
            m_painter.fillRect(QRect(area.x(), area.y(), 1, area.height()), edge);
        barText(bar, area, fill);
    }

    void barText(const Bar& bar, const QRect& area, const QColor& fill) {
        if (area.width() < px(kMinLabelWidth) || area.height() < px(12))
            return;
        m_painter.setFont(m_small);
        const QRect inner = area.adjusted(px(4), 0, -px(3), 0);
        const QString full = activityLabel(m_in.shown.trace(), bar.activity);
        const QFontMetrics metrics = m_painter.fontMetrics();
        QString text = full;
        if (metrics.horizontalAdvance(text) > inner.width()) // the first word alone beats "H2D 1…"
            text = full.section(QLatin1Char(' '), 0, 0);
        if (metrics.horizontalAdvance(text) > inner.width())
            text = metrics.elidedText(text, Qt::ElideRight, inner.width());
        if (text.size() < 2)
            return;
        if (hatchOf(m_in.shown.trace().cls(bar.activity)) != Qt::NoBrush)
            m_painter.fillRect(QRect(inner.x() - px(2), inner.center().y() - metrics.height() / 2,
                                     std::min(metrics.horizontalAdvance(text), inner.width()) + px(4),
                                     metrics.height()),
                               fill);
        m_painter.setPen(inkOn(fill));
        m_painter.drawText(inner, Qt::AlignVCenter | Qt::AlignLeft, text);
    }

    QImage& m_image;
    const RenderInput& m_in;
    QPainter m_painter;
    QFont m_font, m_small;
};

} // namespace

Ns gridStep(const Viewport& view, int minPx) {
    const Ns shortest = std::max<Ns>(view.lengthOf(minPx), 1);
    for (Ns decade = 1;; decade *= 10)
        for (const Ns step : {decade, 2 * decade, 5 * decade})
            if (step >= shortest || decade >= 1'000'000'000'000'000'000)
                return step;
}

void renderRows(QImage& image, const RenderInput& input) {
    Renderer(image, input).run();
}

} // namespace olab
