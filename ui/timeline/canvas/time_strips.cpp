#include "timeline/canvas/time_strips.h"

#include "base/ledger_pieces.h"
#include "timeline/canvas/canvas_overlay.h"
#include "timeline/canvas/ghost_painter.h"

#include "base/plain_text.h"
#include "timeline/canvas/lane_renderer.h"
#include "timeline/canvas/small_picture.h"

#include <olab/analysis/framework.h>
#include <olab/trace/lanes.h>
#include <olab/ui/bar_colours.h>
#include <olab/ui/format.h>

#include <QEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace olab::ui {

namespace {

constexpr int kRulerStepPx = 110, kLegendGap = 16, kSwatch = 22;
constexpr int kLegendLeft = 10, kLegendAir = 5;
constexpr int kGripPx = 3; // how far from a frame one takes hold of it
constexpr int kRulerHeight = 24, kMinimapHeight = 38, kLegendHeight = 22;

} // namespace

std::optional<Interval> TimeBand::range(const view::Viewport& view, int left, double ratio) const {
    if (!m_held || std::abs(m_to - m_from) < kLeastPx)
        return std::nullopt;
    const auto at = [&](int x) {
        return view.timeAt(std::clamp(static_cast<int>(std::lround((x - left) * ratio)), 0, view.width()));
    };
    return Interval{at(std::min(m_from, m_to)), at(std::max(m_from, m_to))};
}

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
    return {0,
            sizes.projector() ? 3 * sizes.type / 2 : sizes.scaled(kRulerHeight)}; // its lanes need the rest
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
    const int gutter = sizes.gutter(), stepPx = sizes.scaled(kRulerStepPx), tick = sizes.scaled(6);
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
        m_image = pictureOf(*shown, size, theme);
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

Legend::Legend(QWidget* parent)
    : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Legend of colours and hatches"));
    setTip(
        *this,
        tr("Where bars are too short to be drawn, a column's height is the share of its time that was busy, "
           "and a dot at its foot says that something ran there. An arrow above a row points to such work "
           "where "
           "it stands alone. In the row of a stream, a full diamond is an event that is recorded, a hollow "
           "one the end of a wait for an event."));
}

void Legend::setShown(const view::ViewDataPtr& shown) {
    std::array<bool, kClassCount> seen{};
    if (shown)
        for (const Lane& lane : shown->index.lanes().lanes())
            for (std::size_t c = 0; c < kClassCount; ++c)
                seen[c] = seen[c] || !lane.coverage[c].empty();
    m_classes.clear();
    for (std::size_t c = 0; c < kClassCount; ++c)
        if (seen[c])
            m_classes.push_back(static_cast<ActivityClass>(c));
    const bool isNvtx = !shown || analysis::rangeKindOf(shown->trace(), {}) == analysis::RangeKind::Nvtx;
    m_rangeName = isNvtx ? fromText(classLabel(ActivityClass::Nvtx)) : tr("range");
    fitHeight();
    update();
}

void Legend::setChoices(const QList<QAction*>& choices) {
    m_chooser = new QToolButton(this);
    m_chooser->setObjectName(QStringLiteral("colourBy"));
    m_chooser->setAccessibleName(tr("Colour by"));
    m_chooser->setAutoRaise(true);
    m_chooser->setPopupMode(QToolButton::InstantPopup);
    setTip(*m_chooser, tr("What bars are coloured by: their class, their name, their stream, the iteration "
                          "they are in, or how much of them is overlapped"));
    auto* menu = new QMenu(m_chooser);
    menu->setToolTipsVisible(true);
    menu->addActions(choices);
    m_chooser->setMenu(menu);
    setColours(view::ColourBy::Class, nullptr, false);
}

void Legend::setColours(view::ColourBy by, const view::Colouring* colouring, bool isMaking) {
    m_colouring = colouring;
    const QString what = tr("Colours: %1").arg(colourByText(by)) + (isMaking ? tr(" ...") : QString());
    m_chooser->setText(what + QStringLiteral("   ")); // the sign of its menu stands over its end
    fitHeight();
    update();
}

void Legend::setIterations(bool marked) {
    m_iterations = marked;
    fitHeight();
    update();
}

