#include "timeline/minimap_marks.h"

#include "base/plain_text.h"
#include "timeline/search/search_bar.h"

#include <olab/analysis/steady_state.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QFontMetrics>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QObject>
#include <QPainter>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kBoxPad = 3, kMarkHeight = 3, kFewestPixels = 3;

QString hintOf(const analysis::SteadyState& found, const analysis::JudgedIteration& iteration, bool isWorst) {
    return QObject::tr("%1 iteration: number %2 of %3 takes %4; the median is %5. A click shows it.")
        .arg(isWorst ? QObject::tr("Worst") : QObject::tr("Typical"))
        .arg(iteration.number + 1)
        .arg(found.iterations.size())
        .arg(durationText(iteration.time.length()), durationText(found.period));
}

} // namespace

std::vector<IterationFlag> iterationFlags(const view::ViewData& shown, const view::Viewport& whole, int left,
                                          QSize room, const QFont& font) {
    std::vector<IterationFlag> flags;
    const auto found = shown.steadyState();
    if (!found)
        return flags;
    const QFontMetrics metrics(font);
    const auto columnOf = [&](Ns time) {
        return left + static_cast<int>(std::clamp<std::int64_t>(whole.edgeAt(time), 0, whole.width() - 1));
    };
    for (std::size_t i = 0; i < found->judged.size(); ++i) {
        IterationFlag flag;
        const bool isWorst = i == 1;
        flag.time = found->judged[i].time;
        flag.letter = isWorst ? QObject::tr("W") : QObject::tr("T");
        flag.hint = hintOf(*found, found->judged[i], isWorst);
        const int from = columnOf(flag.time.begin), to = columnOf(flag.time.end);
        flag.line = {from, room.height() - kMarkHeight, std::max(to - from, kFewestPixels), kMarkHeight};
        const int wide = metrics.horizontalAdvance(flag.letter) + 2 * kBoxPad;
        int x = std::min(from, room.width() - wide);
        if (!flags.empty() && QRect(x, flag.line.y(), wide, 1).left() <= flags.front().box.right() &&
            x + wide > flags.front().box.left()) // beside the other, not upon it
            x = flags.front().box.right() + 2 + wide <= room.width() ? flags.front().box.right() + 2
                                                                     : flags.front().box.left() - wide - 2;
        flag.box = {x, room.height() - kMarkHeight - metrics.height(), wide, metrics.height()};
        flags.push_back(flag);
    }
    return flags;
}

void paintIterationFlags(QPainter& painter, const Theme& theme, const std::vector<IterationFlag>& flags) {
    for (const IterationFlag& flag : flags) {
        painter.fillRect(flag.line, theme.text);
        painter.fillRect(flag.box, theme.base);
        painter.setPen(theme.text);
        painter.drawRect(flag.box.adjusted(0, 0, -1, -1));
        painter.drawText(flag.box, Qt::AlignCenter, flag.letter);
    }
}

namespace {

constexpr int kTickHeight = 6, kPad = 3;

} // namespace

MinimapMarks::MinimapMarks(TimelineCanvas& canvas, BookmarkDesk& desk, SearchBar& search, QWidget& minimap)
    : QWidget(&minimap)
    , m_canvas(canvas)
    , m_desk(desk)
    , m_search(search) {
    setAccessibleName(tr("Bookmarks and matches in the whole run"));
    setGeometry(minimap.rect());
    minimap.installEventFilter(this);
    connect(&desk, &BookmarkDesk::listChanged, this, qOverload<>(&QWidget::update));
    connect(&desk, &BookmarkDesk::inUseChanged, this, qOverload<>(&QWidget::update));
    connect(&search, &SearchBar::matchesChanged, this, &MinimapMarks::markFound);
}

bool MinimapMarks::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        resize(parentWidget()->size());
        m_round = -1; // other columns
        markFound();
    }
    return QWidget::eventFilter(watched, event);
}

view::Viewport MinimapMarks::whole() const {
    view::Viewport all;
    all.setLimits(m_canvas.viewport().limits());
    all.setWidth(std::max(width() - m_canvas.gutter(), 1));
    all.fit();
    return all;
}

