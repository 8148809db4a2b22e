// Where the time of a run went: its headline, its page, its ghosts in the timeline.
#include <olab/ui/main_window.h>

#include "base/plain_text.h"
#include "charts/charts_page.h"
#include "charts/ledger_page.h"
#include "results/activities_page.h"
#include "results/findings_page.h"
#include "results/headline_line.h"
#include "results/verdict_strip.h"
#include "window/settings_keeper.h"

#include <olab/ui/timeline_view.h>

#include <QAction>
#include <QMenu>
#include <QTabWidget>

namespace olab {

QWidget* MainWindow::buildLedger() {
    m_ledger = new LedgerPage;
    m_timeline->canvas().setShowsWaits(true);
    return m_ledger;
}

void MainWindow::addGhostActions(QMenu& menu) {
    TimelineCanvas& canvas = m_timeline->canvas();
    m_waitsAction =
        addEntry(menu, tr("&Waits before operations\tG"), &canvas, &TimelineCanvas::setShowsWaits);
    m_idealAction =
        addEntry(menu, tr("I&deal run under the bars\tShift+G"), &canvas, &TimelineCanvas::setShowsIdeal);
    setTip(*m_waitsAction,
           tr("Before each operation of a stream how long it was held back, in the colour and hatch "
              "of the cause"));
    setTip(*m_idealAction, tr("Where the same work would be if nothing had held it back"));
    for (QAction* action : {m_waitsAction, m_idealAction})
        action->setCheckable(true);
    const auto tell = [this, &canvas] {
        m_waitsAction->setChecked(canvas.showsWaits());
        m_idealAction->setChecked(canvas.showsIdeal());
        if (m_keeper)
            m_keeper->changed();
    };
    connect(&canvas, &TimelineCanvas::ghostsChanged, this, tell);
    tell();
}

void MainWindow::connectLedger() {
    connect(m_headline, &HeadlineLine::moreRequested, this, [this] { showPage(QStringLiteral("ledger")); });
    connect(m_ledger, &LedgerPage::placeChosen, this, [this](quint32 index, LossCause cause) {
        m_timeline->canvas().showPlace(waitPlaceOf(*m_shown, index, cause));
    });
    connect(m_ledger, &LedgerPage::cancelRequested, &m_session, &Session::cancel);
    connect(m_ledger, &LedgerPage::accountRequested, this, [this] {
        if (m_shown && m_session.account(m_shown))
            m_ledger->setWorking(true, true);
    });
    connect(&m_session, &Session::accounted, this, [this](const ViewDataPtr& shown) {
        if (shown != m_shown)
            return;
        showLedger();
        showFindings();
        m_activities->setShown(shown); // each wait is the account's from now on
        m_verdicts->setShown(shown);   // bounds and efficiency follow the account
        m_charts->setShown(shown);
        selectionChanged();
    });
    connect(&m_session, &Session::progressed, m_ledger, &LedgerPage::setProgress);
    connect(&m_session, &Session::started, this, [this] { m_ledger->setWorking(false, true); });
    connect(&m_session, &Session::ended, this, [this] {
        m_ledger->setFindsIteration(false);
        m_ledger->setWorking(false, m_session.busy());
    });
    connectSteadyState();
}

void MainWindow::connectSteadyState() {
    connect(m_ledger, &LedgerPage::iterationRequested, this, [this] {
        if (m_shown && m_session.findSteadyState(m_shown))
            m_ledger->setFindsIteration(true);
    });
    connect(m_ledger, &LedgerPage::iterationChosen, this, [this](Interval time) {
        m_timeline->canvas().setFocus();
        m_timeline->canvas().showRange(time);
    });
    connect(&m_session, &Session::steadyStateFound, this, [this](const ViewDataPtr& shown) {
        if (shown != m_shown)
            return;
        m_ledger->setShown(shown);
        m_timeline->iterationsChanged();
    });
}

void MainWindow::showFindings() {
    m_findings->setShown(m_shown);
    const auto findings = m_shown->report()->findings.size();
    m_pages->setTabText(0, findings > 0 ? tr("Findings (%1)").arg(findings) : tr("Findings"));
}

void MainWindow::showLedger() {
    m_headline->setShown(m_shown);
    m_ledger->setShown(m_shown);
    m_timeline->canvas().accountChanged();
}

} // namespace olab
