#include "window/rooms/trace_room.h"

#include "base/plain_text.h"
#include "tracing/trace_dialog.h"
#include "tracing/watch_page.h"
#include "window/files.h"
#include "window/help.h"
#include "window/menus.h"
#include "window/messages/messages.h"
#include "window/pages.h"
#include "window/rooms/gallery_room.h"
#include "window/window_parts.h"

#include <olab/recording/last_seconds.h>
#include <olab/ui/news.h>
#include <olab/ui/session.h>
#include <olab/ui/texts.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/window_options.h>

#include <QEvent>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

namespace olab::ui {

namespace {

/// What is kept of a wish, by the key of the settings.
constexpr std::pair<const char*, QString TraceWish::*> kWishFields[] = {
    {"program", &TraceWish::program}, {"arguments", &TraceWish::arguments}, {"folder", &TraceWish::folder},
    {"delay", &TraceWish::delay},     {"duration", &TraceWish::duration},   {"last", &TraceWish::last},
    {"options", &TraceWish::options}};

/// On the engine thread. Where the window does not come to it, only the newest look waits.
void watch(recording::LastSeconds& seconds, const JobTools& tools,
           const std::function<void(const TraceNewsPtr&)>& watched) {
    struct Waiting {
        std::mutex mutex;
        std::shared_ptr<TraceNews> news;
        TraceNewsPtr take() {
            const std::lock_guard taking(mutex);
            return std::exchange(news, nullptr);
        }
    };
    const auto waiting = std::make_shared<Waiting>();
    RunControl quiet;
    quiet.stop = tools.control.stop;
    view::RunPtr run; // one, however often it is looked at
    recording::watch(seconds, quiet, [&](const recording::LastLook& look) {
        auto news = std::make_shared<TraceNews>();
        news->look = look;
        if (look.recording) {
            news->shown = std::make_shared<const view::ViewData>(look.recording, quiet, run);
            run = news->shown->run;
            news->judged = look.judged == look.recording
                               ? news->shown
                               : std::make_shared<const view::ViewData>(look.judged, quiet);
        }
        const std::lock_guard lock(waiting->mutex);
        const std::shared_ptr<TraceNews> before = std::exchange(waiting->news, news);
        if (before && !news->shown)
            news->shown = before->shown, news->judged = before->judged,
            news->look.seconds = before->look.seconds, news->look.isShortened = before->look.isShortened;
        if (!before)
            tools.tell([waiting, watched] { watched(waiting->take()); });
    });
}

constexpr const char* kLengthKey = "trace/watched_seconds";
constexpr int kUsualSeconds = static_cast<int>(WatchPage::kUsualLength.count());

} // namespace

TraceRoom::TraceRoom(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts)
    , m_session(parts.session) {
    QAction* action =
        addEntry(parts.menus.menu(MenuId::Experiment), tr("&Trace a program..."), this, [this] { open(); });
    action->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_T));
    parts.window.installEventFilter(this);
    action->setEnabled(!parts.session.olab().empty());
    setTip(*action, action->isEnabled()
                        ? tr("Runs any program that uses CUDA, and records it: it needs no change")
                        : tr("The program olab, which records, was not found beside this one"));
    connectSession();
}

void TraceRoom::connectSession() {
    // Queued: what a job leaves is told after its end.
    connect(&m_session, &Session::ended, this, &TraceRoom::jobEnded, Qt::QueuedConnection);
    connect(&m_parts.files, &Files::waits, this, &TraceRoom::stopLooking);
    connect(&m_parts.centre, &QStackedWidget::currentChanged, this,
            [this] { // what nobody sees is not looked at
                if (!m_parts.centre.isIn(Room::Watch))
                    stopLooking();
            });
}

