#include "timeline/bookmarks/bookmark_flags.h"

#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kGrip = 4, kPad = 5, kLeastTitle = 26;
constexpr qsizetype kHintLetters = 600, kTitleLetters = 200;

/// Nothing at all where only a letter or two would be seen.
void shorten(QRect& title, int right, double unit) {
    if (title.right() <= right)
        return;
    title.setRight(right);
    if (title.width() < kLeastTitle * unit)
        title = {};
}

QString shownTitle(const io::Bookmark& bookmark) {
    return printable(titleText(bookmark).left(kTitleLetters));
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

std::vector<FlagPlace> placeFlags(const std::vector<io::Bookmark>& list, const FlagStrip& strip) {
    std::vector<FlagPlace> found;
    const QFontMetrics numbers(boldOf(strip.font)), titles(strip.font);
    const auto px = [&](int logical) { return static_cast<int>(logical * strip.unit + 0.5); };
    int covered = -1;                  // up to here, by the flag before
    std::optional<std::size_t> titled; // the last one with a title: it ends where the next pole stands
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Interval time = list[i].time;
        if (time.begin >= strip.visible.end || time.end < strip.visible.begin)
            continue;
        const int x = std::max(strip.toX(time.begin), strip.left);
        const int wide = numbers.horizontalAdvance(QString::number(i + 1)) + px(2 * kPad + 2);
        if (titled)
            shorten(found[*titled].title, x - px(4), strip.unit);
        FlagPlace place{i, x, std::min(strip.toX(time.end), strip.right), {}, {}};
        if (x > covered || strip.inUse == i) {
            place.flag = QRect(x, px(2), wide, strip.height - px(5));
            const int text = titles.horizontalAdvance(shownTitle(list[i])) + px(4);
            place.title = QRect(x + wide + px(4), 0, text, strip.height);
            shorten(place.title, strip.right - px(4), strip.unit);
            covered = x + wide + px(2);
            titled = found.size();
        }
        found.push_back(place);
    }
    return found;
}

void paintFlags(QPainter& painter, const Theme& theme, const std::vector<io::Bookmark>& list,
                const FlagStrip& strip) {
    const int bar = static_cast<int>(3 * strip.unit + 0.5);
    for (const FlagPlace& place : placeFlags(list, strip)) {
        const bool inUse = strip.inUse == place.place;
        painter.fillRect(QRect(place.x, strip.height - strip.line - bar, place.end - place.x, bar),
                         inUse ? theme.accent : theme.dim);
        painter.fillRect(QRect(place.x, 0, strip.line, strip.height), inUse ? theme.accent : theme.text);
        if (place.flag.isEmpty())
            continue;
        painter.setFont(boldOf(strip.font));
        paintFlag(painter, theme, place.flag, place.place + 1, inUse);
        painter.setFont(strip.font);
        painter.setPen(theme.text);
        const QString title = shownTitle(list[place.place]);
        if (!place.title.isEmpty())
            painter.drawText(place.title, Qt::AlignVCenter | Qt::TextSingleLine,
                             painter.fontMetrics().elidedText(title, Qt::ElideRight, place.title.width()));
    }
}

RichText bookmarkHint(const view::ViewData& shown, const io::Bookmark& bookmark, std::size_t number) {
    const QString note = cutText(noteText(bookmark.note), kHintLetters + 1);
    QString where = durationText(bookmark.time.begin - shown.zero());
    if (bookmark.time.length() > 0)
        where = QObject::tr("%1 from %2").arg(durationText(bookmark.time.length()), where);
    if (!bookmark.row.empty())
        where += QStringLiteral(" · ") + cutText(fromText(bookmark.row), kLongestLine);
    return RichText("<b>%1</b> %2<br>%3", {QString::number(number), note, where});
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

FlagStrip BookmarkStrip::flags() const {
    const ViewStyle sizes = ViewStyle::of(font());
    const auto toX = [this](Ns t) {
        const double x = static_cast<double>(m_canvas.viewport().edgeAt(t)) / devicePixelRatioF();
        return m_canvas.gutter() + static_cast<int>(std::clamp(x, -1e6, 1e6));
    };
    return {
        m_canvas.viewport().visible(), toX,           m_canvas.gutter(), width(), height(), 1.0, sizes.line,
        sizes.smallFont(font()),       m_desk.inUse()};
}

std::vector<FlagPlace> BookmarkStrip::places() const {
    return placeFlags(m_desk.list(), flags());
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
    if (place)
        showTip(help.globalPos(), bookmarkHint(*m_desk.shown(), m_desk.list()[*place], *place + 1), this);
    else
        showTip(help.globalPos(), tr("Bookmarks: click goes there, double click edits the note"), this);
    return true;
}

void BookmarkStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    painter.fillRect(rect(), theme.raised);
    const ViewStyle sizes = ViewStyle::of(font());
    painter.fillRect(0, height() - sizes.line, width(), sizes.line, theme.line);
    painter.setFont(sizes.smallFont(font()));
    painter.setPen(theme.dim);
    painter.drawText(QRect(10, 0, m_canvas.gutter() - 14, height()), Qt::AlignVCenter, tr("bookmarks"));
    painter.setClipRect(QRect(m_canvas.gutter(), 0, width(), height()));
    paintFlags(painter, theme, m_desk.list(), flags());
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

} // namespace olab::ui