void Legend::setGhosts(const view::AccountPtr& account, bool waits, bool ideal) {
    m_causes.clear();
    m_ideal.clear();
    if (account && waits)
        m_causes = shownCauses(account->ledger());
    if (account && ideal && account->ledger().missing.empty())
        m_ideal = tr("ideal run (%1)").arg(modelErrorText(account->ledger()));
    fitHeight();
    update();
}

/// The layouts around it ask for one height whatever the width: it has to insist.
void Legend::fitHeight() {
    if (m_chooser) {
        m_chooser->setFont(ViewStyle::of(font()).smallFont(font()));
        const int height = ViewStyle::of(font()).scaled(kLegendHeight) - 1;
        m_chooser->setGeometry(2, 1, m_chooser->sizeHint().width(), height);
    }
    setFixedHeight(heightForWidth(width()));
}

/// Of the first name in the first line.
int Legend::firstLeft() const {
    return m_chooser ? m_chooser->geometry().right() + kLegendLeft : kLegendLeft;
}

std::size_t Legend::colourCount() const {
    return m_colouring ? m_colouring->entries().size() : m_classes.size();
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
    if (m_colouring)
        for (const view::Colouring::Entry& entry : m_colouring->entries())
            names << entryText(*m_colouring, entry);
    else
        for (const ActivityClass cls : m_classes)
            names << (cls == ActivityClass::Nvtx ? m_rangeName : fromText(classLabel(cls)));
    if (m_iterations)
        names << tr("typical") << tr("worst iteration");
    if (hasRibbon())
        names << tr("1 engine") << tr("2 at once") << tr("3 or more");
    for (const analysis::LossCause cause : m_causes)
        names << (cause == m_causes.front() ? tr("waits (G): %1").arg(causeTitle(cause)) : causeTitle(cause));
    if (!m_ideal.isEmpty())
        names << m_ideal;
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
    int x = firstLeft(), y = 0;
    for (const QString& name : names()) {
        const int room = sizes.scaled(kSwatch) + kLegendAir + metrics.horizontalAdvance(name) + 2;
        if (x > (y == 0 ? firstLeft() : kLegendLeft) && x + room + kLegendAir > wide) {
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
    if (number >= colourCount()) {
        const std::size_t marks = m_iterations ? 2 : 0, after = number - colourCount();
        const std::size_t ribbon = hasRibbon() ? theme.ribbon.size() : 0;
        if (after < marks)
            paintLetter(painter, area, after);
        else if (after < marks + ribbon)
            painter.fillRect(area, theme.ribbon[after - marks]);
        else
            paintGhost(painter, area, after - marks - ribbon);
        return;
    }
    if (m_colouring)
        return painter.fillRect(area, colourOf(m_colouring->entries()[number].colour, theme));
    const QColor& fill = theme.colour(m_classes[number]);
    painter.fillRect(area, fill);
    QColor ink = inkOn(fill);
    ink.setAlphaF(0.32F);
    painter.fillRect(area, QBrush(ink, hatchOf(m_classes[number])));
}

/// As in the minimap: a letter in a box.
void Legend::paintLetter(QPainter& painter, const QRect& area, std::size_t number) const {
    const Theme& theme = Theme::of(palette());
    const QRect box(area.right() - area.width() / 2 - 3, area.y() - 3, area.width() / 2 + 3,
                    area.height() + 6);
    painter.setPen(theme.text);
    painter.drawRect(box.adjusted(0, 0, -1, -1));
    painter.drawText(box, Qt::AlignCenter, number == 0 ? tr("T") : tr("W"));
}

/// As in the lanes: thin and pale.
void Legend::paintGhost(QPainter& painter, const QRect& area, std::size_t number) const {
    const Theme& theme = Theme::of(palette());
    const GhostBand band = waitBand(area.y(), area.height());
    const QRect thin(area.x(), band.y, area.width(), band.height);
    if (number >= m_causes.size())
        return painter.fillRect(thin, ghostFill(theme.colour(ActivityClass::Kernel), theme));
    const QColor& colour = theme.colour(m_causes[number]);
    painter.fillRect(thin, ghostFill(colour, theme));
    painter.fillRect(thin, QBrush(colour, hatchOf(m_causes[number])));
    painter.setPen(colour);
    painter.drawRect(thin.adjusted(0, 0, -1, -1));
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

} // namespace olab::ui
