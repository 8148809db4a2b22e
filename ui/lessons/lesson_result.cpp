// What the panel of a lesson shows of a result: the prediction beside the run, statements, what the class
// thought, and what a person does next.
#include "base/page_parts.h"
#include "lessons/lesson_panel.h"

#include "lessons/bars_board.h"
#include "lessons/exercise_box.h"
#include "lessons/step_text.h"

#include <olab/ui/format.h>

#include <QFrame>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace olab::ui {

/// What the class thought, with what was right.
void LessonPanel::addVotes(QVBoxLayout& column) {
    const auto& answers = m_state.outcome->answers;
    const int all = std::accumulate(m_state.votes.begin(), m_state.votes.end(), 0);
    if (all == 0 || m_state.votes.size() != answers.size())
        return;
    column.addWidget(dimLabel(tr("The class said")));
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const int count = m_state.votes[i];
        addMarkedRow(column, outcomeMark(answers[i].outcome), wordsLabel(richSentence(answers[i].text)));
        auto* bar =
            new LengthBars({{QString(), tr("%1 (%2 %)").arg(count).arg((200 * count + all) / (2 * all)),
                             count, answers[i].outcome == lesson::Outcome::Holds}},
                           all);
        bar->setObjectName(QStringLiteral("voteBar%1").arg(i));
        column.addWidget(bar);
    }
}

/// The prediction, what ran, and which pairs were right.
void LessonPanel::addBarsResult(QVBoxLayout& column) {
    if (!m_state.now().bars)
        return;
    const lesson::LessonBars& bars = *m_state.now().bars;
    const lesson::BarTimes& ran = m_state.outcome->bars;
    if (!ran.missing.empty()) {
        column.addWidget(dimLabel(tr("Where the bars ran cannot be shown: %1").arg(sentence(ran.missing))));
        return;
    }
    if (m_state.placed) {
        column.addWidget(dimLabel(tr("You predicted")));
        auto* mine = new BarsBoard(bars, *m_state.placed, {});
        mine->setFocusPolicy(Qt::NoFocus);
        mine->setObjectName(QStringLiteral("barsPredicted"));
        column.addWidget(mine);
    }
    column.addWidget(dimLabel(tr("So they ran")));
    column.addWidget(new BarsBoard(bars, ran.times));
    if (!m_state.placed)
        return;
    const std::vector<lesson::BarPair> pairs =
        lesson::barPairs(BarsBoard::spansOf(bars, *m_state.placed), ran.times);
    column.addWidget(wordsLabel(sentence(lesson::scoreText(pairs)), true));
    for (const bool right : {false, true}) // what was wrong first: it teaches more
        for (const lesson::BarPair& pair : pairs)
            if (pair.right() == right && (!right || pair.ran == lesson::BarOrder::Together))
                addMarkedRow(column, right ? QStringLiteral("✓") : QStringLiteral("≠"),
                             wordsLabel(RichText("%1", {sentence(lesson::pairText(bars, pair))})));
}

