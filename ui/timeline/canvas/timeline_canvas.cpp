#include <olab/ui/timeline_canvas.h>

#include "timeline/accessibility/accessible_timeline.h"
#include "timeline/canvas/lane_renderer.h"
#include "timeline/canvas/window_pixels.h"
#include "timeline/rows/timeline_rows.h"
#include <olab/trace/lanes.h>
#include <olab/view/hit.h>

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace olab {

namespace {

constexpr int kHitPx = 3; // how far from a bar the pointer may be
constexpr const char* kEmptyText = "emptyText";

} // namespace

TimelineCanvas::TimelineCanvas(QWidget* parent)
    : QWidget(parent)
    , m_style(ViewStyle::of(font()))
    , m_rows(new TimelineRows(this))
    , m_labels(std::make_unique<BarLabels>()) {
    connect(m_rows, &TimelineRows::changed, this, &TimelineCanvas::rowsChanged);
    connect(m_rows, &TimelineRows::inUseChanged, this, [this] {
        update();
        emit rowChanged();
    });
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(gutter() + 120, 80);
    makeAccessible(*this);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr(
        "Lanes of engines, streams and host threads. W and S zoom, A and D pan, comma and full stop step."));
}

TimelineCanvas::~TimelineCanvas() = default;

int TimelineCanvas::device(int logical) const {
    return static_cast<int>(std::lround(logical * devicePixelRatioF()));
}
int TimelineCanvas::toColumn(int x) const {
    // The middle of the pixel: with a fractional ratio it covers parts of several columns.
    return static_cast<int>(std::floor((x + 0.5) * devicePixelRatioF())) - device(gutter());
}
void TimelineCanvas::setShown(ViewDataPtr shown) {
    m_shown = std::move(shown);
    m_labels->forget();
    m_hover.reset();
    m_selection.setShown(m_shown);
    m_band.reset();
    if (m_shown) {
        m_view.setLimits(m_shown->limits());
        m_view.fit();
    }
    m_rows->setShown(m_shown);
    emit selectionChanged();
    emit viewportChanged();
}

void TimelineCanvas::refine(ViewDataPtr shown) {
    m_shown = std::move(shown);
    m_selection.refine(m_shown);
    m_labels->forget();
    m_rows->refine(m_shown);
}

void TimelineCanvas::relayout() {
    m_rows->setRoom(height(), m_style);
}

/// They were laid out anew, or scrolled.
void TimelineCanvas::rowsChanged() {
    m_view.setWidth(std::max(device(width()) - device(gutter()), 1));
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
    const auto withAir = [this](Interval time, Ns least) {
        const Ns air = std::max(time.length() / 8, least);
        showRange({time.begin - air, time.end + air});
    };
    if (m_selection.picked() == Selection::Picked::Range && m_selection.range())
        withAir(*m_selection.range(), 10);
    else if (m_selection.activity())
        zoomTo(*m_selection.activity());
    else
        m_selection.gap() ? withAir(m_selection.gap()->time, 500) : fit();
}

void TimelineCanvas::zoomAt(int x, double factor) {
    m_view.zoomAt(std::clamp(toColumn(x), 0, m_view.width()), factor);
    viewMoved();
}

void TimelineCanvas::panBy(int pixels) {
    m_view.panBy(device(pixels));
    viewMoved();
}

const Strip* TimelineCanvas::stripAt(QPoint point) const {
    const Row* row = m_shown ? m_rows->at(point.y()) : nullptr;
    if (!row || !row->lane || point.x() < gutter())
        return nullptr;
    const auto strips = m_rows->drawn().strips(row->lane->id);
    if (strips.empty()) // it shows a value
        return nullptr;
    const int depth = (point.y() - m_rows->top(*row) - Row::kInset) / std::max(row->stripHeight, 1);
    return &strips[static_cast<std::size_t>(std::clamp<int>(depth, 0, static_cast<int>(strips.size()) - 1))];
}

std::optional<ActivityIndex> TimelineCanvas::activityAt(QPoint point) const {
    const Strip* strip = stripAt(point);
    if (!strip)
        return std::nullopt;
    return hitIn(*strip, m_view, toColumn(point.x()), kHitPx);
}

std::vector<QRect> TimelineCanvas::rectsIn(const Strip& strip, ActivityIndex index) const {
    const Row* row = m_rows->layout().of(strip.lane->id);
    const auto columns = row ? drawnColumns(strip, m_view, index) : std::nullopt;
    if (!columns || columns->x1 <= 0 || columns->x0 >= m_view.width())
        return {};
    const auto x0 = std::max<std::int64_t>(columns->x0, 0);
    const auto x1 = std::min<std::int64_t>(columns->x1, m_view.width());
    const double ratio = devicePixelRatioF();
    // The pixels whose middles lie on it; the nearest one when there are none.
    const auto logical = [&](std::int64_t column) {
        return static_cast<int>(std::ceil(static_cast<double>(column + device(gutter())) / ratio - 0.5));
    };
    const int left = logical(x0), width = std::max(logical(x1) - left, 1);
    QRect rect(left, m_rows->top(*row) + Row::kInset + strip.depth * row->stripHeight, width,
               row->stripHeight);
    if (!row->pinned && rect.top() < m_rows->layout().pinnedHeight) // what is pinned covers it
        rect.setTop(std::min(m_rows->layout().pinnedHeight, rect.bottom() + 1));
    return rect.height() > 0 ? std::vector{rect} : std::vector<QRect>{};
}

