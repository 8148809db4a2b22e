#include "timeline/input/canvas_menu.h"

#include "base/plain_text.h"
#include "timeline/input/op_menu.h"
#include "timeline/rows/timeline_rows.h"

#include <olab/trace/lanes.h>
#include <olab/ui/timeline_canvas.h>

#include <QContextMenuEvent>
#include <QMenu>

namespace olab::ui {

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