void MinimapMarks::markFound() {
    const auto matches = m_search.matches();
    if (m_round != m_search.round()) {
        m_round = m_search.round();
        m_found.assign(matches.empty() ? 0 : static_cast<std::size_t>(whole().width()), false);
        m_marked = 0;
        update();
    }
    if (m_marked == matches.size())
        return;
    const view::Viewport all = whole();
    const Trace& trace = m_canvas.shown()->trace();
    m_found.resize(static_cast<std::size_t>(all.width()));
    for (; m_marked < matches.size(); ++m_marked) {
        const auto column = all.xAt(trace.time(matches[m_marked]).begin);
        m_found[static_cast<std::size_t>(std::clamp<std::int64_t>(column, 0, all.width() - 1))] = true;
    }
    update();
}

QRect MinimapMarks::flagOf(std::size_t place, const view::Viewport& all) const {
    const QFontMetrics metrics(ViewStyle::of(font()).smallFont(font(), true));
    const int x = m_canvas.gutter() + static_cast<int>(std::clamp<std::int64_t>(
                                          all.edgeAt(m_desk.list()[place].time.begin), 0, all.width() - 1));
    const int wide = metrics.horizontalAdvance(QString::number(place + 1)) + 2 * kPad + 3;
    return {x + wide < width() ? x : width() - wide - 1, 1, wide, metrics.height()};
}

std::optional<std::size_t> MinimapMarks::at(QPoint point) const {
    const view::Viewport all = whole();
    for (std::size_t i = m_desk.list().size(); i-- > 0;) // the last one lies on top
        if (flagOf(i, all).contains(point))
            return i;
    return std::nullopt;
}

std::vector<IterationFlag> MinimapMarks::iterations() const {
    if (!m_canvas.shown())
        return {};
    return iterationFlags(*m_canvas.shown(), whole(), m_canvas.gutter(), size(),
                          ViewStyle::of(font()).smallFont(font(), true));
}

bool MinimapMarks::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto& help = static_cast<const QHelpEvent&>(*event);
        if (const auto place = at(help.pos())) {
            showTip(help.globalPos(), bookmarkHint(*m_desk.shown(), m_desk.list()[*place], *place + 1), this);
            return true;
        }
        for (const IterationFlag& flag : iterations())
            if (flag.box.contains(help.pos())) {
                showTip(help.globalPos(), flag.hint, this);
                return true;
            }
    }
    return QWidget::event(event);
}

void MinimapMarks::paintEvent(QPaintEvent*) {
    const std::vector<IterationFlag> flags = iterations();
    if (!m_desk.shown() || (m_desk.list().empty() && m_found.empty() && flags.empty()))
        return;
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    for (std::size_t x = 0; x < m_found.size(); ++x)
        if (m_found[x])
            painter.fillRect(
                QRect(m_canvas.gutter() + static_cast<int>(x), height() - kTickHeight, 2, kTickHeight),
                theme.selection);
    painter.setFont(ViewStyle::of(font()).smallFont(font(), true));
    paintIterationFlags(painter, theme, flags);
    const view::Viewport all = whole();
    for (std::size_t i = 0; i < m_desk.list().size(); ++i) {
        const QRect flag = flagOf(i, all);
        const bool inUse = m_desk.inUse() == i;
        painter.fillRect(QRect(flag.x(), 0, ViewStyle::of(font()).line, height()),
                         inUse ? theme.accent : theme.text);
        paintFlag(painter, theme, flag, i + 1, inUse);
    }
}

void MinimapMarks::mousePressEvent(QMouseEvent* event) {
    const QPoint point = event->position().toPoint();
    const auto place = at(point);
    m_holdsFlag = place.has_value();
    for (const IterationFlag& flag : iterations())
        if (!place && flag.box.contains(point)) {
            m_holdsFlag = true;
            m_canvas.setFocus();
            return m_canvas.showRange(flag.time);
        }
    place ? emit chosen(*place) : event->ignore();
}

void MinimapMarks::mouseMoveEvent(QMouseEvent* event) {
    if (!m_holdsFlag)
        event->ignore(); // the minimap drags
}

} // namespace olab::ui
