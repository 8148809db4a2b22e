#include "window/rooms/inspector_side.h"

#include "base/plain_text.h"
#include "results/inspector.h"
#include "window/jobs.h"
#include "window/runs/runs.h"

#include <olab/ui/experiment_form.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/view/view_data.h>

#include <QPushButton>
#include <QVBoxLayout>

namespace olab::ui {

InspectorSide::InspectorSide(const Uses& uses)
    : m_uses(uses)
    , m_inspector(new Inspector)
    , m_useSettings(new QPushButton) {
    m_useSettings->setObjectName(QStringLiteral("useSettings"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_inspector, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(10, 0, 10, 8);
    foot->addWidget(m_useSettings);
    column->addLayout(foot);
    connect(&uses.form, &ExperimentForm::edited, this, &InspectorSide::refreshButton);
    connect(m_useSettings, &QPushButton::clicked, &uses.jobs, &Jobs::useShownSettings);
    connect(&uses.canvas, &TimelineCanvas::selectionChanged, this, &InspectorSide::showSelection);
    connect(&uses.runs, &Runs::accounted, this, &InspectorSide::showSelection); // waits are the account's now
    connect(m_inspector, &Inspector::activityChosen, this, [this](quint32 index) {
        m_uses.canvas.select(index);
        m_uses.canvas.bringIntoView(index);
    });
    refreshButton();
}

void InspectorSide::showCurrent() {
    m_inspector->showActivity(m_uses.runs.current(), {});
    refreshButton();
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

void InspectorSide::refreshButton() {
    const view::ViewDataPtr& shown = m_uses.runs.current();
    const bool has = shown && shown->recording->experiment != nullptr;
    const bool same = has && m_uses.form.valid() && *shown->recording->experiment == m_uses.form.experiment();
    m_useSettings->setVisible(has);
    m_useSettings->setEnabled(has && !same);
    m_useSettings->setText(same ? tr("Settings loaded") : tr("Use these settings"));
    setTip(*m_useSettings, same ? tr("The form on the left shows what this recording was made with")
                                : tr("Fills the form on the left with what this recording was made with"));
}

} // namespace olab::ui