void LessonPanel::addResult(QVBoxLayout& column) {
    if (m_state.running)
        column.addWidget(wordsLabel(tr("Running..."), true));
    if (m_state.now().experiment && !m_state.outcome && !m_state.running && m_state.otherRun && !isLarge())
        column.addWidget(dimLabel(tr("What the timeline shows now is not the run of this step yet.")));
    if (m_state.onlySimulated && !m_state.outcome && !m_state.running)
        column.addWidget(
            dimLabel(tr("No recording of a GPU is here for this step. Without a GPU it is simulated, and "
                        "the result is marked so.")));
    if (!m_state.problem.isEmpty())
        column.addWidget(wordsLabel(m_state.problem, true));
    if (m_state.outcome && m_state.otherRun && !m_state.running)
        return addOther(column);
    if (m_state.outcome && !m_state.revealed)
        column.addWidget(
            m_prompt = wordsLabel(
                tr("The run is in the timeline (%1). What does it show?").arg(m_state.origin), true));
    if (!m_state.outcome || !m_state.revealed)
        return;
    addPrediction(column);
    addVotes(column);
    addBarsResult(column);
    addLengths(column);
    addChecks(column);
    if (m_state.place)
        column.addWidget(
            dimLabel(m_state.isWorst
                         ? tr("The timeline shows the worst of these places; Ctrl+0 shows the whole run.")
                         : tr("The timeline shows a place where it is seen; Ctrl+0 shows the whole run.")));
    addSimulated(column);
    addWriting(column);
    if (!m_state.outcome->why.empty()) {
        column.addWidget(wordsLabel(tr("Why"), true));
        addStepText(column, m_state.outcome->why);
    }
    addExercise(column);
    if (!m_state.headline.isEmpty()) {
        column.addWidget(wordsLabel(tr("Where the time went"), true));
        auto* said = makeLabel(m_state.headline);
        said->setWordWrap(true);
        column.addWidget(said);
        column.addWidget(
            dimLabel(tr("The pale bars before the operations in the rows of the streams are what they "
                        "waited for (G).")));
    }
}

/// What was said of the run of this step is no word about another one.
void LessonPanel::addOther(QVBoxLayout& column) {
    if (m_state.attempt) {
        column.addWidget(m_result = wordsLabel(
                             tr("The timeline shows your change: %1").arg(m_state.attempt->change), true));
        addExercise(column);
    } else {
        column.addWidget(wordsLabel(tr("The timeline shows another run: %1").arg(m_state.otherTitle), true));
        column.addWidget(dimLabel(tr("The result of this step is that of its own run.")));
    }
    auto* own = makeButton(tr("Show the run of this step"), QStringLiteral("lessonOwnRun"), {},
                           [this] { emit ownRunRequested(); });
    column.addWidget(own);
}

/// How long the runs of the steps took, on one time axis: each alone fills the timeline.
void LessonPanel::addLengths(QVBoxLayout& column) {
    if (m_state.lengths.empty())
        return;
    column.addWidget(dimLabel(tr("On one time axis")));
    column.addWidget(new LengthBars(m_state.lengths));
}

void LessonPanel::addExercise(QVBoxLayout& column) {
    if (m_state.now().exercise)
        column.addWidget(
            exerciseBox({m_state.now(), m_state.attempts, m_state.exerciseProblem, !m_state.running},
                        [this](const QString& key, const QString& value) { emit attempted(key, value); }));
}

/// What the simulator says of the same, statement by statement.
void LessonPanel::addSimulated(QVBoxLayout& column) {
    if (!m_state.now().experiment->alsoSimulated || m_state.isSimulated)
        return;
    if (!m_state.simulated) {
        auto* button =
            makeButton(tr("Simulate it, too"), QStringLiteral("lessonSimulate"),
                       tr("Runs the same experiment on the simulator and shows both runs on one time axis"));
        button->setEnabled(!m_state.running);
        connect(button, &QPushButton::clicked, this, &LessonPanel::simulationRequested);
        column.addWidget(button);
        return;
    }
    column.addWidget(wordsLabel(tr("The same, simulated"), true));
    for (const lesson::CheckOutcome& check : m_state.simulated->checks) {
        if (check.outcome == lesson::Outcome::Unknown) // it compares with a run that is not simulated
            continue;
        auto* words = wordsLabel(richSentence(check.text));
        setTip(*words, sentence(check.found));
        addMarkedRow(column, outcomeMark(check.outcome), words);
    }
}

