#include "timeline/time_strips.h"

#include "timeline/lane_renderer.h"

#include <olab/ui/format.h>

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace olab {

namespace {

constexpr int kRulerStepPx = 110, kLegendGap = 16, kSwatch = 22;
constexpr int kLegendLeft = 10, kLegendAir = 5;
constexpr int kRulerHeight = 24, kMinimapHeight = 38, kLegendHeight = 22;

std::vector<const Lane*> engineLanes(const Shown& shown) {
    std::vector<const Lane*> lanes;
    for (const Lane& lane : shown.index.lanes().lanes())
        if (lane.kind == LaneKind::Engine)
            lanes.push_back(&lane);
    return lanes;
}

/// The columns of one lane as coverage shares, all depths together.
void paintLaneShares(QImage& image, int top, int height, const Lane& lane, const Viewport& view,
                     const Theme& theme) {
    std::vector<std::pair<QRgb, CoverageCursor>> classes;
    for (std::size_t c = 0; c < kClassCount; ++c)
        if (!lane.coverage[c].empty())
            classes.emplace_back(theme.classes[c].rgb(), CoverageCursor(lane.coverage[c]));
    for (int px = 0; px < view.width(); ++px) {
        const Interval column = view.column(px);
        int bottom = top + height;
        for (auto& [colour, cursor] : classes) {
            const int rows = shareHeight(cursor.measure(column), column.length(), height);
            for (int y = std::max(bottom - rows, top); y < bottom; ++y)
                image.setPixel(px, y, colour);
            bottom -= rows;
        }
    }
}

} // namespace

QImage pictureOf(const Shown& shown, QSize size, const Theme& theme, std::optional<Interval> range) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(theme.base);
    const auto lanes = engineLanes(shown);
    if (lanes.empty())
        return image;
    Viewport view;
    view.setLimits(range.value_or(shown.limits()));
    view.setWidth(size.width());
    view.fit();
    const int each = std::max(size.height() / static_cast<int>(lanes.size()), 3);
    int top = 0;
    for (const Lane* lane : lanes) {
        if (top + each <= size.height())
            paintLaneShares(image, top + 1, each - 2, *lane, view, theme);
        top += each;
    }
    return image;
}

Ruler::Ruler(TimelineCanvas& canvas, QWidget* parent)
    : QWidget(parent)
    , m_canvas(canvas) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Time ruler"));
    connect(&canvas, &TimelineCanvas::viewportChanged, this, qOverload<>(&QWidget::update));
}

QSize Ruler::sizeHint() const {
    const ViewStyle sizes = ViewStyle::of(font());
    return {0,
            sizes.projector() ? 3 * sizes.type / 2 : sizes.scaled(kRulerHeight)}; // its lanes need the rest
}

void Ruler::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    const ViewStyle& sizes = m_canvas.viewStyle();
    const int gutter = sizes.gutter(), stepPx = sizes.scaled(kRulerStepPx), tick = sizes.scaled(6);
    painter.fillRect(rect(), theme.raised);
    painter.fillRect(0, height() - sizes.line, width(), sizes.line, theme.line);
    const ShownPtr& shown = m_canvas.shown();
    if (!shown)
        return;
    painter.setFont(sizes.smallFont(font()));
    const Viewport& view = m_canvas.viewport();
    const double ratio = devicePixelRatioF();
    const Ns step = gridStep(view, static_cast<int>(stepPx * ratio)), zero = shown->zero();
    painter.setPen(theme.dim);
    painter.drawText(QRect(10, 0, gutter - 14, height()), Qt::AlignVCenter,
                     tr("%1 in view").arg(durationText(view.visible().length())));
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

Minimap::Minimap(TimelineCanvas& canvas, QWidget* parent)
    : QWidget(parent)
    , m_canvas(canvas) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("The whole run"));
    setToolTip(tr("The whole run: click or drag to move the visible range"));
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
    const ShownPtr& shown = m_canvas.shown();
    if (!shown)
        return;
    const QRect area(gutter, 2, width() - gutter, height() - 4);
    const double ratio = devicePixelRatioF();
    if (const QSize size = area.size() * ratio; m_image.size() != size) {
        m_image = pictureOf(*shown, size, theme);
        m_image.setDevicePixelRatio(ratio);
    }
    painter.drawImage(area.topLeft(), m_image);
    painter.setPen(theme.dim);
    painter.setFont(sizes.smallFont(font()));
    painter.drawText(QRect(10, 0, gutter - 14, height()), Qt::AlignVCenter, tr("whole run"));
    Viewport all;
    all.setLimits(m_canvas.viewport().limits());
    all.setWidth(area.width());
    all.fit();
    const Interval seen = m_canvas.viewport().visible();
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

