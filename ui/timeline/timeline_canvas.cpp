#include <olab/ui/timeline_canvas.h>

#include "timeline/hover_card.h"
#include "timeline/lane_renderer.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace olab {

namespace {

constexpr int kHitPx = 3; // how far from a bar the pointer may be
constexpr std::size_t kHitLooks =
    512; // a column may hold millions of activities: any of the first ones will do
constexpr double kWheelZoom = 0.85, kKeyZoom = 0.7;
constexpr int kRowInset = 3;

} // namespace

TimelineCanvas::TimelineCanvas(QWidget* parent)
    : QWidget(parent)
    , m_rows(std::make_unique<RowLayout>())
    , m_labels(std::make_unique<BarLabels>()) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(kGutter + 120, 80);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr(
        "Lanes of engines, streams and host threads. W and S zoom, A and D pan, comma and full stop step."));
}

TimelineCanvas::~TimelineCanvas() = default;

int TimelineCanvas::device(int logical) const {
    return static_cast<int>(std::lround(logical * devicePixelRatioF()));
}
int TimelineCanvas::toColumn(int x) const {
    return device(x - kGutter);
}
int TimelineCanvas::contentHeight() const {
    return m_rows->height;
}

void TimelineCanvas::setShown(ShownPtr shown) {
    m_shown = std::move(shown);
    m_labels->forget();
    m_hover.reset();
    m_selected.reset();
    m_lit.clear();
    m_scroll = 0;
    if (m_shown) {
        m_view.setLimits(m_shown->limits());
        m_view.fit();
    }
    relayout();
    emit selectionChanged();
    emit viewportChanged();
}

