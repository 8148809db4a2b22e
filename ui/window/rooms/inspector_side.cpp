#include "window/rooms/inspector_side.h"

#include "results/inspector.h"
#include "window/runs/runs.h"

#include <olab/ui/timeline_canvas.h>
#include <olab/view/view_data.h>

#include <QVBoxLayout>

namespace olab::ui {

InspectorSide::InspectorSide(const Uses& uses)
    : m_uses(uses)
    , m_inspector(new Inspector) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_inspector, 1);
    connect(&uses.canvas, &TimelineCanvas::selectionChanged, this, &InspectorSide::showSelection);
    connect(&uses.runs, &Runs::accounted, this, &InspectorSide::showSelection); // waits are the account's now
    connect(m_inspector, &Inspector::activityChosen, this, [this](quint32 index) {
        m_uses.canvas.select(index);
        m_uses.canvas.bringIntoView(index);
    });
}

void InspectorSide::showCurrent() {
    m_inspector->showActivity(m_uses.runs.current(), {});
}

void InspectorSide::showSelection() {
    const view::Selection& selection = m_uses.canvas.selection();
    const view::ViewDataPtr& shown = m_uses.runs.current();
    if (selection.picked() == view::Selection::Picked::Range && selection.range())
        m_inspector->showRange(shown, *selection.range());
    else if (selection.picked() == view::Selection::Picked::Gap && selection.gap())
        m_inspector->showGap(shown, *selection.gap());
    else
        m_inspector->showActivity(shown, selection.activity());
}

} // namespace olab::ui
