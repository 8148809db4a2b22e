#include "window/rooms/claims_room.h"

#include "base/plain_text.h"
#include "experiment/experiment_panel.h"
#include "window/jobs.h"
#include "window/menus.h"
#include "window/messages/messages.h"
#include "window/rooms/gallery_room.h"
#include "window/runs/engines.h"
#include "window/runs/save_name.h"
#include "window/window_parts.h"

#include <olab/claims/claim_results.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/theme.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <QAction>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>

namespace olab::ui {

namespace {

/// On the engine thread.
ClaimsNewsPtr measured(claims::ClaimsJob job, BackendChoice choice, const JobTools& tools) {
    auto news = std::make_shared<ClaimsNews>();
    RunControl quiet;
    quiet.stop = tools.control.stop;
    job.recorded = [&](const std::string& run, const recording::RecordingPtr& recording) {
        news->runs[run] = std::make_shared<const view::ViewData>(recording, quiet);
    };
    const recording::BackendPair pair = tools.engines.pair(choice, tools.control);
    if (choice == BackendChoice::Simulator) {
        news->results = claims::runClaims(job, {pair.traced, nullptr, nullptr, true}, tools.control);
    } else {
        const auto serial =
            tools.engines.makeChild(run::ChildKind::Traced, run::makeDeparture(), tools.control, true);
        news->results = claims::runClaims(job, {pair.traced, serial.get(), pair.plain, false}, tools.control);
        serial->settle(tools.control);
    }
    return news;
}

} // namespace

ClaimsRoom::ClaimsRoom(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts)
    , m_session(parts.session) {
    QMenu& menu = parts.menus.menu(MenuId::Learn);
    menu.addSeparator();
    menu.addAction(tr("Claims, &expected and measured"), QKeySequence(Qt::CTRL | Qt::Key_K), this,
                   [this] { showPage(); });
    menu.addAction(tr("Calls that b&lock"), this, [this] { showCalls(); });
    connectSession();
}

/// Made when somebody wants it: a window in which nobody looks for claims is the lighter for it.
ClaimsPage& ClaimsRoom::page() {
    if (m_page)
        return *m_page;
    m_page = new ClaimsPage;
    connect(&m_page->view(), &ClaimView::againRequested, this,
            [this](const claims::ClaimRow& claim) { runAgain({claim.id}); });
    connect(&m_page->view(), &ClaimView::showRequested, this, &ClaimsRoom::showRun);
    connect(&m_page->view(), &ClaimView::runRequested, this, &ClaimsRoom::runHere);
    connect(&m_page->calls(), &CallsView::measureRequested, this, &ClaimsRoom::measureCalls);
    connect(&m_page->calls(), &CallsView::saveRequested, this, &ClaimsRoom::saveCalls);
    connect(m_page, &ClaimsPage::cancelRequested, &m_session, &Session::cancel);
    connect(m_page, &ClaimsPage::backRequested, this, &ClaimsRoom::back);
    m_parts.centre.add(Room::Claims, *m_page);
    m_page->setShown(m_shown);
    refreshWhere();
    return *m_page;
}

void ClaimsRoom::connectSession() {
    const auto refresh = [this] { refreshWhere(); };
    for (const auto news : {&Session::gpuProbed, &Session::backendChanged})
        connect(&m_session, news, this, refresh);
    for (const auto news : {&Session::started, &Session::ended})
        connect(&m_session, news, this, refresh);
}

ClaimView::Where ClaimsRoom::whereNow() const {
    return {m_session.backend() == BackendChoice::Gpu, m_session.busy(), m_problem};
}

void ClaimsRoom::refreshWhere() {
    if (m_page)
        m_page->setWhere(whereNow());
}

void ClaimsRoom::showPage() {
    page();
    m_parts.centre.enter(Room::Claims);
    m_page->focusFirst();
}

bool ClaimsRoom::shown() const {
    return m_parts.centre.isIn(Room::Claims);
}

bool ClaimsRoom::showClaim(std::string_view id) {
    if (!page().choose(id))
        return false;
    showPage();
    return true;
}

void ClaimsRoom::showClaims(const std::vector<std::string>& ids) {
    if (!ids.empty())
        page().showOnly(ids);
    showPage();
}

void ClaimsRoom::showCalls() {
    page().showCalls();
    showPage();
}

void ClaimsRoom::back() {
    m_parts.gallery.leaveTo();
    if (m_parts.gallery.hasWork())
        m_parts.timeline.canvas().setFocus(Qt::OtherFocusReason);
}

void ClaimsRoom::runAgain(const std::vector<std::string>& ids) {
    start(claims::claimsJob(ids));
}

/// That probe alone, none of the claims that it decides.
void ClaimsRoom::measureCalls() {
    claims::ClaimsJob job;
    job.experiments = {std::string(claims::kCallsExperiment)};
    start(job);
}

void ClaimsRoom::start(const claims::ClaimsJob& job) {
    m_problem.clear();
    const bool starts = m_session.start(
        *this, {tr("Measuring what decides the claims"),
                [this, job, choice = m_session.backend()](const JobTools& tools, JobResult& out) {
                    out.then = [this, news = measured(job, choice, tools)] { came(news); };
                },
                false, [this](double share, const QString& what) { m_page->setProgress(share, what); },
                [this](JobEnd how, const QString& why) { ended(how, why); }});
    if (!starts)
        m_problem = tr("Something else is running. Cancel it (Esc), then try again.");
    page().setProgress(starts ? 0 : -1, starts ? tr("Starting...") : QString());
    refreshWhere();
}

void ClaimsRoom::ended(JobEnd how, const QString& why) {
    m_problem = how == JobEnd::Stopped ? tr("It was stopped; what was known before still stands.") : why;
    m_page->setProgress(-1, {});
    refreshWhere();
}

void ClaimsRoom::came(const ClaimsNewsPtr& news) {
    m_shown.add(news);
    page().setShown(m_shown);
}

void ClaimsRoom::runHere(const claims::LabRun& run) {
    if (m_session.busy())
        return;
    m_parts.panel.form().setExperiment(run.experiment); // what runs is what the form shows
    m_parts.centre.enter(Room::Work);
    m_parts.jobs.run();
}

void ClaimsRoom::showRun(const view::ViewDataPtr& run) {
    m_parts.centre.enter(Room::Work);
    m_session.offer(run);
    m_parts.timeline.canvas().setFocus(Qt::OtherFocusReason);
}

QByteArray ClaimsRoom::callsFileOf(const QString& path) const {
    const claims::ClaimsResults* const results = m_shown.calls();
    if (!results)
        throw Error(ErrorKind::Usage, "no-calls", tr("There is no table of calls yet.").toStdString(),
                    tr("Measure it on a GPU first.").toStdString());
    return callsFile(*results, QFileInfo(path).suffix().toLower(), Theme::of(m_parts.window.palette()).dark);
}

void ClaimsRoom::saveCalls() {
    saveFileAs(
        m_parts.window,
        {tr("Export the table of calls"), QStringLiteral("calls-that-block.csv"),
         tr("CSV (*.csv);;JSON (*.json);;Markdown (*.md);;PNG picture (*.png);;SVG drawing (*.svg);;"
            "PDF page (*.pdf)")},
        [this](const QString& path) { return callsFileOf(path); }, m_parts.messages);
}

} // namespace olab::ui
