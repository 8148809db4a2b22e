#include "window/rooms/lesson_room.h"

#include "base/plain_text.h"
#include "lessons/lesson_memory.h"
#include "lessons/lessons_page.h"
#include "timeline/canvas/canvas_overlay.h"
#include "timeline/rows/timeline_rows.h"
#include "window/menus.h"
#include "window/messages/messages.h"
#include "window/pages.h"
#include "window/panel_rules.h"
#include "window/rooms/claims_room.h"
#include "window/rooms/gallery_room.h"
#include "window/runs/runs.h"
#include "window/window_parts.h"

#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/texts.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/window_options.h>

#include <QAction>
#include <QFileDialog>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>
#include <QSplitter>
#include <QTimer>

#include <algorithm>

namespace olab::ui {

namespace {

bool isSimulated(const view::ViewData& shown) {
    return shown.trace().provenance().source == SourceKind::Simulated;
}

} // namespace

LessonRoom::LessonRoom(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts)
    , m_session(parts.session)
    , m_options(parts.options)
    , m_memory(parts.options.remember) {}

void LessonRoom::join() {
    buildMenu();
    connect(&m_session, &Session::ready, this, [this](const view::ViewDataPtr& shown) { take(shown); });
    connect(&m_session, &Session::ended, this, [this] { // what came of the job is told behind its end
        QTimer::singleShot(0, this, [this] {
            if (!m_session.busy())
                ended();
        });
    });
    connect(&m_session, &Session::failed, this, [this](const run::RunnerError& error) {
        if (m_waits != Waits::No)
            m_state.problem = sentence(error.message);
    });
    connect(&m_session, &Session::refined, this,
            [this](const view::ViewDataPtr& before, const view::ViewDataPtr& after) {
                if (before != m_stepRun || !m_stepRun)
                    return;
                m_stepRun = after;
                judge();
                refresh(false);
            });
    const auto newMachine = [this] {
        if (shown())
            refresh(false);
    };
    connect(&m_parts.runs, &Runs::shownChanged, this, &LessonRoom::follow);
    connect(&m_session, &Session::gpuProbed, this, newMachine);
    connect(&m_session, &Session::backendChanged, this, newMachine);
}

/// The panel goes between the form and the middle of the window, within the column of the middle, so that
/// what is remembered of the columns stays true.
QWidget* LessonRoom::beside(QWidget* middle) {
    buildPage();
    buildPanel();
    m_beside = new QSplitter(Qt::Horizontal);
    m_beside->setObjectName(QStringLiteral("besideLesson"));
    m_beside->setChildrenCollapsible(false);
    m_beside->addWidget(m_panel);
    m_beside->addWidget(middle);
    m_beside->setStretchFactor(0, 0);
    m_beside->setStretchFactor(1, 1);
    m_panel->hide();
    connect(m_beside, &QSplitter::splitterMoved, this,
            [this] { m_chosenWidths[m_state.outcome ? 1 : 0] = m_beside->sizes().front(); });
    return m_beside;
}

void LessonRoom::buildPage() {
    m_page = new LessonsPage(m_memory);
    connect(m_page, &LessonsPage::chosen, this, [this](const lesson::Lesson& lesson, const QString& key) {
        if (lesson.folder.empty())
            return start(lesson, key);
        openFile(nameOf(lesson.folder / (lesson.id + ".md"))); // its recordings are looked at
    });
    connect(m_page, &LessonsPage::openRequested, this, &LessonRoom::chooseFile);
    connect(m_page, &LessonsPage::backRequested, this, [this] { m_parts.gallery.leaveTo(); });
    m_parts.centre.add(Room::Lessons, *m_page);
}

void LessonRoom::buildPanel() {
    m_panel = new LessonPanel;
    connect(m_panel, &LessonPanel::predicted, this, &LessonRoom::predict);
    connect(m_panel, &LessonPanel::placed, this, &LessonRoom::place);
    connect(m_panel, &LessonPanel::forwardRequested, this, &LessonRoom::forward);
    connect(m_panel, &LessonPanel::backRequested, this, &LessonRoom::back);
    connect(m_panel, &LessonPanel::otherRunRequested, this, [this] { run(true); });
    connect(m_panel, &LessonPanel::closeRequested, this, &LessonRoom::close);
    connect(m_panel, &LessonPanel::handOutRequested, this, &LessonRoom::chooseHandOut);
    connect(m_panel, &LessonPanel::ownRunRequested, this, &LessonRoom::showOwnRun);
    connect(m_panel, &LessonPanel::simulationRequested, this, &LessonRoom::simulateToo);
    connect(m_panel, &LessonPanel::attempted, this, &LessonRoom::attempt);
    connect(m_panel, &LessonPanel::written, this, &LessonRoom::write);
    connect(m_panel, &LessonPanel::voted, this, &LessonRoom::vote);
    connect(m_panel, &LessonPanel::claimRequested, this,
            [this](const QString& id) { m_parts.claims->showClaim(id.toStdString()); });
}

void LessonRoom::buildMenu() {
    QMenu* menu = &m_parts.menus.menu(MenuId::Learn);
    menu->addAction(tr("&All lessons"), QKeySequence(Qt::CTRL | Qt::Key_L), this, [this] { showPage(); })
        ->setObjectName(QStringLiteral("lessons"));
    menu->addAction(tr("&Open lesson..."), this, [this] { chooseFile(); });
    menu->addSeparator();
    m_ofLesson << menu->addAction(tr("&Forward"), QKeySequence(Qt::Key_PageDown), this, [this] {
        if (!m_panel->readOn())
            forward();
    });
    m_ofLesson << menu->addAction(tr("&Back"), QKeySequence(Qt::Key_PageUp), this, [this] {
        if (!m_panel->readBack())
            back();
    });
    m_teaches = menu->addAction(tr("&Teacher's mode"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L), this,
                                [this](bool on) { setTeaches(on); });
    m_teaches->setCheckable(true);
    setTip(
        *m_teaches,
        tr("For a projector: large type, findings below the timeline, answers only when you ask for them"));
    m_ofLesson << menu->addAction(tr("&Hand-out of this step..."), this, [this] { chooseHandOut(); });
    m_ofLesson << menu->addAction(tr("&Close the lesson"), this, [this] { close(); });
    menu->addSeparator();
    m_ofLesson << menu->addAction(tr("Lesson as PDF, for &students..."), this,
                                  [this] { choosePaper(false); });
    m_ofLesson << menu->addAction(tr("Lesson as PDF, for the t&eacher..."), this,
                                  [this] { choosePaper(true); });
    m_ofLesson << menu->addAction(tr("Answers as CS&V..."), this, [this] { chooseAnswers(); });
    m_ofLesson << menu->addAction(tr("For&get the answers"), this, [this] { forgetAnswers(); });
    enableActions(false);
}

void LessonRoom::enableActions(bool on) {
    for (QAction* action : m_ofLesson)
        action->setEnabled(on);
}

void LessonRoom::showPage() {
    m_page->refresh();
    m_parts.centre.enter(Room::Lessons);
    m_page->focusFirst();
}

void LessonRoom::chooseFile() {
    const QString path = QFileDialog::getOpenFileName(&m_parts.window, tr("Open a lesson"), {},
                                                      tr("Lessons (*.md);;All files (*)"));
    if (!path.isEmpty())
        openFile(path);
}

/// All that is wrong in it is listed on the page of lessons; recordings that are missing or of other
/// settings, too.
void LessonRoom::openFile(const QString& path) {
    try {
        const lesson::Lesson lesson = lesson::readLesson(fileOf(path), fileOf(m_options.recordings));
        start(lesson, LessonsPage::keyOf({fileOf(path), {}, {}}));
    } catch (const lesson::LessonError& error) {
        m_page->setProblems(error.problems());
        showPage();
    } catch (const Error& error) {
        m_parts.messages.caught(error);
    }
}

void LessonRoom::start(const lesson::Lesson& lesson, const QString& key) {
    const bool wasOpen = shown();
    m_lesson = lesson::Lesson(lesson); // also of the one that is open
    m_key = key;
    m_runs.clear();
    m_waits = Waits::No;
    m_state.lesson = &m_lesson;
    m_record = m_memory.answers(m_key);
    enableActions(true);
    if (!wasOpen) {
        m_panel->show(); // in the place of the form
        shareRoom();
    }
    m_parts.centre.enter(Room::Work); // not the gallery: its cards say what comes out
    m_parts.runs.showNone();          // of what was open before, the first question is not
    m_parts.scene->refresh();
    m_parts.timeline.canvas().overlay().setEmptyText(
        tr("The runs of the lesson are shown here.\nRead the step on the left; its button runs it."));
    const auto done = static_cast<std::size_t>(std::max(m_memory.stepsDone(key), 0));
    goTo(done < m_lesson.steps.size() ? done : 0);
}

void LessonRoom::close() {
    if (!shown())
        return;
    m_state = {.teaches = m_state.teaches};
    m_stepRun.reset();
    m_runs.clear();
    m_waits = Waits::No;
    m_alsoRun.reset();
    m_panel->hide();
    m_parts.timeline.canvas().overlay().setEmptyText({});
    enableActions(false);
    shareRoom(); // teacher's mode stays: the next lesson is for the same class
    showPage();
}

void LessonRoom::goTo(std::size_t step) {
    m_state = {.lesson = &m_lesson, .step = step, .teaches = m_state.teaches};
    m_stepRun.reset();
    m_alsoRun.reset();
    m_waits = Waits::No;
    m_otherWay = false;
    recall();
    refresh(true);
    shareRoom();
    focusNext();
}

/// Where a person does what comes next.
void LessonRoom::focusNext() {
    if ((m_state.now().question || m_state.now().bars) && !teaches() && !m_state.outcome)
        m_panel->focusAnswers();
    else
        m_panel->focusForward();
}

void LessonRoom::forward() {
    if (!shown() || m_state.running)
        return;
    const lesson::LessonStep& step = m_state.now();
    if (step.experiment && !m_state.outcome) {
        const bool open = (step.question && !m_state.predicted) || (step.bars && !m_state.placed);
        if (open && !teaches())
            return m_panel->focusAnswers();
        return run(false);
    }
    if (m_state.outcome && !m_state.revealed)
        return reveal();
    m_memory.setStepsDone(m_key, m_state.step + 1);
    if (m_state.isLast()) {
        close();
        return m_page->focusAfter(m_key);
    }
    goTo(m_state.step + 1);
}

void LessonRoom::back() {
    if (!shown() || m_state.running)
        return;
    goTo(m_state.outcome || m_state.step == 0 ? m_state.step : m_state.step - 1);
}

void LessonRoom::take(const view::ViewDataPtr& shown) {
    if (m_waits == Waits::No || !this->shown())
        return;
    if (const Waits was = std::exchange(m_waits, Waits::No); was != Waits::Step)
        return takeBeside(shown, was);
    m_stepRun = shown;
    m_parts.centre.enter(Room::Work);
    if (shown->recording->badge() == "RECORDED")
        m_runs.readEarlier(m_lesson, m_state.step,
                           [this](const lesson::LessonExperiment& earlier) { return recordingOf(earlier); });
    judge();
    m_state.running = false;
    m_state.revealed = false;
    const view::ViewDataPtr before = m_runs.named(m_state.now().experiment->compare);
    if (before && !teaches())
        m_parts.runs.compared(before, shown);
    else if (!teaches())
        m_parts.pages.open(QStringLiteral("findings"));
    if (teaches()) {
        refresh(false);
        shareRoom();
    } else {
        reveal();
    }
    m_panel->focusForward();
}

/// The job is over: what did not come by now does not come.
void LessonRoom::ended() {
    if (m_waits == Waits::No)
        return;
    m_waits = Waits::No;
    m_state.running = false;
    if (m_state.problem.isEmpty())
        m_state.problem = tr("The run was stopped.");
    refresh(false);
}

void LessonRoom::judge() {
    m_state.outcome = m_runs.judge(m_lesson, m_state.step, m_stepRun);
    m_state.origin = sentence(lesson::originText(*m_stepRun->recording));
    const view::AccountPtr account = m_stepRun->account();
    m_state.headline = account ? sentence(account->ledger().headline) : QString();
    m_state.lengths = m_runs.lengths(m_lesson, m_state.step);
    m_state.isSimulated = isSimulated(*m_stepRun);
    noteOutcome();
}

void LessonRoom::reveal() {
    m_state.revealed = true;
    const analysis::Finding* const meant = meantFinding(m_state.now(), *m_stepRun);
    const std::optional<view::Place> place =
        meant ? std::optional(view::placeOf(*m_stepRun, meant->activities.front()))
              : placeSeen(m_state.now(), *m_state.outcome, *m_stepRun);
    m_state.place = place ? std::optional(place->time) : std::nullopt;
    m_state.isWorst = meant != nullptr;
    refresh(false);
    shareRoom();
    if (meant)
        m_parts.pages.bringIntoView("findings", meant->id);
    if (place)
        QTimer::singleShot(0, this, [this, run = m_stepRun, at = *place] { // rows at rest
            if (run == m_stepRun && m_parts.runs.current() == run)
                m_parts.timeline.canvas().showPlace(at);
        });
    showRows();
}

/// The rows that the text speaks of, from their heading on.
void LessonRoom::showRows() {
    const std::string& wanted = m_state.now().experiment->rows;
    if (wanted.empty())
        return;
    QTimer::singleShot(0, this, [this, wanted, run = m_stepRun] {
        TimelineRows& rows = m_parts.timeline.canvas().rows();
        if (const auto top = run == m_stepRun ? rows.layout().scrollTo(wanted) : std::nullopt)
            rows.setScroll(*top);
    });
}

void LessonRoom::refresh(bool fromTop) {
    if (!shown())
        return;
    describeRun();
    const view::ViewDataPtr& now = m_parts.runs.current();
    m_state.otherRun =
        now && (!m_stepRun || now->run != m_stepRun->run) && (!m_alsoRun || now->run != m_alsoRun->run);
    m_state.otherTitle = m_state.otherRun ? titleText(*now) : QString();
    m_panel->setState(m_state, fromTop);
}

} // namespace olab::ui
