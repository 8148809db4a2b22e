#include "timeline/canvas/ruler.h"

#include "base/plain_text.h"
#include "timeline/canvas/canvas_overlay.h"
#include "timeline/canvas/lane_renderer.h"

#include <olab/ui/format.h>

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace olab::ui {

std::optional<Interval> TimeBand::range(const view::Viewport& view, int left, double ratio) const {
    if (!m_held || std::abs(m_to - m_from) < kLeastPx)
        return std::nullopt;
    const auto at = [&](int x) {
        return view.timeAt(std::clamp(static_cast<int>(std::lround((x - left) * ratio)), 0, view.width()));
    };
    return Interval{at(std::min(m_from, m_to)), at(std::max(m_from, m_to))};
}

namespace {

constexpr int kStepPx = 110, kHeight = 24;

} // namespace

Ruler::Ruler(TimelineCanvas& canvas, QWidget* parent)
    : QWidget(parent)
    , m_canvas(canvas) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Time ruler"));
    setTip(*this, tr("Drag to zoom to a range; double click shows the whole run"));
    connect(&canvas, &TimelineCanvas::viewportChanged, this, qOverload<>(&QWidget::update));
}

QSize Ruler::sizeHint() const {
    const ViewStyle sizes = ViewStyle::of(font());
    return {0, sizes.projector() ? 3 * sizes.type / 2 : sizes.scaled(kHeight)}; // its lanes need the rest
}

std::optional<Interval> Ruler::drawn() const {
    return m_canvas.shown() ? m_band.range(m_canvas.viewport(), m_canvas.gutter(), devicePixelRatioF())
                            : std::nullopt;
}

/// Any other button gives up what is being drawn.
void Ruler::mousePressEvent(QMouseEvent* event) {
    m_band.cancel();
    if (event->button() == Qt::LeftButton)
        m_band.begin(event->position().toPoint().x());
    m_canvas.overlay().setBand(std::nullopt);
    update();
}

void Ruler::mouseMoveEvent(QMouseEvent* event) {
    m_band.drag(event->position().toPoint().x());
    m_canvas.overlay().setBand(drawn());
    update();
}

void Ruler::mouseReleaseEvent(QMouseEvent* event) {
    m_band.drag(event->position().toPoint().x());
    const auto range = drawn();
    m_band.cancel();
    m_canvas.overlay().setBand(std::nullopt);
    update();
    if (range && range->length() > 0)
        m_canvas.showRange(*range);
}

void Ruler::mouseDoubleClickEvent(QMouseEvent*) {
    m_canvas.fit();
}

void Ruler::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    const ViewStyle& sizes = m_canvas.viewStyle();
    const int gutter = sizes.gutter(), stepPx = sizes.scaled(kStepPx), tick = sizes.scaled(6);
    painter.fillRect(rect(), theme.raised);
    painter.fillRect(0, height() - sizes.line, width(), sizes.line, theme.line);
    const view::ViewDataPtr& shown = m_canvas.shown();
    if (!shown)
        return;
    painter.setFont(sizes.smallFont(font()));
    const view::Viewport& view = m_canvas.viewport();
    const double ratio = devicePixelRatioF();
    const Ns step = gridStep(view, static_cast<int>(stepPx * ratio)), zero = m_canvas.zero();
    painter.setPen(theme.dim);
    const auto band = drawn();
    painter.drawText(QRect(10, 0, gutter - 14, height()), Qt::AlignVCenter,
                     band ? tr("zoom to %1").arg(durationText(band->length()))
                          : tr("%1 in view").arg(durationText(view.visible().length())));
    if (band) {
        QColor veil = theme.accent;
        veil.setAlphaF(0.35F);
        const QRect area = m_canvas.map().rectOf(*band);
        painter.fillRect(QRect(area.x(), 0, area.width(), height()), veil);
    }
    const Ns first = zero + (view.visible().begin - zero) / step * step;
    int free = 0; // right of the last label
    for (Ns t = first; t < view.visible().end; t += step) {
        const int x = gutter + static_cast<int>(static_cast<double>(view.edgeAt(t)) / ratio);
        if (x < gutter)
            continue;
        painter.fillRect(x, height() - tick, sizes.line, tick, theme.dim);
        const QString text = tickText(t - zero, step);
        const int wide = painter.fontMetrics().horizontalAdvance(text);
        painter.setPen(theme.text);
        if (x < free || x + 4 + wide > width()) // none is better than half of one
            continue;
        painter.drawText(QRect(x + 4, 0, wide + 1, height() - 2), Qt::AlignVCenter, text);
        free = x + wide + 12;
    }
}

} // namespace olab::ui
