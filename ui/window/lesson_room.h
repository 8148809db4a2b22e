// Lessons in the window: the page that lists them, the panel beside the timeline, and what happens from step
// to step: what is run and where, what came out, how far a person is. Uses the window as a person does, by
// what it offers to all. Owned by the window. GUI thread.
#pragma once

#include "lessons/lesson_panel.h"

#include <olab/ui/main_window.h>
#include <olab/view/place.h>

#include <QAction>
#include <QSplitter>
#include <QStackedWidget>

#include <map>

namespace olab {

class LessonsPage;

class LessonRoom final : public QObject {
public:
    LessonRoom(MainWindow& window, Session& session, WindowOptions options);
    /// The room's panel and the middle of the window side by side, for the window's columns: called while the
    /// window is built, since what is in its place needs not be moved, styled and measured again.
    QWidget* beside(QWidget* middle);
    /// Its menu, and what it hears of the session; when the window has all of its own.
    void join();
    /// That of the window. There is always one.
    static LessonRoom& of(const MainWindow& window);

    void showPage();
    void openFile(const QString& path);
    /// From where a person left it, unless it was finished.
    void start(const Lesson& lesson, const QString& key);
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

private:
    void buildPanel();
    void buildPage(QStackedWidget* centre);
    void buildMenu();
    void chooseFile();
    void chooseHandOut();
    void goTo(std::size_t step);
    void run(bool otherWay);
    void startRun(const LessonExperiment& experiment, bool recorded);
    void take(const ViewDataPtr& shown);
    void readEarlier();
    void ended();
    void judge();
    void reveal();
    const Finding* meantFinding() const;
    std::optional<Place> placeSeen() const;
    void done(std::size_t steps);
    int stepsDone(const QString& key) const;
    void describeRun();
    void shareRoom();
    void focusNext();
    enum class Part { Form, Right, Pages };
    void showPart(Part part, bool wanted);
    QString recordingOf(const LessonExperiment& experiment) const;
    bool onGpu(const LessonExperiment& experiment) const;
    bool prefersRecording(const LessonExperiment& experiment) const;
    void refresh(bool fromTop);

    MainWindow& m_window;
    Session& m_session;
    WindowOptions m_options;
    LessonPanel* m_panel = nullptr;
    LessonsPage* m_page = nullptr;
    QStackedWidget* m_centre = nullptr;
    QSplitter* m_beside = nullptr; ///< the panel, and the timeline with its pages
    QAction *m_teaches = nullptr, *m_handOut = nullptr, *m_close = nullptr, *m_next = nullptr,
            *m_before = nullptr;
    Lesson m_lesson; ///< a copy: the page may read its folder anew
    QString m_key;
    LessonState m_state;
    LessonRuns m_runs;
    std::map<std::string, ViewDataPtr, std::less<>> m_shownRuns; ///< by name, to be compared
    ViewDataPtr m_stepRun;
    bool m_waits = false;          ///< for the run that this step started
    bool m_otherWay = false;       ///< the run of this step was not made the way that is offered first
    bool m_hadForm = false;        ///< the form was there before the lesson
    std::map<QString, int> m_done; ///< where settings are not kept
};

} // namespace olab
