#include "timeline/canvas/legend.h"

#include "base/ledger_pieces.h"
#include "base/plain_text.h"
#include "timeline/canvas/ghost_painter.h"

#include <olab/analysis/framework.h>
#include <olab/trace/lanes.h>
#include <olab/ui/bar_colours.h>
#include <olab/ui/format.h>

#include <QEvent>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kLegendGap = 16, kSwatch = 22, kLegendLeft = 10, kLegendAir = 5, kLegendHeight = 22;

} // namespace

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
