#include "timeline/bookmarks/bookmark_tools.h"

#include "base/plain_text.h"
#include "timeline/bookmarks/bookmark_flags.h"
#include "timeline/rows/timeline_rows.h"

#include <olab/trace/lanes.h>
#include <olab/ui/format.h>

#include <QApplication>
#include <QKeyEvent>
#include <QLayout>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kLetters = 44, kLines = 3;

bool ends(const QKeyEvent& key) {
    const bool enter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
    return key.key() == Qt::Key_Escape || (enter && !(key.modifiers() & Qt::ShiftModifier));
}

} // namespace

NoteEditor::NoteEditor(QWidget* parent)
    : QPlainTextEdit(parent) {
    setAccessibleName(tr("Note of the bookmark"));
    setTip(*this, tr("Enter keeps the note, Shift+Enter begins a new line, Esc leaves it as it was"));
    setPlaceholderText(tr("Note. Enter keeps it, Esc does not."));
    setTabChangesFocus(true);
    setFrameShape(QFrame::Box);
    hide();
}

void NoteEditor::open(const QString& note, QPoint at) {
    m_before = QApplication::focusWidget();
    setPlainText(note);
    selectAll();
    const QFontMetrics metrics = fontMetrics();
    resize(metrics.averageCharWidth() * kLetters, metrics.lineSpacing() * kLines + 14);
    const QSize room = parentWidget()->size() - size();
    move(std::clamp(at.x(), 0, std::max(room.width(), 0)), std::clamp(at.y(), 0, std::max(room.height(), 0)));
    m_open = true;
    show();
    raise();
    setFocus();
}

/// Only once, although hiding takes the focus away, too.
bool NoteEditor::shut() {
    if (!m_open)
        return false;
    m_open = false;
    const bool hadFocus = hasFocus();
    hide();
    if (hadFocus && m_before)
        m_before->setFocus();
    return true;
}

void NoteEditor::keep() {
    if (shut())
        emit kept(toPlainText().trimmed());
}

/// Enter and Esc are this field's, whatever else they do in the window.
bool NoteEditor::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && ends(static_cast<QKeyEvent&>(*event))) {
        event->accept();
        return true;
    }
    return QPlainTextEdit::event(event);
}

void NoteEditor::keyPressEvent(QKeyEvent* event) {
    if (!ends(*event))
        return QPlainTextEdit::keyPressEvent(event);
    if (event->key() != Qt::Key_Escape)
        return keep();
    if (shut())
        emit cancelled();
}

void NoteEditor::focusOutEvent(QFocusEvent* event) {
    QPlainTextEdit::focusOutEvent(event);
    const auto why = event->reason(); // a menu of its own, or another window: it stays
    if (why != Qt::PopupFocusReason && why != Qt::ActiveWindowFocusReason)
        keep();
}

BookmarkTools::BookmarkTools(TimelineCanvas& canvas, BookmarkDesk& desk, BookmarkStrip& strip, QWidget& view)
    : QObject(&view)
    , m_canvas(canvas)
    , m_desk(desk)
    , m_strip(strip)
    , m_view(view)
    , m_editor(new NoteEditor(&view)) {
    const auto add = [this](const QString& text, const QKeySequence& key, auto run) {
        QAction* action = makeEntry(text, this);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut); // letters are text elsewhere
        connect(action, &QAction::triggered, this, run);
        m_view.addAction(action);
        m_actions << action;
    };
    add(tr("&Set a bookmark here"), QKeySequence(Qt::Key_B), [this] { setHere(); });
    add(tr("&Next bookmark"), QKeySequence(Qt::CTRL | Qt::Key_B), [this] { step(+1); });
    add(tr("&Previous bookmark"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), [this] { step(-1); });
    add(tr("&Edit its note"), QKeySequence(Qt::Key_F2), [this] { editNote(); });
    add(tr("&Remove the bookmark"), QKeySequence(Qt::Key_Delete), [this] { remove(); });
    add(tr("&Bring back what was removed"), QKeySequence::Undo, [this] { undo(); });
    connect(&desk, &BookmarkDesk::listChanged, this, &BookmarkTools::refresh);
    connect(&desk, &BookmarkDesk::inUseChanged, this, &BookmarkTools::refresh);
    connect(&strip, &BookmarkStrip::chosen, this, &BookmarkTools::clicked);
    connect(&strip, &BookmarkStrip::editRequested, this, &BookmarkTools::editNote);
    connect(&canvas, &TimelineCanvas::selectionChanged, this, [this] {
        if (!m_going) // something else was picked: Delete must not work on what nobody looks at
            m_desk.use(std::nullopt);
    });
    connect(m_editor, &NoteEditor::kept, this,
            [this](const QString& note) { m_desk.setNote(m_edited, note); });
    connect(m_editor, &NoteEditor::cancelled, this, [this] {
        if (m_isNew)
            m_desk.takeBack(m_edited);
    });
    refresh();
}

void BookmarkTools::refresh() {
    const bool any = !m_desk.list().empty(), used = m_desk.inUse().has_value();
    const bool may[] = {m_desk.shown() != nullptr, any, any, used, used, m_desk.canUndo()};
    for (int i = 0; i < m_actions.size(); ++i)
        m_actions[i]->setEnabled(may[i]);
}

