#include "window/runs/runs.h"

#include "window/messages/messages.h"
#include "window/runs/run_list.h"
#include "window/runs/run_store.h"
#include "window/runs/runs_foot.h"

#include <olab/ui/session.h>
#include <olab/ui/window_options.h>

#include <QVBoxLayout>

namespace olab::ui {

Runs::Runs(Session& session, const WindowOptions& options, Messages& messages, QObject& owner)
    : QObject(&owner)
    , m_store(new RunStore(options.runMemory, options.runFolder, this))
    , m_list(new RunList(*m_store)) {
    connectList();
    connect(m_store, &RunStore::failed, &messages,
            [&messages](const run::RunnerError& e) { messages.error(e); });
    connect(&session, &Session::ended, m_store, &RunStore::balanceSoon);
    connect(&session, &Session::readyToCompare, this, &Runs::compare);
    connect(&session, &Session::refined, this, &Runs::refine);
    connect(&session, &Session::accounted, this, [this](const view::ViewDataPtr& shown) {
        if (isCurrent(shown))
            emit accounted();
    });
}

void Runs::connectList() {
    connect(m_list, &RunList::chosen, this, [this](const view::ViewDataPtr& shown) {
        emit chosen();
        setCurrent(shown);
    });
    connect(m_list, &RunList::itemClicked, this, &Runs::chosen);
    connect(m_list, &RunList::itemActivated, this, &Runs::chosen);
    connect(m_list, &RunList::pairChosen, this, &Runs::compare);
    connect(m_list, &RunList::emptied, this, [this] { setCurrent(nullptr); });
}

QWidget* Runs::makeView() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_list, 1);
    column->addWidget(new RunsFoot(*m_store));
    return box;
}

void Runs::setCurrent(const view::ViewDataPtr& shown) {
    if (shown == m_current)
        return;
    m_current = shown;
    emit currentChanged();
}

void Runs::refine(const view::ViewDataPtr& before, const view::ViewDataPtr& after) {
    emit refined(before, after);
    m_list->replace(after);
    if (!isCurrent(before))
        return;
    m_current = after;
    emit currentRefined(before);
}

} // namespace olab::ui