std::vector<QRect> TimelineCanvas::rectsOf(ActivityIndex index) const {
    std::vector<QRect> rects;
    if (!m_shown || index >= m_shown->trace().size())
        return rects;
    for (const Strip* strip : m_rows->drawn().stripsWith(index))
        for (const QRect& rect : rectsIn(*strip, index))
            rects.push_back(rect);
    return rects;
}

void TimelineCanvas::select(std::optional<ActivityIndex> index) {
    m_selection.select(index);
    update();
    emit selectionChanged();
}

void TimelineCanvas::selectGap(std::optional<Gap> gap) {
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

void TimelineCanvas::follow(int direction) {
    if (const auto best = m_selection.followed(direction)) {
        select(best);
        bringIntoView(*best);
    }
}

void TimelineCanvas::stepGap(int direction) {
    if (!m_shown || m_shown->index.lanes().lanes().empty())
        return;
    const Ns from = m_selection.gap()        ? m_selection.gap()->time.begin
                    : m_selection.activity() ? m_shown->trace().time(*m_selection.activity()).begin
                                             : m_view.visible().begin;
    const auto next = nextGap(*m_shown, m_rows->laneInUse(), from, direction);
    if (!next)
        return;
    selectGap(next);
    showTime(next->time);
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
    for (const Strip* strip : strips) {
        const Row* row = m_rows->layout().of(strip->lane->id);
        if (row && m_rows->isSeen(*row))
            return;
        best = best ? best : row;
    }
    if (best)
        m_rows->setScroll(best->top - height() / 3);
}

void TimelineCanvas::step(int direction) {
    if (!m_shown)
        return;
    if (m_shown->index.lanes().lanes().empty())
        return;
    const Lane& lane = *m_rows->drawn().lane(m_rows->laneInUse());
    m_rows->use(lane.id);
    if (lane.activities.empty())
        return;
    auto at = m_selection.activity() ? std::ranges::lower_bound(lane.activities, *m_selection.activity())
                                     : lane.activities.begin();
    if (m_selection.activity() && direction > 0 && at != lane.activities.end() &&
        *at == *m_selection.activity())
        ++at;
    if (m_selection.activity() && direction < 0)
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
    bringIntoView(index);
}

/// Into the image, or straight into `window` when that is not null and the headings are known.
void TimelineCanvas::render(QImage&& window) {
    const double ratio = devicePixelRatioF(); // of another screen, perhaps, than when it was laid out
    m_view.setWidth(std::max(device(width()) - device(gutter()), 1));
    const QSize size(device(width()), static_cast<int>(std::ceil(height() * devicePixelRatioF())));
    if (m_image.size() != size || m_image.devicePixelRatio() != ratio) {
        m_image = QImage(size, QImage::Format_RGB32);
        m_headingsValid = false;
    }
    m_image.setDevicePixelRatio(1);
    const RenderInput input{m_rows->drawn(),
                            m_shown->zero(),
                            m_rows->layout(),
                            m_view,
                            Theme::of(palette()),
                            m_rows->scroll(),
                            m_style,
                            ratio,
                            font(),
                            showsWaits() ? m_shown->account() : nullptr,
                            m_showsIdeal ? m_shown->account() : nullptr};
    if (m_headingsValid && window.size() == size) {
        renderLanes(window, input, *m_labels);
        copyHeadings(m_image, window, input);
    } else {
        m_headingsValid ? renderLanes(m_image, input, *m_labels) : renderRows(m_image, input, *m_labels);
        m_imageValid = m_headingsValid = true;
    }
    m_image.setDevicePixelRatio(ratio);
}

QString TimelineCanvas::emptyText() const {
    const QString said = property(kEmptyText).toString();
    return said.isEmpty()
               ? tr("Press F5 to run the experiment on the left,\nor drop a recording (.olab) here.")
               : said;
}

void TimelineCanvas::setEmptyText(const QString& text) {
    setProperty(kEmptyText, text);
    update();
}

void TimelineCanvas::paintEmpty(QPainter& painter) const {
    const Theme& theme = Theme::of(palette());
    painter.fillRect(rect(), theme.base);
    painter.setPen(theme.dim);
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     m_shown ? tr("This recording holds no activities.") : emptyText());
}

void TimelineCanvas::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    if (!m_shown || m_shown->trace().empty())
        return paintEmpty(painter);
    if (!m_imageValid || m_image.devicePixelRatio() != devicePixelRatioF())
        render(windowPixels(painter, *event, *this));
    if (m_imageValid)
        painter.drawImage(0, 0, m_image);
    paintOverlay(painter);
    paintBadge(painter);
}

void TimelineCanvas::resizeEvent(QResizeEvent*) {
    relayout();
    emit viewportChanged();
}

void TimelineCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange && m_style != ViewStyle::of(font())) {
        m_style = ViewStyle::of(font());
        setMinimumSize(gutter() + 120, 80);
        relayout();
        emit viewportChanged();
    }
    m_imageValid = m_headingsValid = false;
    m_labels->forget();
    update();
    QWidget::changeEvent(event);
}

} // namespace olab
