#include "timeline/input/canvas_menu.h"

#include "base/plain_text.h"
#include "timeline/canvas/canvas_steps.h"
#include "timeline/rows/timeline_rows.h"
#include "timeline/texts/range_text.h"

#include <olab/trace/kernel_name.h>
#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/view/place.h>

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>

namespace olab::ui {

namespace {

constexpr qsizetype kMenuLetters = 40; // of a name in the menu

/// Templates may be long, and its number is to be seen.
QString menuName(const Trace& trace, ActivityIndex i) {
    return cutText(activityLabel(trace, i), kMenuLetters) + QStringLiteral(" #") + numberText(trace, i);
}

void goTo(TimelineCanvas& canvas, ActivityIndex to) {
    canvas.select(to);
    canvas.bringIntoView(to);
}

/// From an op to the call that issued it; from a call to what it issued.
void addPartner(QMenu& menu, TimelineCanvas& canvas, ActivityIndex op) {
    const view::ViewData& shown = *canvas.shown();
    const auto add = [&](const QString& words, ActivityIndex to, const QString& count = {}) {
        addEntry(menu, {words, {menuName(shown.trace(), to), count}}, &canvas,
                 [&canvas, to] { goTo(canvas, to); });
    };
    const auto issued = shown.facts.issuedBy(op);
    if (issued.size() == 1)
        add(tr("Go to what it issued: %1"), issued.front());
    else if (!issued.empty())
        add(tr("Go to the first of %2 that it issued: %1"), issued.front(), countText(issued.size()));
    const ActivityIndex call = shown.facts.apiOf(op);
    if (call != kNoActivity && call != op)
        add(tr("Go to its API call: %1"), call);
}

void addCulprit(QMenu& menu, TimelineCanvas& canvas, ActivityIndex op) {
    const view::Place place = view::placeOf(*canvas.shown(), op);
    if (place.culprit == kNoActivity) {
        addEntry(menu, tr("Nothing is known to have held it"))->setEnabled(false);
        return;
    }
    const bool wasHeld = place.op == op;
    const QString other = menuName(canvas.shown()->trace(), wasHeld ? place.culprit : place.op);
    addEntry(menu, {wasHeld ? tr("Show what held it: %1") : tr("Show what it held: %1"), {other}}, &canvas,
             [&canvas, place] { canvas.showPlace(place); });
}

void addBlocker(QMenu& menu, TimelineCanvas& canvas, ActivityIndex op) {
    const auto wait = blockedWaitOf(*canvas.shown(), op);
    if (!wait)
        return;
    addEntry(
        menu,
        {tr("Go to its blocker: %1 (%2)"),
         {menuName(canvas.shown()->trace(), wait->blocker), fromText(analysis::lossCauseTitle(wait->cause))}},
        &canvas, [&canvas, to = wait->blocker] { goTo(canvas, to); });
}

void addCommon(QMenu& menu, TimelineCanvas& canvas) {
    addEntry(menu, tr("Measure it\tM"), &canvas, [&canvas] {
        if (canvas.selection().activity())
            canvas.measure(canvas.shown()->trace().time(*canvas.selection().activity()));
        else if (canvas.selection().gap())
            canvas.measure(canvas.selection().gap()->time);
    });
    addEntry(menu, tr("Bookmark it\tB"), &canvas, &TimelineCanvas::bookmarkRequested);
    const auto copy = [&canvas](bool table) {
        QGuiApplication::clipboard()->setText(pickedText(*canvas.shown(), canvas.selection(), table));
    };
    addEntry(menu, tr("Copy its fields\tCtrl+C"), &canvas, [copy] { copy(false); });
    addEntry(menu, tr("Copy its fields as a table\tT"), &canvas, [copy] { copy(true); });
    menu.addSeparator();
}

void addTitle(QMenu& menu, const EntryText& text) {
    addEntry(menu, text)->setEnabled(false);
    menu.addSeparator();
}

} // namespace

void addOpActions(QMenu& menu, TimelineCanvas& canvas, ActivityIndex op) {
    const Trace& trace = canvas.shown()->trace();
    addTitle(menu, {QStringLiteral("%1"), {menuName(trace, op)}});
    addEntry(menu, tr("Zoom to it\tF"), &canvas, [&canvas, op] { canvas.zoomTo(op); });
    addCulprit(menu, canvas, op);
    addBlocker(menu, canvas, op);
    addPartner(menu, canvas, op);
    addEntry(menu, tr("Follow to prerequisites\tJ"), &canvas, [&canvas] { followLink(canvas, -1); });
    addEntry(menu, tr("Follow to dependents\tK"), &canvas, [&canvas] { followLink(canvas, +1); });
    menu.addSeparator();
    const QString name = fromText(demangled(trace.text(trace[op].name)));
    addEntry(menu, tr("Select all like it"), &canvas, [&canvas, op] { canvas.selectAlike(op); });
    addEntry(menu, tr("Search for its name\t/"), &canvas, [&canvas, name] {
        emit canvas.searchForRequested(QLatin1Char('"') + name + QLatin1Char('"'));
    })->setEnabled(!name.isEmpty() && !name.contains(QLatin1Char('"')));
    menu.addSeparator();
    addCommon(menu, canvas);
}

void addGapActions(QMenu& menu, TimelineCanvas& canvas) {
    addTitle(menu, {tr("Idle for %1"), {durationText(canvas.selection().gap()->time.length())}});
    addEntry(menu, tr("Zoom to it\tF"), &canvas, [&canvas] { fitSelection(canvas); });
    addCommon(menu, canvas);
}

/// What the menu is about becomes what is picked. The key for menus means what is picked already. @returns a
/// point in its row.
QPoint CanvasMenu::pick(const QContextMenuEvent& event) {
    const TimelineRows& rows = m_canvas.rows();
    const CanvasMap map = m_canvas.map();
    const Row* used = rows.layout().of(rows.inUse());
    if (event.reason() == QContextMenuEvent::Keyboard)
        return used ? map.rectOf(*used).center() : event.pos();
    const Row* row = rows.at(event.pos().y());
    if (!row || !row->lane || event.pos().x() < m_canvas.gutter())
        return event.pos();
    auto hit = map.activityAt(event.pos());
    if (const auto wait = map.waitAt(event.pos()); !hit && wait)
        hit = wait->op; // what can be done with it is what can be done about its wait
    const Ns time = m_canvas.viewport().timeAt(map.columnAt(event.pos().x()));
    if (hit && hit != m_canvas.selection().activity())
        m_canvas.select(hit);
    else if (const auto gap = view::gapAt(*m_canvas.shown(), row->lane->id, time); !hit && gap)
        m_canvas.selectGap(gap);
    return event.pos();
}

void CanvasMenu::open(const QContextMenuEvent& event) {
    if (!m_canvas.shown())
        return;
    const QPoint point = pick(event);
    if (!m_canvas.rows().at(point.y()))
        return;
    delete m_menu; // not when it closes: what was chosen in it may still run
    m_menu = new QMenu(&m_canvas);
    const bool isKey = event.reason() == QContextMenuEvent::Keyboard;
    fill(*m_menu, point, isKey);
    m_menu->popup(isKey ? m_canvas.mapToGlobal(point) : event.globalPos());
    m_canvas.update();
}

void CanvasMenu::fill(QMenu& menu, QPoint point, bool isKey) {
    TimelineRows& rows = m_canvas.rows();
    const view::Selection& selection = m_canvas.selection();
    const CanvasMap map = m_canvas.map();
    const Row& row = *rows.at(point.y());
    const bool onOp =
        selection.activity() && (isKey || map.activityAt(point) == selection.activity() || map.waitAt(point));
    const bool onGap = !onOp && selection.gap() && (isKey || (point.x() >= m_canvas.gutter() && row.lane));
    QMenu* rowMenu = &menu;
    if (selection.range())
        addEntry(menu, TimelineCanvas::tr("Make an experiment of what is between the rulers"), &m_canvas,
                 &TimelineCanvas::experimentRequested);
    if (onOp || onGap) {
        onOp ? addOpActions(menu, m_canvas, *selection.activity()) : addGapActions(menu, m_canvas);
        rowMenu = addSubmenu(menu, TimelineCanvas::tr("The row"));
    }
    if (row.lane)
        rows.addActions(*rowMenu, row);
    rows.addGroupActions(*rowMenu, row.group);
    addEntry(*rowMenu, TimelineCanvas::tr("Show all rows\tShift+H"), &rows, &TimelineRows::showAll);
    addEntry(*rowMenu, TimelineCanvas::tr("Reset rows\tShift+R"), &rows, &TimelineRows::reset)
        ->setEnabled(rows.choices() != RowChoices{});
}

} // namespace olab::ui
