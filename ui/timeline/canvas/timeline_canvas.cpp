#include <olab/ui/timeline_canvas.h>

#include "timeline/canvas/bar_colouring.h"
#include "timeline/canvas/canvas_overlay.h"
#include "timeline/canvas/lane_renderer.h"
#include "timeline/canvas/window_pixels.h"
#include "timeline/rows/timeline_rows.h"
#include <olab/trace/lanes.h>

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace olab::ui {

namespace {

/// The view rests: longer than between two steps of a hand that pans.
constexpr int kRestMs = 400;

} // namespace

TimelineCanvas::TimelineCanvas(QWidget* parent)
    : QWidget(parent)
    , m_style(ViewStyle::of(font()))
    , m_rows(new TimelineRows(this))
    , m_colours(new BarColouring(this))
    , m_ghosts(std::make_unique<Ghosts>([this] { accountChanged(); }))
    , m_overlay(std::make_unique<CanvasOverlay>(*this))
    , m_labels(std::make_unique<BarLabels>()) {
    connect(m_rows, &TimelineRows::changed, this, &TimelineCanvas::rowsChanged);
    connect(m_rows, &TimelineRows::inUseChanged, this, [this] {
        update();
        emit rowChanged();
    });
    connect(m_colours, &BarColouring::changed, this, [this] {
        m_imageValid = false;
        update();
        emit coloursChanged();
    });
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(this, &TimelineCanvas::viewportChanged, &m_rest, qOverload<>(&QTimer::start));
    connect(&m_rest, &QTimer::timeout, m_rows, [this] { m_rows->setSeen(m_view.visible()); });
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(gutter() + 120, 80);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr(
        "Lanes of engines, streams and host threads. W and S zoom, A and D pan, comma and full stop step."));
}

TimelineCanvas::~TimelineCanvas() = default;

void TimelineCanvas::setColourBy(view::ColourBy by) {
    m_colours->setBy(by);
}

void TimelineCanvas::emphasise(const std::vector<analysis::LossCause>& causes) {
    m_colours->setOnly(causes);
    m_ghosts->setOnly(causes);
}

void TimelineCanvas::setShown(view::ViewDataPtr shown) {
    emphasise({});
    m_shown = std::move(shown);
    m_labels->forget();
    m_selection.setShown(m_shown);
    m_overlay->forget();
    m_zero.reset();
    if (m_shown) {
        m_view.setLimits(m_shown->limits());
        m_view.fit();
    }
    m_rows->setShown(m_shown);
    emit selectionChanged();
    emit viewportChanged();
}

void TimelineCanvas::setAxis(Interval limits, Ns zero) {
    m_zero = zero;
    m_view.setLimits(limits);
    fit();
}

Ns TimelineCanvas::zero() const {
    return m_zero ? *m_zero : m_shown ? m_shown->zero() : 0;
}

void TimelineCanvas::refine(view::ViewDataPtr shown) {
    m_shown = std::move(shown);
    m_selection.refine(m_shown);
    m_labels->forget();
    m_rows->refine(m_shown);
}

/// They were laid out anew, or scrolled.
void TimelineCanvas::rowsChanged() {
    m_colours->setShown(m_shown, m_shown ? m_rows->drawn().opened() : std::vector<view::OpenedLanePtr>());
    m_view.setWidth(std::max(map().device(width()) - map().device(gutter()), 1));
    m_imageValid = m_headingsValid = false;
    update();
    emit scrollRangeChanged();
}

void TimelineCanvas::viewMoved() {
    m_imageValid = false;
    update();
    emit viewportChanged();
}

void TimelineCanvas::showRange(Interval range) {
    m_view.show(range);
    viewMoved();
}

void TimelineCanvas::fit() {
    m_view.fit();
    viewMoved();
}

void TimelineCanvas::zoomAt(int x, double factor) {
    m_view.zoomAt(std::clamp(map().columnAt(x), 0, m_view.width()), factor);
    viewMoved();
}

void TimelineCanvas::panByColumns(int columns) {
    m_view.panBy(columns);
    viewMoved();
}

void TimelineCanvas::accountChanged() {
    m_imageValid = false;
    update();
    emit ghostsChanged();
}

void TimelineCanvas::select(std::optional<ActivityIndex> index) {
    m_selection.select(index);
    update();
    emit selectionChanged();
}

void TimelineCanvas::selectGap(std::optional<view::Gap> gap) {
    m_selection.selectGap(gap);
    if (gap)
        m_rows->use(gap->lane);
    update();
    emit selectionChanged();
}

void TimelineCanvas::measure(std::optional<Interval> range) {
    if (!m_selection.measure(range))
        return;
    update();
    emit selectionChanged();
}

