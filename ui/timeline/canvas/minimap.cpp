#include "timeline/canvas/minimap.h"

#include "base/plain_text.h"
#include "timeline/canvas/small_picture.h"
#include "timeline/rows/timeline_rows.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>

#include <algorithm>

namespace olab::ui {

QScrollBar* makeScrollBar(TimelineCanvas& canvas, QWidget* parent) {
    auto* bar = new QScrollBar(Qt::Vertical, parent);
    bar->setSingleStep(20);
    QObject::connect(bar, &QScrollBar::valueChanged, &canvas.rows(), &TimelineRows::setScroll);
    QObject::connect(&canvas, &TimelineCanvas::scrollRangeChanged, bar, [bar, &canvas] {
        const QSignalBlocker quiet(bar);
        const int hidden = std::max(canvas.rows().layout().height - canvas.height(), 0);
        bar->setRange(0, hidden);
        bar->setPageStep(canvas.height());
        bar->setValue(canvas.rows().scroll());
        bar->setVisible(hidden > 0);
    });
    return bar;
}

namespace {

constexpr int kGripPx = 3; // how far from a frame one takes hold of it
constexpr int kMinimapHeight = 38;

} // namespace

Minimap::Minimap(TimelineCanvas& canvas, QWidget* parent)
    : QWidget(parent)
    , m_canvas(canvas) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("The whole run"));
    setTip(*this,
           tr("The whole run: click, or drag the frame, to move what is seen; drag outside the frame to "
              "see another range"));
    connect(&canvas, &TimelineCanvas::viewportChanged, this, qOverload<>(&QWidget::update));
}

void Minimap::forget() {
    m_image = {};
    update();
}

void Minimap::changeEvent(QEvent* event) {
    forget();
    QWidget::changeEvent(event);
}

QSize Minimap::sizeHint() const {
    const ViewStyle sizes = ViewStyle::of(font());
    return {0, sizes.projector() ? 2 * sizes.type : sizes.scaled(kMinimapHeight)};
}

void Minimap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ViewStyle& sizes = m_canvas.viewStyle();
    const int gutter = sizes.gutter();
    const Theme& theme = Theme::of(palette());
    painter.fillRect(rect(), theme.base);
    const view::ViewDataPtr& shown = m_canvas.shown();
    if (!shown)
        return;
    const QRect area(gutter, 2, width() - gutter, height() - 4);
    const double ratio = devicePixelRatioF();
    if (const QSize size = area.size() * ratio; m_image.size() != size) {
        m_image = pictureOf(*shown, size, theme, m_canvas.viewport().limits());
        m_image.setDevicePixelRatio(ratio);
    }
    painter.drawImage(area.topLeft(), m_image);
    painter.setPen(theme.dim);
    painter.setFont(sizes.smallFont(font()));
    painter.drawText(QRect(10, 0, gutter - 14, height()), Qt::AlignVCenter, tr("whole run"));
    const view::Viewport all = whole();
    const auto band = m_band.range(all, gutter, 1);
    const Interval seen = band.value_or(m_canvas.viewport().visible());
    const int x0 = area.x() + static_cast<int>(all.edgeAt(seen.begin)),
              x1 = area.x() + static_cast<int>(all.edgeAt(seen.end));
    QColor veil = theme.window;
    veil.setAlphaF(0.72F);
    painter.fillRect(QRect(area.x(), 0, x0 - area.x(), height()), veil);
    painter.fillRect(QRect(x1, 0, width() - x1, height()), veil);
    const int line = sizes.line, half = line / 2;
    painter.setPen(QPen(theme.accent, line, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(QRect(x0 + half, half, std::max(x1 - x0 - line, 2), height() - line));
}

view::Viewport Minimap::whole() const {
    view::Viewport all;
    all.setLimits(m_canvas.viewport().limits());
    all.setWidth(std::max(width() - m_canvas.gutter(), 1));
    all.fit();
    return all;
}

void Minimap::moveTo(int x) {
    const Ns middle = whole().timeAt(x - m_canvas.gutter()), length = m_canvas.viewport().visible().length();
    m_canvas.showRange({middle - length / 2, middle - length / 2 + length});
}

/// A narrow frame can be taken hold of all the same. One around everything has nowhere to go.
bool Minimap::isInFrame(int x) const {
    if (m_canvas.viewport().isFit())
        return false;
    const view::Viewport all = whole();
    const Interval seen = m_canvas.viewport().visible();
    const auto at = x - m_canvas.gutter();
    return at >= all.edgeAt(seen.begin) - kGripPx && at <= all.edgeAt(seen.end) + kGripPx;
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    const int x = event->position().toPoint().x();
    m_band.cancel();
    update();
    if (!m_canvas.shown() || event->button() != Qt::LeftButton)
        return;
    isInFrame(x) ? moveTo(x) : m_band.begin(x);
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    const int x = event->position().toPoint().x();
    if (m_band.held()) {
        m_band.drag(x);
        update();
    } else if (event->buttons() & Qt::LeftButton) {
        moveTo(x);
    }
}

void Minimap::mouseReleaseEvent(QMouseEvent* event) {
    const int x = event->position().toPoint().x();
    if (!m_band.held() || event->button() != Qt::LeftButton)
        return;
    m_band.drag(x);
    const auto range = m_band.range(whole(), m_canvas.gutter(), 1);
    m_band.cancel();
    update();
    range ? m_canvas.showRange(*range) : moveTo(x); // a click moves what is seen there
}

} // namespace olab::ui
