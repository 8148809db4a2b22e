#include "timeline/bookmark_flags.h"

#include <olab/ui/format.h>

#include <QEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace olab {

namespace {

constexpr int kGrip = 4, kPad = 5, kLeastTitle = 26;
constexpr qsizetype kHintLetters = 600, kTitleLetters = 200;

/// Nothing at all where only a letter or two would be seen.
void shorten(QRect& title, int right) {
    if (title.right() <= right)
        return;
    title.setRight(right);
    if (title.width() < kLeastTitle)
        title = {};
}

} // namespace

void paintFlag(QPainter& painter, const Theme& theme, const QRect& area, std::size_t number, bool inUse) {
    const QColor fill = inUse ? theme.accent : theme.base, ink = inUse ? inkOn(fill) : theme.text;
    const int notch = area.height() / 4, right = area.x() + area.width();
    const QPolygon pennant{{area.x(), area.y()},
                           {right, area.y()},
                           {right - notch, area.y() + area.height() / 2},
                           {right, area.y() + area.height()},
                           {area.x(), area.y() + area.height()}};
    painter.setPen(QPen(inUse ? theme.accent : theme.text, 1));
    painter.setBrush(fill);
    painter.drawPolygon(pennant);
    painter.setPen(ink);
    painter.drawText(area.adjusted(0, 0, -notch, 0), Qt::AlignCenter, QString::number(number));
}

QString bookmarkHint(const Shown& shown, const Bookmark& bookmark, std::size_t number) {
    QString note = fromText(bookmark.note);
    if (note.size() > kHintLetters)
        note = note.left(kHintLetters) + QStringLiteral("…");
    QString where = durationText(bookmark.time.begin - shown.zero());
    if (bookmark.time.length() > 0)
        where = QObject::tr("%1 from %2").arg(durationText(bookmark.time.length()), where);
    if (!bookmark.row.empty())
        where += QStringLiteral(" · ") + fromText(bookmark.row);
    const QString text =
        note.isEmpty() ? QString() : note.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"));
    return QStringLiteral("<b>%1</b> %2<br>%3").arg(number).arg(text, where.toHtmlEscaped());
}

BookmarkStrip::BookmarkStrip(TimelineCanvas& canvas, BookmarkDesk& desk, QWidget* parent)
    : QWidget(parent)
    , m_canvas(canvas)
    , m_desk(desk) {
    setAccessibleName(tr("Bookmarks of the timeline"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&canvas, &TimelineCanvas::viewportChanged, this, qOverload<>(&QWidget::update));
    connect(&desk, &BookmarkDesk::inUseChanged, this, qOverload<>(&QWidget::update));
    connect(&desk, &BookmarkDesk::listChanged, this, [this] {
        setVisible(!m_desk.list().empty());
        update();
    });
    hide();
}

QSize BookmarkStrip::sizeHint() const {
    return {0, QFontMetrics(ViewStyle::of(font()).smallFont(font(), true)).height() + 6};
}

std::vector<FlagPlace> BookmarkStrip::places() const {
    std::vector<FlagPlace> found;
    const Viewport& view = m_canvas.viewport();
    const auto toX = [&](Ns t) {
        const double x = static_cast<double>(view.edgeAt(t)) / devicePixelRatioF();
        return m_canvas.gutter() + static_cast<int>(std::clamp(x, -1e6, 1e6));
    };
    const QFontMetrics metrics(ViewStyle::of(font()).smallFont(font(), true));
    const auto& list = m_desk.list();
    int covered = -1;                  // up to here, by the flag before
    std::optional<std::size_t> titled; // the last one with a title: it ends where the next pole stands
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Interval time = list[i].time;
        if (time.begin >= view.visible().end || time.end < view.visible().begin)
            continue;
        const int x = std::max(toX(time.begin), m_canvas.gutter()),
                  wide = metrics.horizontalAdvance(QString::number(i + 1)) + 2 * kPad + 2;
        if (titled)
            shorten(found[*titled].title, x - 4);
        FlagPlace place{i, x, toX(time.end), {}, {}};
        if (x > covered || m_desk.inUse() == i) {
            place.flag = QRect(x, 2, wide, height() - 5);
            const int text = metrics.horizontalAdvance(titleText(list[i]).left(kTitleLetters)) + 4;
            place.title = QRect(x + wide + 4, 0, text, height());
            shorten(place.title, width() - 4);
            covered = x + wide + 2;
            titled = found.size();
        }
        found.push_back(place);
    }
    return found;
}

std::optional<std::size_t> BookmarkStrip::at(QPoint point) const {
    std::optional<std::size_t> best;
    int nearest = kGrip + 1;
    for (const FlagPlace& place : places()) {
        if (place.flag.contains(point) || place.title.contains(point))
            return place.place;
        if (const int away = std::abs(point.x() - place.x); away < nearest) {
            nearest = away;
            best = place.place;
        }
    }
    return best;
}

bool BookmarkStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    const auto place = at(help.pos());
    QToolTip::showText(help.globalPos(),
                       place ? bookmarkHint(*m_desk.shown(), m_desk.list()[*place], *place + 1)
                             : tr("Bookmarks: click goes there, double click edits the note"),
                       this);
    return true;
}

void BookmarkStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    painter.fillRect(rect(), theme.raised);
    const ViewStyle sizes = ViewStyle::of(font());
    painter.fillRect(0, height() - sizes.line, width(), sizes.line, theme.line);
    const QFont bold = sizes.smallFont(font(), true), plain = sizes.smallFont(font());
    painter.setFont(plain);
    painter.setPen(theme.dim);
    painter.drawText(QRect(10, 0, m_canvas.gutter() - 14, height()), Qt::AlignVCenter, tr("bookmarks"));
    painter.setClipRect(QRect(m_canvas.gutter(), 0, width(), height()));
    for (const FlagPlace& place : places()) {
        const bool inUse = m_desk.inUse() == place.place;
        painter.fillRect(QRect(place.x, height() - 4, std::min(place.end, width()) - place.x, 3),
                         inUse ? theme.accent : theme.dim);
        painter.fillRect(QRect(place.x, 0, sizes.line, height()), inUse ? theme.accent : theme.text);
        if (place.flag.isEmpty())
            continue;
        painter.setFont(bold);
        paintFlag(painter, theme, place.flag, place.place + 1, inUse);
        painter.setFont(plain);
        painter.setPen(theme.text);
        const QString title = titleText(m_desk.list()[place.place]).left(kTitleLetters);
        painter.drawText(place.title, Qt::AlignVCenter | Qt::TextSingleLine,
                         painter.fontMetrics().elidedText(title, Qt::ElideRight, place.title.width()));
    }
}

void BookmarkStrip::mousePressEvent(QMouseEvent* event) {
    if (const auto place = at(event->position().toPoint()))
        emit chosen(*place);
}

/// The one that the first click chose: the view may have moved since.
void BookmarkStrip::mouseDoubleClickEvent(QMouseEvent*) {
    if (const auto place = m_desk.inUse())
        emit editRequested(*place);
}

void BookmarkStrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange)
        updateGeometry();
    QWidget::changeEvent(event);
}

} // namespace olab
