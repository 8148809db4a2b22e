#include "timeline/canvas/legend.h"

#include "base/ledger_pieces.h"
#include "base/plain_text.h"
#include "timeline/canvas/canvas_marks.h"

#include <olab/analysis/framework.h>
#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/ui/strip_painter.h>

#include <QHelpEvent>
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
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Legend of colours and hatches"));
    fitHeight();
    setTip(
        *this,
        tr("Where bars are too short to be drawn, a column's height is the share of its time that was busy, "
           "and a dot at its foot says that something ran there. An arrow above a row points to such work "
           "where "
           "it stands alone. In the row of a stream, a full diamond is an event that is recorded, a hollow "
           "one the end of a wait for an event."));
}

void Legend::setShown(const view::ViewDataPtr& shown) {
    m_shown = shown;
    m_looks.clear();
    const bool isNvtx = !shown || analysis::rangeKindOf(shown->trace(), {}) == analysis::RangeKind::Nvtx;
    m_rangeName = isNvtx ? fromText(classLabel(ActivityClass::Nvtx)) : tr("range");
    setSeen(shown ? shown->limits() : Interval{});
    update();
}

void Legend::setSeen(Interval seen) {
    std::vector<ActivityClass> looks;
    for (std::size_t i = 0; m_shown && i < view::kLooks; ++i)
        if (const auto look = static_cast<ActivityClass>(i);
            std::ranges::any_of(m_shown->index.lanes().lanes(), [&](const Lane& lane) {
                return m_shown->index.coverage(lane.id)[look].measure(seen) > 0;
            }))
            looks.push_back(look);
    if (looks == m_looks)
        return;
    m_looks = std::move(looks);
    update();
}

void Legend::setChoices(const QList<QAction*>& choices) {
    m_chooser = new QToolButton(this);
    nameWidget(*m_chooser, "colourBy", tr("Colour by"));
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
    update();
}

void Legend::setGhosts(const view::AccountPtr& account, const Ghosts& ghosts) {
    m_causes.clear();
    m_ideal.clear();
    if (account && ghosts.showsWaits())
        m_causes = ghosts.only().empty() ? shownCauses(account->ledger()) : ghosts.only();
    if (account && ghosts.showsIdeal() && account->ledger().missing.empty())
        m_ideal = tr("ideal run (%1)").arg(modelErrorText(account->ledger()));
    update();
}

void Legend::fitHeight() {
    const int height = ViewStyle::of(font()).scaled(kLegendHeight);
    if (m_chooser) {
        m_chooser->setFont(ViewStyle::of(font()).smallFont(font()));
        m_chooser->setGeometry(2, 1, m_chooser->sizeHint().width(), height - 1);
    }
    setFixedHeight(height);
}

/// Of the first name.
int Legend::firstLeft() const {
    return m_chooser ? m_chooser->geometry().right() + kLegendLeft : kLegendLeft;
}

void Legend::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitHeight();
}

/// What tells most first: what does not fit is counted.
std::vector<Legend::Entry> Legend::entries() const {
    using enum Entry::Kind;
    std::vector<Entry> all;
    const bool hasClasses = !m_colouring || m_colouring->by() == view::ColourBy::Class; // some are emphasised
    for (std::size_t i = 0; hasClasses && i < m_looks.size(); ++i)
        all.push_back(
            {m_looks[i] == ActivityClass::Nvtx ? m_rangeName : fromText(view::lookLabel(m_looks[i])), Class,
             i});
    for (std::size_t i = 0; m_colouring && i < m_colouring->entries().size(); ++i)
        all.push_back({entryText(*m_colouring, m_colouring->entries()[i]), Named, i});
    for (std::size_t i = 0; i < m_causes.size(); ++i)
        all.push_back(
            {i == 0 ? tr("waits (G): %1").arg(causeTitle(m_causes[i])) : causeTitle(m_causes[i]), Ghost, i});
    if (!m_ideal.isEmpty())
        all.push_back({m_ideal, Ghost, m_causes.size()});
    if (m_iterations)
        all.insert(all.end(), {{tr("typical"), Letter, 0}, {tr("worst iteration"), Letter, 1}});
    if (std::ranges::any_of(
            m_looks, [](ActivityClass look) { return isDeviceClass(look) || look == view::kCommunication; }))
        all.insert(all.end(),
                   {{tr("1 engine"), Ribbon, 0}, {tr("2 at once"), Ribbon, 1}, {tr("3 or more"), Ribbon, 2}});
    if (m_colouring && hasClasses) // what is emphasised, then what is not
        std::ranges::stable_sort(all, {}, [](const Entry& entry) {
            return entry.kind == Ghost ? 0 : entry.kind == Named ? 1 : 2;
        });
    return all;
}

