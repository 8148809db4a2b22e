#include "window/rooms/live_room.h"

#include "base/plain_text.h"
#include "experiment/experiment_panel.h"
#include "window/files.h"
#include "window/jobs.h"
#include "window/menus.h"
#include "window/messages/messages.h"
#include "window/rooms/gallery_room.h"
#include "window/runs/engines.h"
#include "window/window_layout.h"
#include "window/window_parts.h"

#include <olab/ui/experiment_form.h>
#include <olab/ui/format.h>
#include <olab/ui/session.h>

#include <QAction>
#include <QMainWindow>
#include <QMenu>

#include <atomic>
#include <utility>

namespace olab::ui {

namespace {

/// On the engine thread. Where the window does not come to it, a pass is left out, not kept waiting.
void runLive(const recording::LiveWish& wish, BackendChoice choice, const JobTools& tools,
             const std::function<void(const LiveNewsPtr&)>& passed,
             const std::function<void(const QString&)>& refused) {
    tools.engines.giveBack();
    const std::unique_ptr<experiment::Backend> backend =
        choice == BackendChoice::Simulator
            ? tools.engines.backends().simulator()
            : tools.engines.makeChild(run::ChildKind::Traced, run::makeDeparture(), tools.control);
    const auto waiting = std::make_shared<std::atomic<int>>(0);
    recording::LiveHooks hooks;
    hooks.onDevice = choice == BackendChoice::Gpu;
    hooks.passed = [&](recording::LivePass pass) {
        if (pass.changed.empty() && *waiting > 1)
            return;
        auto news = std::make_shared<LiveNews>();
        RunControl quiet;
        quiet.stop = tools.control.stop;
        news->shown = std::make_shared<const view::ViewData>(pass.recording, quiet);
        news->pass = std::move(pass);
        ++*waiting;
        tools.tell([news, waiting, passed] {
            --*waiting;
            passed(news);
        });
    };
    hooks.refused = [&](const experiment::HeldExperiment&, const std::string& why) {
        tools.tell([refused, text = sentence(why)] { refused(text); });
    };
    recording::runLive(wish, *backend, tools.control, hooks);
}

} // namespace

LiveRoom::LiveRoom(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts)
    , m_session(parts.session) {
    QAction* const action =
        addEntry(parts.menus.menu(MenuId::Experiment), tr("&Live"), this, [this] { start(); });
    action->setShortcut(QKeySequence(Qt::Key_L));
    action->setObjectName(QStringLiteral("live"));
    setTip(*action, tr("Runs the settings of the form over and over; what you change is in the next pass"));
    connect(&m_parts.files, &Files::waits, this, [this] { stop(); });
    connect(&m_parts.panel.form(), &ExperimentForm::edited, this, [this] { take(); });
}

LivePage& LiveRoom::page() {
    if (m_page)
        return *m_page;
    m_page = new LivePage;
    connect(m_page, &LivePage::pauseRequested, this, [this] { isRunning() ? stop() : start(); });
    connect(m_page, &LivePage::keepRequested, this, &LiveRoom::keep);
    connect(m_page, &LivePage::backRequested, this, [this] {
        stop();
        m_parts.gallery.leaveTo();
    });
    m_parts.centre.add(Room::Live, *m_page);
    return *m_page;
}

QString LiveRoom::whereText() const {
    return m_session.backend() == BackendChoice::Gpu
               ? tr("Live: each pass is a real run on %1").arg(m_session.gpu().name)
               : tr("Live, SIMULATED: each pass is a run of the simulator");
}

void LiveRoom::start() {
    if (isRunning())
        return;
    if (!m_parts.jobs.mayStart(tr("run live")))
        return;
    m_parts.layout.show(Part::Form, true);
    m_wish = std::make_shared<recording::LiveWish>(m_parts.panel.form().experiment());
    page().setState(LivePage::State::Starting, whereText());
    m_parts.centre.enter(Room::Live);
    m_page->setFocus(Qt::OtherFocusReason);
    m_session.start(*this, {tr("Running live"),
                            [this, wish = m_wish, choice = m_session.backendFor(m_wish->get())](
                                const JobTools& tools, JobResult&) {
                                runLive(
                                    *wish, choice, tools, [this](const LiveNewsPtr& news) { passed(news); },
                                    [this](const QString& why) {
                                        m_page->say(tr("%1 The settings before go on.").arg(why));
                                    });
                            },
                            false,
                            {},
                            [this](JobEnd, const QString&) { ended(); }});
}

void LiveRoom::passed(const LiveNewsPtr& news) {
    if (news->pass.number == 1)
        m_page->setState(LivePage::State::Running, whereText());
    m_page->add(news);
}

void LiveRoom::stop() {
    if (isRunning())
        m_session.cancel();
}

/// What cannot run together is told by the form itself.
void LiveRoom::take() {
    if (isRunning() && m_parts.panel.form().valid())
        m_wish->set(m_parts.panel.form().experiment());
}

/// It ends only when it is stopped, or by an error, which is told above.
void LiveRoom::ended() {
    m_wish.reset();
    m_page->setState(LivePage::State::Stopped, whereText());
    if (m_page->newest())
        m_page->say(
            tr("Paused. Space goes on; K keeps the newest pass as a run of the list; Esc goes back."));
}

void LiveRoom::keep() {
    if (!page().newest())
        return;
    stop();
    m_session.offer(m_page->newest()->shown);
    m_parts.centre.enter(Room::Work);
}

} // namespace olab::ui
