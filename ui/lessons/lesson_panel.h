// One step of a lesson beside the timeline: read, predict, run, see the prediction above what came out, and
// why. It shows a state and tells what a person wants; it decides nothing. Forward is one key (Page Down)
// through all of it. GUI thread.
#pragma once

#include "lessons/exercise_box.h"

#include <olab/lesson/lesson_check.h>

#include <QPointer>
#include <QWidget>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace olab::ui {

/// What the panel shows. The lesson outlives it.
struct LessonLength {
    QString name, value; ///< "Step 1", "32.9 ms"
    Ns length = 0;
    bool now = false; ///< it stands out: the run of this step
};
struct LessonState {
    const lesson::Lesson* lesson = nullptr;
    std::size_t step = 0;
    bool teaches = false; ///< a class watches: nobody has to predict first, results wait to be asked for
    std::optional<int> predicted{};              ///< the answer that was chosen, from 0
    std::optional<std::vector<double>> placed{}; ///< where the bars were dragged to
    bool running = false;
    bool revealed = false;
    bool otherRun = false;           ///< the timeline shows a run, and it is none of this step
    QString otherTitle{};            ///< of that run
    bool isWorst = false;            ///< of its kind in the run, that place
    std::optional<Interval> place{}; ///< the part of the run in which the answer is seen; none: all of it
    std::optional<lesson::StepOutcome> outcome{}; ///< of the run; none: it was not made yet
    bool isSimulated = false;                     ///< the run of the step is
    QString origin{};                             ///< "simulated", "recorded on NVIDIA H200"
    QString headline{};                           ///< of the account of lost time; may be empty
    QString runs{};                               ///< what Run does here: "Open the H200's run"
    QString runsElse{};                           ///< the other way to a result; may be empty
    bool onlySimulated = false;                   ///< no GPU, and no recording of one comes with this step
    std::vector<LessonLength> lengths{};    ///< of runs of earlier steps and of this one; empty: of one only
    std::vector<int> votes{};               ///< of a class, by answer; empty: nobody counted
    QString written{};                      ///< in one's own words
    std::vector<LessonAttempt> attempts{};  ///< at the exercise
    std::optional<LessonAttempt> attempt{}; ///< the one whose run the timeline shows
    QString exerciseProblem{};              ///< why the last attempt did not run; may be empty
    std::optional<lesson::StepOutcome> simulated{}; ///< of the simulator's run beside that of the step
    QString problem{};                              ///< why there is no result; may be empty

    const lesson::LessonStep& now() const { return lesson->steps[step]; }
    bool isLast() const { return step + 1 == lesson->steps.size(); }
};

class LessonPanel final : public QWidget {
    Q_OBJECT
public:
    explicit LessonPanel(QWidget* parent = nullptr);
    /// `fromTop`: it is another step, read from its beginning; else the place stays.
    void setState(const LessonState& state, bool fromTop);
    /// A screen further down, as long as there is one. @returns false: all of it was seen
    bool readOn();
    bool readBack();
    void focusForward();
    /// How narrow it may be, in the type of now.
    void fitLeastWidth();
    void focusAnswers();

    /// A verdict or an answer by its key: 1 to 9; of a myth also T, F and P.
    bool chooseByKey(int key);

signals:
    void predicted(int answer);
    void placed(const std::vector<double>& at); ///< bars were dragged
    void forwardRequested();
    void backRequested();
    void otherRunRequested();
    void closeRequested();
    void handOutRequested();
    void ownRunRequested();     ///< the run of this step again
    void simulationRequested(); ///< the same experiment on the simulator, beside it
    void attempted(const QString& key, const QString& value);
    void written(const QString& words);
    void voted(int answer, int count);
    void claimRequested(const QString& id); ///< that the text names

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildHead();
    QWidget* buildFoot();
    void focusAgain(const QString& name);
    void askBelow();
    void fitAsked();
    void growAsked();
    QFont pageFont() const;
    void addQuestion(QVBoxLayout& column);
    void addAnswer(QVBoxLayout& rows, int number);
    void addVotes(QVBoxLayout& column);
    void addWriting(QVBoxLayout& column);
    void addExercise(QVBoxLayout& column);
    void addSimulated(QVBoxLayout& column);
    bool isLarge() const { return m_state.now().myth && !m_state.outcome && !m_state.running; }
    void addBars(QVBoxLayout& column);
    void addBarsResult(QVBoxLayout& column);
    bool mustPredict() const;
    void addResult(QVBoxLayout& column);
    void addOther(QVBoxLayout& column);
    void addLengths(QVBoxLayout& column);
    void addPrediction(QVBoxLayout& column);
    void addChecks(QVBoxLayout& column);
    void refreshFoot();
    QString forwardText() const;
    LessonState m_state;
    QLabel *m_title = nullptr, *m_place = nullptr, *m_key = nullptr;
    QPushButton *m_close = nullptr, *m_back = nullptr, *m_forward = nullptr, *m_else = nullptr,
                *m_paper = nullptr;
    QScrollArea* m_scroll = nullptr;
    QScrollArea* m_asked = nullptr; ///< the question below the text: its answers stay in sight
    QPointer<QWidget> m_result;     ///< where it begins
    QPointer<QWidget> m_prompt;     ///< what a class is asked before the answer
};

} // namespace olab::ui