TraceDialog& TraceRoom::dialog() {
    if (m_dialog)
        return *m_dialog;
    m_dialog = new TraceDialog(exactText(m_session.olab().string()), &m_parts.window);
    restore();
    connect(m_dialog, &TraceDialog::wished, this, &TraceRoom::keep);
    connect(m_dialog, &TraceDialog::wished, this, &TraceRoom::begun);
    connect(m_dialog, &TraceDialog::changed, this, &TraceRoom::programChanged);
    connect(m_dialog, &TraceDialog::recorded, this, [this](const QStringList& files) {
        m_parts.messages.log(m_dialog->said());
        m_toOpen = files;
        programEnded();
    });
    connect(m_dialog, &TraceDialog::endedWithout, this, &TraceRoom::programEnded);
    return *m_dialog;
}

WatchPage& TraceRoom::page() {
    if (m_page)
        return *m_page;
    m_page = new WatchPage;
    connect(m_page, &WatchPage::lookRequested, this, &TraceRoom::look);
    connect(m_page, &WatchPage::recordRequested, this,
            [this] { m_dialog->record(!m_dialog->run().isRecording()); });
    connect(m_page, &WatchPage::stopRequested, this, [this] {
        m_dialog->stop();
        programChanged();
    });
    connect(m_page, &WatchPage::outputRequested, this, &TraceRoom::showDialog);
    connect(m_page, &WatchPage::backRequested, &m_parts.gallery, &GalleryRoom::leaveTo);
    connect(m_page, &WatchPage::lengthChosen, this, [this](std::chrono::milliseconds length) {
        if (m_seconds)
            m_seconds->setLength(length);
        keep();
    });
    connect(m_page, &WatchPage::processChosen, this,
            [this](int number) { lookAt(m_dialog->run().files().value(number)); });
    connect(m_page, &WatchPage::keepRequested, this, &TraceRoom::keepSeen);
    m_parts.centre.add(Room::Watch, *m_page);
    connect(&m_page->timeline().canvas(), &TimelineCanvas::helpRequested, this,
            [this] { showKeys(&m_parts.window); });
    if (m_parts.options.remember)
        m_page->setLength(
            std::chrono::seconds(QSettings().value(QLatin1String(kLengthKey), kUsualSeconds).toInt()));
    return *m_page;
}

void TraceRoom::open() {
    if (!dialog().isRunning() || m_parts.centre.isIn(Room::Watch))
        return showDialog();
    m_parts.centre.enter(Room::Watch);
    page().setFocus(Qt::OtherFocusReason);
    look();
}

void TraceRoom::showDialog() {
    TraceDialog& shown = dialog();
    shown.show();
    shown.raise();
    shown.activateWindow();
}

/// What it does is seen now, not what was asked for; what it says is a key away.
void TraceRoom::begun() {
    if (!m_dialog->isRunning())
        return;
    m_toOpen.clear();
    page().clear();
    m_seconds = std::make_shared<recording::LastSeconds>(fileOf(m_dialog->run().file()), page().length());
    m_parts.centre.enter(Room::Watch);
    programChanged();
    m_dialog->hide();
    m_page->setFocus(Qt::OtherFocusReason);
    look();
}

void TraceRoom::look() {
    if (m_isLooking || !m_seconds || !m_dialog->isRunning())
        return;
    m_isLooking = m_session.start(*this, {tr("Watching the program"),
                                          [this, seconds = m_seconds](const JobTools& tools, JobResult&) {
                                              watch(*seconds, tools,
                                                    [this](const TraceNewsPtr& news) { m_page->add(news); });
                                          },
                                          false,
                                          {},
                                          [this](JobEnd, const QString&) {
                                              m_isLooking = false;
                                              m_page->setLooks(false);
                                          }});
    m_wantsLook = !m_isLooking;
    page().setLooks(m_isLooking);
    if (m_wantsLook)
        page().say(tr("Something else runs: what the program does is seen here once that has ended."));
}

/// Another process of the program.
void TraceRoom::lookAt(const QString& file) {
    if (file.isEmpty() || (m_seconds && m_seconds->file() == fileOf(file)))
        return;
    m_seconds = std::make_shared<recording::LastSeconds>(fileOf(file), page().length());
    page().clear();
    m_wantsLook = true;
    m_isLooking ? m_session.cancel() : look();
}

