// The menu of the canvas: what is under the pointer, and its row.
#include <olab/ui/timeline_canvas.h>

#include "base/plain_text.h"
#include "timeline/asking/op_menu.h"
#include "timeline/rows/timeline_rows.h"

#include <olab/trace/lanes.h>

#include <QContextMenuEvent>
#include <QMenu>

namespace olab {

/// What the menu is about becomes what is picked. The key for menus means what is picked already.
/// @returns a point in its row.
QPoint TimelineCanvas::pickForMenu(QContextMenuEvent& event) {
    const Row* used = m_rows->layout().of(m_rows->inUse());
    if (event.reason() == QContextMenuEvent::Keyboard)
        return used ? rectOf(*used).center() : event.pos();
    const Row* row = m_rows->at(event.pos().y());
    if (!row || !row->lane || event.pos().x() < gutter())
        return event.pos();
    auto hit = activityAt(event.pos());
    if (const auto wait = waitAt(event.pos()); !hit && wait)
        hit = wait->op; // what can be done with it is what can be done about its wait
    if (hit && hit != m_selection.activity())
        select(hit);
    else if (const auto gap = gapAt(*m_shown, row->lane->id, m_view.timeAt(toColumn(event.pos().x())));
             !hit && gap)
        selectGap(gap);
    return event.pos();
}

void TimelineCanvas::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_shown)
        return;
    const QPoint point = pickForMenu(*event);
    const Row* row = m_rows->at(point.y());
    if (!row)
        return;
    delete m_menu; // not when it closes: what was chosen in it may still run
    auto* menu = new QMenu(this);
    m_menu = menu;
    const bool isKey = event->reason() == QContextMenuEvent::Keyboard;
    const bool onOp =
        m_selection.activity() && (isKey || activityAt(point) == m_selection.activity() || waitAt(point));
    const bool onGap = !onOp && m_selection.gap() && (isKey || (point.x() >= gutter() && row->lane));
    QMenu* rowMenu = menu;
    if (m_selection.range())
        addEntry(*menu, tr("Make an experiment of what is between the rulers"), this,
                 &TimelineCanvas::experimentRequested);
    if (onOp || onGap) {
        onOp ? addOpActions(*menu, *this, *m_selection.activity()) : addGapActions(*menu, *this);
        rowMenu = menu->addMenu(tr("The row"));
    }
    if (row->lane)
        m_rows->addActions(*rowMenu, *row);
    m_rows->addGroupActions(*rowMenu, row->group);
    rowMenu->addAction(tr("Show all rows\tShift+H"), m_rows, &TimelineRows::showAll);
    rowMenu->addAction(tr("Reset rows\tShift+R"), m_rows, &TimelineRows::reset)
        ->setEnabled(m_rows->choices() != RowChoices{});
    menu->popup(isKey ? mapToGlobal(point) : event->globalPos());
    update();
}

} // namespace olab
