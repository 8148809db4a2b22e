// Lessons in the window: the page that lists them, the panel beside the timeline, and what happens from step
// to step: what is run and where, what came out, how far a person is. Owned by the window. GUI thread.
#pragma once

#include "lessons/lesson_memory.h"
#include "lessons/lesson_panel.h"

#include <olab/lesson/lesson_record.h>
#include <olab/view/view_data.h>
#include <olab/view/view_data_ptr.h>

#include <array>
#include <functional>

class QAction;
class QSplitter;

namespace olab::ui {

class LessonsPage;
class Session;
struct WindowOptions;
struct WindowParts;

class LessonRoom final : public QObject {
public:
    /// `parts` must outlive it.
    explicit LessonRoom(const WindowParts& parts);
    /// The room's panel and the middle of the window side by side, for the window's columns: called while the
    /// window is built, since what is in its place needs not be moved, styled and measured again.
    QWidget* beside(QWidget* middle);
    /// Its menu, and what it hears of the session; when the window has all of its own.
    void join();

    void showPage();
    void openFile(const QString& path);
    /// From where a person left it, unless it was finished.
    void start(const lesson::Lesson& lesson, const QString& key);
    void close();
    /// The next thing: read on, run, show the answer, the next step.
    void forward();
    void back();
    void setTeaches(bool teaches);
    bool teaches() const { return m_state.teaches; }
    const LessonState& state() const { return m_state; }
    LessonPanel& panel() { return *m_panel; }
    bool shown() const { return m_state.lesson != nullptr; }
    /// This step as a PDF. @throws Error
    QByteArray handOutPdf() const;
    /// The same as a file, and says where it is.
    void saveHandOut(const QString& path);
    /// All steps as a PDF: for students without what comes out, for the teacher with all of it. Runs that
    /// were not made are read from their recordings. @throws Error
    QByteArray lessonPaper(bool isTeachers);
    /// What was answered, as CSV.
    QByteArray answersCsv() const;
    void forgetAnswers();
    /// The step's experiment with one option changed.
    void attempt(const QString& key, const QString& value);

private:
    void buildPanel();
    void buildPage();
    void buildMenu();
    void chooseFile();
    void chooseHandOut();
    void goTo(std::size_t step);
    void run(bool otherWay);
    void startRun(const lesson::LessonExperiment& experiment, bool recorded);
    void take(const view::ViewDataPtr& shown);
    enum class Waits : std::uint8_t { No, Step, Attempt, Simulated };
    void takeBeside(const view::ViewDataPtr& shown, Waits was);
    void follow();
    void judgeAttempt(const view::ViewData& shown, const std::pair<std::string, std::string>& change);
    void simulateToo();
    bool mayStart();
    void showOwnRun();
    void enableActions(bool on);
    void choosePaper(bool isTeachers);
    void chooseAnswers();
    void save(const QString& title, const QString& name, const QString& filter,
              const std::function<QByteArray()>& make);
    view::ViewDataPtr runFor(std::size_t step) const;
    void predict(int answer);
    void place(const std::vector<double>& at);
    void write(const QString& words);
    void vote(int answer, int count);
    void recall();
    void noteOutcome();
    lesson::StepRecord& noted();
    bool isOfStep(const view::ViewData& shown) const;
    void ended();
    void judge();
    void reveal();
    void showRows();
    void describeRun();
    void shareRoom();
    int panelWidth() const;
    void focusNext();
    QString recordingOf(const lesson::LessonExperiment& experiment) const;
    bool onGpu(const lesson::LessonExperiment& experiment) const;
    bool prefersRecording(const lesson::LessonExperiment& experiment) const;
    void refresh(bool fromTop);

    const WindowParts& m_parts;
    Session& m_session;
    const WindowOptions& m_options;
    LessonPanel* m_panel = nullptr;
    LessonsPage* m_page = nullptr;
    QSplitter* m_beside = nullptr; ///< the panel, and the timeline with its pages
    QList<QAction*> m_ofLesson;    ///< that need one
    QAction* m_teaches = nullptr;
    lesson::Lesson m_lesson; ///< a copy: the page may read its folder anew
    QString m_key;
    LessonState m_state;
    StepRuns m_runs;
    view::ViewDataPtr m_stepRun;
    view::ViewDataPtr m_alsoRun; ///< the same as the step's run, simulated
    Waits m_waits = Waits::No;   ///< for a run that this step started
    bool m_otherWay = false;     ///< the run of this step was not made the way that is offered first
    LessonMemory m_memory;
    lesson::LessonRecord m_record; ///< of this lesson
    std::array<int, 2>
        m_chosenWidths{}; ///< of the panel, before the result and with it; 0: nobody moved its edge
};

} // namespace olab::ui