io::Bookmark BookmarkTools::here() const {
    const view::ViewData& shown = *m_desk.shown();
    io::Bookmark made;
    const auto picked = m_canvas.selection().picked();
    if (picked == view::Selection::Picked::Range && m_canvas.selection().range()) {
        made.time = *m_canvas.selection().range();
    } else if (picked == view::Selection::Picked::Gap && m_canvas.selection().gap()) {
        made.time = m_canvas.selection().gap()->time;
        made.row = rowNameOf(shown, m_canvas.selection().gap()->lane);
    } else if (const auto activity = m_canvas.selection().activity()) {
        made.time = shown.trace().time(*activity);
        made.activity = activity;
        const auto strips = shown.index.stripsWith(*activity);
        const auto used = std::ranges::find_if(
            strips, [this](const view::Strip* strip) { return strip->lane->id == m_canvas.rows().inUse(); });
        if (!strips.empty())
            made.row = rowNameOf(shown, (used != strips.end() ? *used : strips.front())->lane->id);
    } else {
        const Interval seen = m_canvas.viewport().visible();
        made.time.begin = made.time.end = seen.begin + seen.length() / 2;
    }
    return made;
}

void BookmarkTools::setHere() {
    if (!m_desk.shown())
        return;
    m_editor->keep();
    io::Bookmark made = here();
    const auto same = std::ranges::find_if(m_desk.list(), [&](const io::Bookmark& b) {
        return b.time == made.time && b.row == made.row && b.activity == made.activity;
    });
    if (same != m_desk.list().end()) {
        m_desk.use(static_cast<std::size_t>(same - m_desk.list().begin()));
        return openEditor(false);
    }
    if (m_desk.add(std::move(made)))
        return openEditor(true);
    showTip(m_canvas.mapToGlobal(QPoint(m_canvas.gutter(), 0)),
            tr("There are %1 bookmarks: remove some first").arg(io::kMaxBookmarks), &m_canvas);
}

void BookmarkTools::openEditor(bool isNew) {
    if (!m_desk.inUse())
        return;
    m_edited = *m_desk.inUse();
    m_isNew = isNew;
    m_view.layout()->activate(); // the strip may have appeared just now
    int x = m_canvas.gutter();
    for (const FlagPlace& flag : m_strip.places())
        if (flag.place == m_edited)
            x = flag.x;
    m_editor->open(exactText(m_desk.list()[m_edited].note),
                   m_strip.mapTo(&m_view, QPoint(x, m_strip.height() + 2)));
}

void BookmarkTools::editNote() {
    if (!m_desk.inUse())
        return;
    m_editor->keep();
    const std::size_t place = *m_desk.inUse();
    const Interval time = m_desk.list()[place].time, seen = m_canvas.viewport().visible();
    if (time.begin < seen.begin || time.begin >= seen.end)
        goTo(place);
    openEditor(false);
}

/// What was picked when it was set.
void BookmarkTools::pick(const io::Bookmark& bookmark) {
    const view::ViewData& shown = *m_desk.shown();
    if (bookmark.activity) {
        m_canvas.select(bookmark.activity);
        return m_canvas.bringIntoView(*bookmark.activity);
    }
    if (bookmark.time.length() <= 0)
        return m_canvas.select(std::nullopt);
    const Lane* lane = bookmark.row.empty() ? nullptr : laneCalled(shown, bookmark.row);
    const auto gap = lane ? view::gapAt(shown, lane->id, bookmark.time.begin) : std::nullopt;
    if (gap && gap->time == bookmark.time)
        m_canvas.selectGap(gap);
    else
        m_canvas.measure(bookmark.time);
}

void BookmarkTools::goTo(std::size_t place) {
    if (place >= m_desk.list().size())
        return;
    m_editor->keep();
    const io::Bookmark bookmark = m_desk.list()[place];
    const Interval seen = m_canvas.viewport().visible(), limits = m_canvas.viewport().limits();
    const Interval time{std::clamp(bookmark.time.begin, limits.begin, limits.end),
                        std::clamp(bookmark.time.end, limits.begin, limits.end)};
    const Ns air = time.length() > 0 ? time.length() : seen.length() / 2;
    m_going = true;
    m_canvas.showRange({time.begin - air, time.end + air});
    pick(bookmark);
    m_going = false;
    m_desk.use(place);
}

void BookmarkTools::clicked(std::size_t place) {
    m_canvas.setFocus();
    goTo(place);
}

void BookmarkTools::step(int direction) {
    const auto& list = m_desk.list();
    if (list.empty())
        return;
    const std::size_t count = list.size();
    if (m_desk.inUse())
        return goTo((*m_desk.inUse() + (direction > 0 ? 1 : count - 1)) % count);
    const Interval seen = m_canvas.viewport().visible();
    const auto after = std::ranges::upper_bound(list, seen.begin + seen.length() / 2, {},
                                                [](const io::Bookmark& b) { return b.time.begin; });
    const auto next = static_cast<std::size_t>(after - list.begin());
    goTo((direction > 0 ? next : next + count - 1) % count);
}

void BookmarkTools::remove() {
    m_editor->keep(); // it edits by place
    if (m_desk.inUse())
        m_desk.remove(*m_desk.inUse());
}

void BookmarkTools::undo() {
    m_editor->keep();
    m_desk.undo();
}

void BookmarkTools::finishEditing() {
    m_editor->keep();
}

QString BookmarkTools::text() const {
    QString all;
    if (!m_desk.shown())
        return all;
    const Ns zero = m_desk.shown()->zero();
    int number = 0;
    for (const io::Bookmark& b : m_desk.list()) {
        QStringList parts{durationText(b.time.begin - zero)};
        if (b.time.length() > 0)
            parts << tr("%1 long").arg(durationText(b.time.length()));
        if (!b.row.empty())
            parts << fromText(b.row);
        all += QStringLiteral("%1. %2").arg(++number).arg(parts.join(QStringLiteral(", ")));
        all += (b.note.empty() ? QString() : QStringLiteral(": ") + noteText(b.note)) + QLatin1Char('\n');
    }
    return all;
}

} // namespace olab::ui