void TimelineCanvas::relayout() {
    *m_rows = m_shown ? RowLayout::of(m_shown->index, m_collapsed, height()) : RowLayout{};
    m_view.setWidth(std::max(device(width() - kGutter), 1));
    m_scroll = std::clamp(m_scroll, 0, std::max(m_rows->height - height(), 0));
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

void TimelineCanvas::fitSelection() {
    m_selected ? zoomTo(*m_selected) : fit();
}

void TimelineCanvas::zoomAt(int x, double factor) {
    m_view.zoomAt(std::clamp(toColumn(x), 0, m_view.width()), factor);
    viewMoved();
}

void TimelineCanvas::panBy(int pixels) {
    m_view.panBy(device(pixels));
    viewMoved();
}

void TimelineCanvas::setScroll(int y) {
    const int next = std::clamp(y, 0, std::max(m_rows->height - height(), 0));
    if (next == m_scroll)
        return;
    m_scroll = next;
    m_imageValid = m_headingsValid = false;
    update();
    emit scrollRangeChanged();
}

void TimelineCanvas::toggleGroup(int group) {
    if (!m_collapsed.erase(group))
        m_collapsed.insert(group);
    relayout();
}

const Strip* TimelineCanvas::stripAt(QPoint point) const {
    const Row* row = m_shown ? m_rows->at(point.y() + m_scroll) : nullptr;
    if (!row || !row->lane || point.x() < kGutter)
        return nullptr;
    const auto strips = m_shown->index.strips(row->lane->id);
    const int depth = (point.y() + m_scroll - row->top - kRowInset) / std::max(row->stripHeight, 1);
    return &strips[static_cast<std::size_t>(std::clamp<int>(depth, 0, static_cast<int>(strips.size()) - 1))];
}

std::optional<ActivityIndex> TimelineCanvas::activityAt(QPoint point) const {
    const Strip* strip = stripAt(point);
    if (!strip)
        return std::nullopt;
    const int px = toColumn(point.x());
    const Interval exact = m_view.column(px);
    const auto [first, last] =
        strip->candidates({m_view.timeAt(px - kHitPx), m_view.timeAt(px + kHitPx + 1)});
    std::optional<ActivityIndex> best;
    Ns bestDistance = 0;
    for (std::size_t i = first; i < std::min(last, first + kHitLooks); ++i) {
        const Interval time = m_shown->trace().time(strip->activities[i]);
        const Ns distance = std::max({time.begin - exact.end + 1, exact.begin - time.end, Ns{0}});
        if (!best || distance < bestDistance) {
            best = strip->activities[i];
            bestDistance = distance;
        }
    }
    return best;
}

std::vector<QRect> TimelineCanvas::rectsIn(const Strip& strip, ActivityIndex index) const {
    const Row* row = m_rows->of(strip.lane->id);
    const Interval time = m_shown->trace().time(index);
    if (!row || time.end < m_view.visible().begin || time.begin >= m_view.visible().end)
        return {};
    const auto x0 = std::max<std::int64_t>(m_view.edgeAt(time.begin), 0);
    const auto x1 = std::min<std::int64_t>(std::max(m_view.edgeAt(time.end), x0 + 1), m_view.width());
    if (x0 >= m_view.width())
        return {};
    const double ratio = devicePixelRatioF();
    const int left = kGutter + static_cast<int>(static_cast<double>(x0) / ratio);
    const int width = std::max(static_cast<int>(std::ceil(static_cast<double>(x1 - x0) / ratio)), 1);
    return {QRect(left, row->top + kRowInset + strip.depth * row->stripHeight - m_scroll, width,
                  row->stripHeight)};
}

std::vector<QRect> TimelineCanvas::rectsOf(ActivityIndex index) const {
    std::vector<QRect> rects;
    if (!m_shown || index >= m_shown->trace().size())
        return rects;
    for (const Strip* strip : m_shown->index.stripsWith(index))
        for (const QRect& rect : rectsIn(*strip, index))
            rects.push_back(rect);
    return rects;
}

void TimelineCanvas::select(std::optional<ActivityIndex> index) {
    m_selected = index;
    m_lit = index && m_shown ? m_shown->sameOp(*index) : std::vector<ActivityIndex>{};
    update();
    emit selectionChanged();
}

void TimelineCanvas::bringIntoView(ActivityIndex index) {
    const Interval time = m_shown->trace().time(index), seen = m_view.visible();
    if (time.begin < seen.begin || time.end > seen.end)
        showRange({time.begin + time.length() / 2 - seen.length() / 2,
                   time.begin + time.length() / 2 + seen.length() / 2});
}

void TimelineCanvas::step(int direction) {
    if (!m_shown)
        return;
    const auto lanes = m_shown->index.lanes().lanes();
    if (lanes.empty())
        return;
    const Lane& lane = m_selectedLane.value < lanes.size() ? lanes[m_selectedLane.value] : lanes.front();
    m_selectedLane = lane.id;
    if (lane.activities.empty())
        return;
    auto at = m_selected ? std::ranges::lower_bound(lane.activities, *m_selected) : lane.activities.begin();
    if (m_selected && direction > 0 && at != lane.activities.end() && *at == *m_selected)
        ++at;
    if (m_selected && direction < 0)
        at = at == lane.activities.begin() ? at : at - 1;
    if (at == lane.activities.end())
        --at;
    select(*at);
    bringIntoView(*at);
}

void TimelineCanvas::zoomTo(ActivityIndex index) {
    if (!m_shown || index >= m_shown->trace().size())
        return;
    const Interval time = m_shown->trace().time(index);
    const Ns air = std::max<Ns>(time.length(), 500);
    showRange({time.begin - air, time.end + air});
    const auto strips = m_shown->index.stripsWith(index);
    if (const Row* row = strips.empty() ? nullptr : m_rows->of(strips.front()->lane->id))
        if (row->top < m_scroll || row->bottom() > m_scroll + height())
            setScroll(row->top - height() / 3);
}

void TimelineCanvas::render() {
    const double ratio = devicePixelRatioF();
    const QSize size(device(width()), device(height()));
    if (m_image.size() != size || m_image.devicePixelRatio() != ratio) {
        m_image = QImage(size, QImage::Format_RGB32);
        m_headingsValid = false;
    }
    m_image.setDevicePixelRatio(1);
    const RenderInput input{m_shown->index, m_shown->zero(), *m_rows, m_view, Theme::of(palette()),
                            m_scroll,       kGutter,         ratio,   font(), m_collapsed};
    m_headingsValid ? renderLanes(m_image, input, *m_labels) : renderRows(m_image, input, *m_labels);
    m_image.setDevicePixelRatio(ratio);
    m_imageValid = m_headingsValid = true;
}

void TimelineCanvas::paintEmpty(QPainter& painter) const {
    const Theme& theme = Theme::of(palette());
    painter.fillRect(rect(), theme.base);
    painter.setPen(theme.dim);
    painter.drawText(
        rect(), Qt::AlignCenter | Qt::TextWordWrap,
        m_shown ? tr("This recording holds no activities.")
                : tr("Press F5 to run the experiment on the left,\nor drop a recording (.olab) here."));
}

void TimelineCanvas::paintOverlay(QPainter& painter) const {
    const Theme& theme = Theme::of(palette());
    painter.setClipRect(QRect(kGutter, 0, width() - kGutter, height()));
    for (const ActivityIndex lit : m_lit)
        for (const QRect& rect : rectsOf(lit)) {
            painter.setPen(QPen(theme.base, 4));
            painter.drawRect(rect.adjusted(-1, -1, 0, 0));
            painter.setPen(QPen(theme.selection, 2));
            painter.drawRect(rect.adjusted(-1, -1, 0, 0));
        }
    if (m_hover && m_hover != m_selected)
        for (const QRect& rect : rectsOf(*m_hover)) {
            painter.setPen(QPen(theme.selection, 1));
            painter.drawRect(rect.adjusted(0, 0, -1, -1));
        }
}

void TimelineCanvas::paintBadge(QPainter& painter) const {
    const QString badge = QString::fromStdString(m_shown->recording->badge());
    if (badge.isEmpty())
        return;
    const Theme& theme = Theme::of(palette());
    QFont bold = font();
    bold.setBold(true);
    bold.setPixelSize(11);
    painter.setFont(bold);
    painter.setClipping(false);
    const int wide = painter.fontMetrics().horizontalAdvance(badge) + 16;
    const QRect area(width() - wide - 6, 2, wide, 17);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.colour(VerdictKind::Partial));
    painter.drawRoundedRect(area, 4, 4);
    painter.setPen(inkOn(theme.colour(VerdictKind::Partial)));
    painter.drawText(area, Qt::AlignCenter, badge);
}

void TimelineCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!m_shown || m_shown->trace().empty())
        return paintEmpty(painter);
    if (!m_imageValid || m_image.devicePixelRatio() != devicePixelRatioF())
        render();
    painter.drawImage(0, 0, m_image);
    paintOverlay(painter);
    paintBadge(painter);
}

void TimelineCanvas::resizeEvent(QResizeEvent*) {
    relayout();
    emit viewportChanged();
}

void TimelineCanvas::changeEvent(QEvent* event) {
    m_imageValid = m_headingsValid = false;
    m_labels->forget();
    update();
    QWidget::changeEvent(event);
}

void TimelineCanvas::updateHover(QPoint point) {
    const auto next = activityAt(point);
    if (next != m_hover) {
        m_hover = next;
        update();
    }
    const Row* row = m_shown ? m_rows->at(point.y() + m_scroll) : nullptr;
    const QString text = m_hover                      ? hoverText(*m_shown, *m_hover)
                         : row && point.x() < kGutter ? row->help
                                                      : QString();
    QToolTip::showText(mapToGlobal(point + QPoint(12, 16)), text, this);
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    if (!(event->buttons() & Qt::LeftButton))
        return updateHover(point);
    if (!m_dragging && (point - m_pressed).manhattanLength() < 4)
        return;
    m_dragging = true;
    setCursor(Qt::ClosedHandCursor);
    panBy(m_last.x() - point.x());
    setScroll(m_scroll + m_last.y() - point.y());
    m_last = point;
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
    m_pressed = m_last = event->position().toPoint();
    m_dragging = false;
    QToolTip::hideText();
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
    unsetCursor();
    if (m_dragging || event->button() != Qt::LeftButton || !m_shown)
        return;
    const QPoint point = event->position().toPoint();
    const Row* row = m_rows->at(point.y() + m_scroll);
    if (row && row->kind == Row::Kind::Group)
        return toggleGroup(row->group);
    const auto hit = activityAt(point);
    if (hit && row && row->lane)
        m_selectedLane = row->lane->id;
    select(hit);
}

void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto hit = activityAt(event->position().toPoint()))
        zoomTo(*hit);
}

void TimelineCanvas::leaveEvent(QEvent*) {
    m_hover.reset();
    update();
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    if (event->modifiers() & Qt::ControlModifier)
        zoomAt(event->position().toPoint().x(), std::pow(kWheelZoom, delta.y() / 120.0));
    else if ((event->modifiers() & Qt::ShiftModifier) || delta.x() != 0)
        panBy(-(delta.x() != 0 ? delta.x() : delta.y()) / 2);
    else
        setScroll(m_scroll - delta.y() / 3);
    event->accept();
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
    const QPoint pointer = mapFromGlobal(QCursor::pos());
    const bool inside = rect().contains(pointer) && pointer.x() > kGutter;
    const int middle = inside ? pointer.x() : kGutter + (width() - kGutter) / 2;
    const int stride = std::max((width() - kGutter) / 8, 1);
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomAt(middle, kKeyZoom);
    case Qt::Key_S:
    case Qt::Key_Minus:
        return zoomAt(middle, 1 / kKeyZoom);
    case Qt::Key_A:
    case Qt::Key_Left:
        return panBy(-stride);
    case Qt::Key_D:
    case Qt::Key_Right:
        return panBy(stride);
    case Qt::Key_Up:
        return setScroll(m_scroll - 40);
    case Qt::Key_Down:
        return setScroll(m_scroll + 40);
    case Qt::Key_F:
        return fitSelection();
    case Qt::Key_Home:
        return fit();
    case Qt::Key_Period:
        return step(+1);
    case Qt::Key_Comma:
        return step(-1);
    case Qt::Key_Question:
        emit helpRequested();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace olab