QStringList Legend::names() const {
    QStringList names;
    for (const Entry& entry : entries())
        names << entry.name;
    return names;
}

std::vector<QRect> Legend::placesIn(int wide) const {
    const ViewStyle sizes = ViewStyle::of(font());
    const QFontMetrics metrics(sizes.smallFont(font()));
    const int more = metrics.horizontalAdvance(QStringLiteral("+99")) + kLegendGap;
    const QStringList all = names();
    std::vector<QRect> places;
    int x = firstLeft();
    for (qsizetype i = 0; i < all.size(); ++i) {
        const int room = sizes.scaled(kSwatch) + kLegendAir + metrics.horizontalAdvance(all[i]) + 2;
        if (x + room + kLegendAir + (i + 1 < all.size() ? more : 0) > wide)
            break;
        places.emplace_back(x, 0, room, sizes.scaled(kLegendHeight));
        x += room + kLegendGap;
    }
    return places;
}

void Legend::paintSwatch(QPainter& painter, const QRect& area, const Entry& entry) const {
    const Theme& theme = Theme::of(palette());
    switch (entry.kind) {
    case Entry::Kind::Letter:
        return paintLetter(painter, area, entry.number);
    case Entry::Kind::Ribbon:
        return painter.fillRect(area, theme.ribbon[entry.number]);
    case Entry::Kind::Ghost:
        return paintGhost(painter, area, entry.number);
    case Entry::Kind::Named:
        return painter.fillRect(area, colourOf(m_colouring->entries()[entry.number].colour, theme));
    case Entry::Kind::Class:
        break;
    }
    const QColor& fill = theme.colour(m_looks[entry.number]);
    painter.fillRect(area, fill);
    QColor ink = inkOn(fill);
    ink.setAlphaF(0.32F);
    painter.fillRect(area, QBrush(ink, hatchOf(m_looks[entry.number])));
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
    const std::vector<Entry> all = entries();
    int end = firstLeft();
    for (std::size_t i = 0; i < places.size(); ++i) {
        const QRect& place = places[i];
        const QRect swatch(place.x(), place.y() + sizes.scaled(6), side, place.height() - sizes.scaled(11));
        paintSwatch(painter, swatch, all[i]);
        painter.setPen(theme.text);
        painter.drawText(place.adjusted(side + kLegendAir, 0, 0, 0), Qt::AlignVCenter, all[i].name);
        end = place.right() + kLegendGap;
    }
    painter.setPen(theme.dim);
    if (places.size() < all.size())
        return painter.drawText(rect().adjusted(end, 0, 0, 0), Qt::AlignVCenter,
                                QStringLiteral("+%1").arg(all.size() - places.size()));
    const QString note = tr("W/S zoom · A/D pan · ? all keys");
    if (end + painter.fontMetrics().horizontalAdvance(note) + 10 < width())
        painter.drawText(rect().adjusted(0, 0, -10, 0), Qt::AlignVCenter | Qt::AlignRight, note);
}

/// What did not fit stands first.
bool Legend::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const QStringList left = names().mid(static_cast<qsizetype>(placesIn(width()).size()));
    showTip(static_cast<QHelpEvent*>(event)->globalPos(),
            left.isEmpty()
                ? tipWords(*this)
                : tr("Also: %1").arg(left.join(QStringLiteral(", "))) + QLatin1Char('\n') + tipWords(*this),
            this);
    return true;
}

} // namespace olab::ui