void TimelineCanvas::showTime(Interval time) {
    const Interval seen = m_view.visible();
    const Ns middle = time.begin + time.length() / 2;
    if (time.length() > seen.length())
        showRange({time.begin - time.length() / 8, time.end + time.length() / 8});
    else if (time.begin < seen.begin || time.end > seen.end)
        showRange({middle - seen.length() / 2, middle + seen.length() / 2});
}

void TimelineCanvas::bringIntoView(ActivityIndex index) {
    if (!m_shown || index >= m_shown->trace().size())
        return;
    showTime(m_shown->trace().time(index));
    const auto strips = m_rows->drawn().stripsWith(index);
    const Row* best = nullptr;
    for (const view::Strip* strip : strips) {
        const Row* row = m_rows->layout().of(strip->lane->id);
        if (row && m_rows->isSeen(*row))
            return;
        best = best ? best : row;
    }
    if (best)
        m_rows->setScroll(best->top - height() / 3);
}

void TimelineCanvas::zoomTo(ActivityIndex index) {
    if (!m_shown || index >= m_shown->trace().size())
        return;
    const Interval time = m_shown->trace().time(index);
    const Ns air = std::max<Ns>(time.length(), 500);
    showRange({time.begin - air, time.end + air});
    bringIntoView(index);
}

/// Into the image, or straight into `window` when that is not null and the headings are known.
void TimelineCanvas::render(QImage&& window) {
    const double ratio = devicePixelRatioF(); // of another screen, perhaps, than when it was laid out
    m_view.setWidth(std::max(map().device(width()) - map().device(gutter()), 1));
    const QSize size(map().device(width()), static_cast<int>(std::ceil(height() * devicePixelRatioF())));
    if (m_image.size() != size || m_image.devicePixelRatio() != ratio) {
        m_image = QImage(size, QImage::Format_RGB32);
        m_headingsValid = false;
    }
    m_image.setDevicePixelRatio(1);
    const RenderInput input{m_rows->drawn(),
                            zero(),
                            m_rows->layout(),
                            m_view,
                            Theme::of(palette()),
                            m_rows->scroll(),
                            m_style,
                            ratio,
                            font(),
                            m_ghosts->showsWaits() ? m_shown->account() : nullptr,
                            m_ghosts->showsIdeal() ? m_shown->account() : nullptr,
                            m_colours->made(),
                            m_ghosts->only()};
    if (m_headingsValid && window.size() == size) {
        renderLanes(window, input, *m_labels);
        copyHeadings(m_image, window, input);
    } else {
        m_headingsValid ? renderLanes(m_image, input, *m_labels) : renderRows(m_image, input, *m_labels);
        m_imageValid = m_headingsValid = true;
    }
    m_image.setDevicePixelRatio(ratio);
}

QRegion TimelineCanvas::names() const {
    QRegion region;
    const double ratio = devicePixelRatioF();
    for (const QRect& place : m_labels->places()) {
        const QPointF from = QPointF(place.topLeft()) / ratio;
        region += QRectF(from, QSizeF(place.size()) / ratio).toAlignedRect();
    }
    return region;
}

void TimelineCanvas::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    if (!m_shown || m_shown->trace().empty())
        return m_overlay->paintEmpty(painter);
    if (!m_imageValid || m_image.devicePixelRatio() != devicePixelRatioF())
        render(windowPixels(painter, *event, *this));
    if (m_imageValid)
        painter.drawImage(0, 0, m_image);
    m_overlay->paint(painter);
}

void TimelineCanvas::resizeEvent(QResizeEvent*) {
    m_rows->setRoom(height(), m_style);
    emit viewportChanged();
}

ViewStyle TimelineCanvas::styleNow() const {
    ViewStyle style = ViewStyle::of(font());
    if (m_names && !style.projector())
        style.names = *m_names;
    return style;
}

void TimelineCanvas::restyle() {
    if (m_style == styleNow())
        return;
    m_style = styleNow();
    setMinimumSize(gutter() + 120, 80);
    m_rows->setRoom(height(), m_style);
    emit viewportChanged();
}

void TimelineCanvas::setNamesWidth(std::optional<int> names) {
    constexpr int kLeast = 60, kMost = 480;
    m_names = names ? std::optional(std::clamp(*names, kLeast, kMost)) : std::nullopt;
    restyle();
    m_labels->forget();
    rowsChanged();
}

void TimelineCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange)
        restyle();
    m_imageValid = m_headingsValid = false;
    m_labels->forget();
    update();
    QWidget::changeEvent(event);
}

} // namespace olab::ui
