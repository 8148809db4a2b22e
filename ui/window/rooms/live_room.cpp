#include "window/rooms/live_room.h"

#include "base/plain_text.h"
#include "experiment/experiment_panel.h"
#include "window/files.h"
#include "window/jobs.h"
#include "window/menus.h"
#include "window/messages/messages.h"
#include "window/rooms/gallery_room.h"
#include "window/window_layout.h"
#include "window/window_parts.h"

#include <olab/ui/experiment_form.h>
#include <olab/ui/format.h>
#include <olab/ui/session.h>

#include <QAction>
#include <QMainWindow>
#include <QMenu>

namespace olab::ui {

LiveRoom::LiveRoom(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts)
    , m_session(parts.session) {
    QAction* const action =
        addEntry(parts.menus.menu(MenuId::Experiment), tr("&Live"), this, [this] { start(); });
    action->setShortcut(QKeySequence(Qt::Key_L));
    action->setObjectName(QStringLiteral("live"));
    setTip(*action, tr("Runs the settings of the form over and over; what you change is in the next pass"));
    connectSession();
}

LivePage& LiveRoom::page() {
    if (m_page)
        return *m_page;
    m_page = new LivePage;
    connect(m_page, &LivePage::pauseRequested, this, [this] { isRunning() ? stop() : start(); });
    connect(m_page, &LivePage::keepRequested, this, &LiveRoom::keep);
    connect(m_page, &LivePage::backRequested, this, &LiveRoom::back);
    m_parts.centre.add(Room::Live, *m_page);
    return *m_page;
}

void LiveRoom::connectSession() {
    connect(&m_session, &Session::livePassed, this, [this](const LiveNewsPtr& news) {
        if (!isRunning())
            return;
        if (news->pass.number == 1)
            page().setState(LivePage::State::Running, whereText());
        page().add(news);
    });
    connect(&m_session, &Session::liveRefused, this, [this](const QString& why) {
        if (isRunning())
            page().say(tr("%1 The settings before go on.").arg(why));
    });
    connect(&m_session, &Session::ended, this, [this] { ended(); });
    connect(&m_parts.files, &Files::waits, this, [this] { stop(); });
    connect(&m_parts.panel.form(), &ExperimentForm::edited, this, [this] { take(); });
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
    m_session.live(m_wish);
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
    if (!isRunning() || m_session.busy())
        return;
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

void LiveRoom::back() {
    stop();
    m_parts.gallery.leaveTo();
}

} // namespace olab::ui
