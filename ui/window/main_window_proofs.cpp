// Changes proved by runs in turn, and the search for the best of them.
#include <olab/ui/main_window.h>

#include "base/plain_text.h"
#include "results/compare_page.h"
#include "results/fix_page.h"

#include <olab/experiment/held_experiment.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/format.h>

#include <QAction>
#include <QMenu>
#include <QSplitter>
#include <QTabWidget>

#include <algorithm>

namespace olab {

void MainWindow::buildProofs() {
    m_fix = new FixPage;
    m_fix->setObjectName(QStringLiteral("fix"));
    m_pages->addTab(m_fix, tr("Fix"));
    m_pages->setTabVisible(m_pages->indexOf(m_fix), false); // until something was searched for
    connect(m_compare, &ComparePage::stopRequested, &m_session, &Session::cancel);
    connect(&m_session, &Session::proofNews, this, &MainWindow::proofCame);
    connect(&m_session, &Session::fixFound, this, &MainWindow::fixCame);
    connect(m_fix, &FixPage::settingsChosen, this, [this](const std::string& experiment) {
        form().setExperiment(experimentFromJson(experiment));
        log(tr("The form shows the best settings that were found."));
    });
}

void MainWindow::addFixAction(QMenu& menu) {
    m_fixAction = menu.addAction(tr("&Find the fix"), QKeySequence(Qt::CTRL | Qt::Key_Return), this,
                                 &MainWindow::findFix);
    m_fixAction->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)});
    setTip(*m_fixAction, tr("Predicts what every change of one option would bring to the settings in the "
                            "form, and measures the best in runs interleaved with them"));
}

void MainWindow::findFix() {
    if (m_session.busy())
        return showError({ErrorKind::Usage, "busy", "Something else is running.",
                          "Cancel it (Esc), then search for the fix."});
    if (!form().valid())
        return showError({ErrorKind::Usage, "conflict", "These settings cannot be run together.",
                          "The form says which: mend that first."});
    m_session.findFix(form().experiment());
}

void MainWindow::proofCame(const ProofNews& news) {
    m_compare->setProof(news.before->run, news.after->run, {news.proof, news.pairs, news.done, news.stopped});
    if (!news.done)
        return;
    log(news.stopped.isEmpty() ? sentence(news.proof.text) : tr("Not proved: %1.").arg(news.stopped));
}

void MainWindow::fixCame(const FixPtr& fix) {
    m_fix->setFix(fix);
    m_pages->setTabVisible(m_pages->indexOf(m_fix), true);
    showWork();
    showPage(QStringLiteral("fix"));
    const int all = m_middle->height(), tabs = m_pages->height() - m_fix->height();
    const int wanted = std::min(m_fix->wantedHeight() + tabs, all / 2);
    if (m_pages->height() < wanted)
        m_middle->setSizes({all - wanted, wanted});
    log(sentence(fix->text));
}

} // namespace olab