void TraceRoom::stopLooking() {
    m_wantsLook = false;
    if (m_isLooking)
        m_session.cancel();
}

void TraceRoom::programChanged() {
    if (!m_page || !m_dialog->isRunning())
        return;
    const TracedRun& run = m_dialog->run();
    const QString name = QFileInfo(run.wish().program).fileName();
    m_page->setProgram({tr("%1 · %2").arg(shownText(name), m_dialog->said()), m_dialog->waits(),
                        run.isRecording(), run.isStopping()});
    const QStringList files = run.files();
    QStringList names;
    for (const QString& file : files)
        names << QFileInfo(file).fileName();
    const auto looksAt = [this](const QString& file) {
        return m_seconds && m_seconds->file() == fileOf(file);
    };
    const auto now = std::ranges::find_if(files, looksAt);
    if (now == files.end() && !files.isEmpty()) // the program itself does not use CUDA
        lookAt(files.front());
    m_page->setProcesses(names, now == files.end() ? 0 : static_cast<int>(now - files.begin()));
}

void TraceRoom::programEnded() {
    const bool isSeen = m_parts.centre.isIn(Room::Watch);
    m_wantsLook = false;
    if (m_toOpen.isEmpty()) {
        if (isSeen)
            m_parts.gallery.leaveTo();
        return showDialog(); // which says why
    }
    m_isLooking ? m_session.cancel() : openRecordings();
}

void TraceRoom::jobEnded() {
    if (m_session.busy())
        return;
    if (m_wantsLook && m_parts.centre.isIn(Room::Watch))
        look();
    openRecordings();
}

/// Those of several processes as one: they have one clock.
void TraceRoom::openRecordings() {
    if (m_toOpen.isEmpty() || m_session.busy())
        return;
    const QStringList files = std::exchange(m_toOpen, {});
    if (m_parts.centre.isIn(Room::Watch))
        m_parts.gallery.leaveTo();
    files.size() == 1 ? m_parts.files.open(files.front()) : void(m_session.openMerged(files));
}

/// The recording as a whole comes when the program has ended; the program goes on.
void TraceRoom::keepSeen(const view::ViewDataPtr& seen) {
    stopLooking();
    m_session.offer(seen);
    m_parts.centre.enter(Room::Work);
    m_parts.pages.open(QStringLiteral("findings"));
}

/// A program that is being recorded ends with the window: a person is asked.
bool TraceRoom::eventFilter(QObject*, QEvent* event) {
    const bool stays = event->type() == QEvent::Close && !mayClose();
    if (stays)
        event->ignore();
    return stays;
}

bool TraceRoom::mayClose() {
    if (!m_dialog || !m_dialog->isRunning())
        return true;
    const auto answer = askPlain(&m_parts.window, tr("A program is being recorded. End it and close?"),
                                 tr("What is recorded stays in its file."),
                                 QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel);
    return answer == QMessageBox::Yes;
}

void TraceRoom::restore() {
    if (!m_parts.options.remember)
        return;
    const QSettings settings;
    TraceWish wish;
    for (const auto& [key, field] : kWishFields)
        wish.*field = settings.value(QStringLiteral("trace/%1").arg(QLatin1String(key))).toString();
    m_dialog->setWish(wish);
}

void TraceRoom::keep() const {
    if (!m_parts.options.remember)
        return;
    QSettings settings;
    if (m_page)
        settings.setValue(QLatin1String(kLengthKey),
                          static_cast<int>(m_page->length() / std::chrono::seconds(1)));
    const TraceWish wish = m_dialog->wish();
    for (const auto& [key, field] : kWishFields)
        settings.setValue(QStringLiteral("trace/%1").arg(QLatin1String(key)), wish.*field);
}

} // namespace olab::ui