void Minimap::moveTo(int x) {
    Viewport all;
    all.setLimits(m_canvas.viewport().limits());
    all.setWidth(std::max(width() - m_canvas.gutter(), 1));
    all.fit();
    const Ns middle = all.timeAt(x - m_canvas.gutter()), length = m_canvas.viewport().visible().length();
    m_canvas.showRange({middle - length / 2, middle - length / 2 + length});
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    moveTo(event->position().toPoint().x());
}
void Minimap::mouseMoveEvent(QMouseEvent* event) {
    moveTo(event->position().toPoint().x());
}

Legend::Legend(QWidget* parent)
    : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Legend of colours and hatches"));
    setToolTip(
        tr("Where bars are too short to be drawn, a column's height is the share of its time that was busy, "
           "and a dot at its foot says that something ran there."));
}

void Legend::setShown(const ShownPtr& shown) {
    std::array<bool, kClassCount> seen{};
    if (shown)
        for (const Lane& lane : shown->index.lanes().lanes())
            for (std::size_t c = 0; c < kClassCount; ++c)
                seen[c] = seen[c] || !lane.coverage[c].empty();
    m_classes.clear();
    for (std::size_t c = 0; c < kClassCount; ++c)
        if (seen[c])
            m_classes.push_back(static_cast<ActivityClass>(c));
    fitHeight();
    update();
}

/// The layouts around it ask for one height whatever the width: it has to insist.
void Legend::fitHeight() {
    setFixedHeight(heightForWidth(width()));
}

void Legend::resizeEvent(QResizeEvent*) {
    fitHeight();
}

void Legend::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitHeight();
}

bool Legend::hasRibbon() const {
    return std::ranges::any_of(m_classes, isDeviceClass);
}

QStringList Legend::names() const {
    QStringList names;
    for (const ActivityClass cls : m_classes)
        names << fromText(classLabel(cls));
    if (hasRibbon())
        names << tr("1 engine") << tr("2 at once") << tr("3 or more");
    return names;
}

QSize Legend::sizeHint() const {
    return {0, heightForWidth(width())};
}

int Legend::heightForWidth(int wide) const {
    const std::vector<QRect> places = placesIn(wide);
    return places.empty() ? ViewStyle::of(font()).scaled(kLegendHeight) : places.back().bottom() + 1;
}

/// In as many lines as it takes.
std::vector<QRect> Legend::placesIn(int wide) const {
    const ViewStyle sizes = ViewStyle::of(font());
    const QFontMetrics metrics(sizes.smallFont(font()));
    const int height = sizes.scaled(kLegendHeight), line = metrics.height() + sizes.scaled(3);
    std::vector<QRect> places;
    int x = kLegendLeft, y = 0;
    for (const QString& name : names()) {
        const int room = sizes.scaled(kSwatch) + kLegendAir + metrics.horizontalAdvance(name) + 2;
        if (x > kLegendLeft && x + room > wide) {
            x = kLegendLeft;
            y += line;
        }
        places.emplace_back(x, y, room, height);
        x += room + kLegendGap;
    }
    return places;
}

void Legend::paintSwatch(QPainter& painter, const QRect& area, std::size_t number) const {
    const Theme& theme = Theme::of(palette());
    if (number >= m_classes.size()) {
        painter.fillRect(area, theme.ribbon[number - m_classes.size()]);
        return;
    }
    const QColor& fill = theme.colour(m_classes[number]);
    painter.fillRect(area, fill);
    QColor ink = inkOn(fill);
    ink.setAlphaF(0.32F);
    painter.fillRect(area, QBrush(ink, hatchOf(m_classes[number])));
}

void Legend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ViewStyle sizes = ViewStyle::of(font());
    const int side = sizes.scaled(kSwatch);
    const Theme& theme = Theme::of(palette());
    painter.fillRect(rect(), theme.raised);
    painter.fillRect(0, 0, width(), sizes.line, theme.line);
    painter.setFont(sizes.smallFont(font()));
    const std::vector<QRect> places = placesIn(width());
    const QStringList texts = names();
    for (std::size_t i = 0; i < places.size(); ++i) {
        const QRect& place = places[i];
        const QRect swatch(place.x(), place.y() + sizes.scaled(6), side, place.height() - sizes.scaled(11));
        paintSwatch(painter, swatch, i);
        painter.setPen(theme.text);
        painter.drawText(place.adjusted(side + kLegendAir, 0, 0, 0), Qt::AlignVCenter,
                         texts[static_cast<qsizetype>(i)]);
    }
    const QString note = tr("W/S zoom · A/D pan · ? all keys");
    const int end = places.empty() ? 0 : places.back().right() + kLegendGap;
    painter.setPen(theme.dim);
    if (end + painter.fontMetrics().horizontalAdvance(note) + 10 < width() &&
        (places.empty() || places.back().y() == 0)) // no room beside several lines
        painter.drawText(rect().adjusted(0, 0, -10, 0), Qt::AlignVCenter | Qt::AlignRight, note);
}

} // namespace olab