/// In one's own words; a good answer is shown to who asks for it.
void LessonPanel::addWriting(QVBoxLayout& column) {
    if (!m_state.now().writing)
        return;
    const lesson::LessonWriting& writing = *m_state.now().writing;
    column.addWidget(wordsLabel(plainSentence(writing.text), true));
    auto* words = new QPlainTextEdit(m_state.written);
    nameWidget(*words, "lessonWords", plainSentence(writing.text));
    words->setTabChangesFocus(true);
    words->setFixedHeight(4 * words->fontMetrics().lineSpacing() + 8);
    connect(words, &QPlainTextEdit::textChanged, this, [this, words] {
        m_state.written = words->toPlainText();
        emit written(m_state.written);
    });
    column.addWidget(words);
    if (writing.model.empty())
        return;
    auto* button = makeButton(tr("Show a good answer"), QStringLiteral("lessonModel"));
    auto* model = wordsLabel(richSentence(m_state.outcome->model));
    model->hide();
    connect(button, &QPushButton::clicked, model, [button, model] {
        model->show();
        button->hide();
    });
    column.addWidget(button, 0, Qt::AlignLeft);
    column.addWidget(model);
}

/// The prediction and what the run says, one above the other.
void LessonPanel::addPrediction(QVBoxLayout& column) {
    m_result = wordsLabel(tr("Result, %1").arg(m_state.origin), true);
    m_result->setObjectName(QStringLiteral("lessonResult"));
    column.addWidget(m_result);
    if (!m_state.now().question)
        return;
    const auto& answers = m_state.outcome->answers;
    auto* box = new QFrame;
    box->setFrameShape(QFrame::StyledPanel);
    auto* rows = new QVBoxLayout(box);
    rows->addWidget(makeLabel(plainSentence(m_state.now().question->text)));
    static_cast<QLabel*>(rows->itemAt(0)->widget())->setWordWrap(true);
    const bool predicted = m_state.predicted.has_value();
    if (predicted) { // a class may have done so aloud
        rows->addWidget(dimLabel(tr("You predicted")));
        rows->addWidget(wordsLabel(richSentence(answers[static_cast<std::size_t>(*m_state.predicted)].text)));
        if (QLabel* const why = whyOf(answers[static_cast<std::size_t>(*m_state.predicted)]))
            rows->addWidget(why);
    }
    const auto chosen = predicted ? answers[static_cast<std::size_t>(*m_state.predicted)].outcome
                                  : lesson::Outcome::Unknown; // marks alone are overlooked
    rows->addWidget(dimLabel(chosen == lesson::Outcome::Holds     ? tr("The run says so, too")
                             : chosen == lesson::Outcome::Differs ? tr("The run says otherwise")
                                                                  : tr("The run says")));
    bool any = false;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (answers[i].outcome != lesson::Outcome::Holds)
            continue;
        any = true;
        const bool same = m_state.predicted == static_cast<int>(i);
        addMarkedRow(*rows,
                     same        ? QStringLiteral("✓")
                     : predicted ? QStringLiteral("≠")
                                 : QString(),
                     wordsLabel(richSentence(answers[i].text)));
        if (QLabel* const why = same ? nullptr : whyOf(answers[i]))
            rows->addWidget(why);
    }
    if (!any) {
        const auto open =
            std::ranges::find(answers, lesson::Outcome::Unknown, &lesson::CheckOutcome::outcome);
        rows->addWidget(wordsLabel(open == answers.end()
                                       ? tr("None of the answers is right on this machine.")
                                       : tr("It cannot be told: %1").arg(sentence(open->found)),
                                   true));
    }
    column.addWidget(box);
}

void LessonPanel::addChecks(QVBoxLayout& column) {
    for (const lesson::CheckOutcome& check : m_state.outcome->checks) {
        auto* words = wordsLabel(richSentence(check.text));
        setTip(*words, sentence(check.found));
        addMarkedRow(column, outcomeMark(check.outcome), words);
        if (check.outcome == lesson::Outcome::Differs)
            column.addWidget(dimLabel(
                tr("This machine differs from what the lesson expects: %1").arg(sentence(check.found))));
        if (check.outcome == lesson::Outcome::Unknown)
            column.addWidget(dimLabel(tr("Not checked: %1").arg(sentence(check.found))));
    }
}

} // namespace olab::ui
