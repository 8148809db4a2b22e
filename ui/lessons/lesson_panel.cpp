#include "lessons/lesson_panel.h"

#include "base/look_watch.h"
#include "base/tab_order.h"
#include "lessons/answer_help.h"
#include "lessons/bars_board.h"
#include "lessons/lesson_words.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>
#include <olab/ui/view_style.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kWidth = 270, kLeastWidth = 200; // in usual type

/// The words of an answer, beside its button: they wrap, a button's own do not.
class AnswerLabel final : public PlainLabel {
public:
    AnswerLabel(const QString& text, QRadioButton* button)
        : PlainLabel(text)
        , m_button(button) {
        setWordWrap(true);
        setBuddy(button);
        setCursor(Qt::PointingHandCursor);
    }

protected:
    void mousePressEvent(QMouseEvent* event) override {
        if (m_button->isEnabled() && event->button() == Qt::LeftButton)
            m_button->click();
    }

private:
    QRadioButton* m_button;
};

QLabel* paragraph(const RichText& text) {
    auto* label = makeRichLabel(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

/// A link to a claim (lesson_words.cpp) can be followed by mouse and keys; nothing else is one.
void followClaims(QWidget& page, const std::function<void(const QString&)>& open) {
    for (QLabel* label : page.findChildren<QLabel*>()) {
        if (label->textFormat() != Qt::RichText || !label->text().contains(QStringLiteral("href='claim:")))
            continue;
        label->setTextInteractionFlags(Qt::TextBrowserInteraction);
        label->setAccessibleName(LessonPanel::tr("Text with a link to a claim"));
        QObject::connect(label, &QLabel::linkActivated, label,
                         [open](const QString& link) { open(link.section(QLatin1Char(':'), 1)); });
    }
}

QLabel* heading(const QString& text) {
    auto* label = makeLabel(text);
    label->setWordWrap(true);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    return label;
}

QLabel* dimmed(const QString& text) {
    auto* label = makeLabel(text);
    label->setWordWrap(true);
    QPalette pale = label->palette();
    pale.setColor(QPalette::WindowText, Theme::of(pale).dim);
    label->setPalette(pale);
    return label;
}

QString markOf(lesson::Outcome outcome) {
    return outcome == lesson::Outcome::Holds     ? QStringLiteral("✓")
           : outcome == lesson::Outcome::Differs ? QStringLiteral("≠")
                                                 : QStringLiteral("?");
}

/// A row of two: a mark or a word, and a sentence that wraps.
void addMarked(QVBoxLayout& column, const QString& mark, QWidget* words) {
    auto* row = new QHBoxLayout;
    auto* first = heading(mark);
    first->setWordWrap(false);
    first->setAlignment(Qt::AlignTop);
    row->addWidget(first);
    row->addWidget(words, 1);
    column.addLayout(row);
}

} // namespace

LessonPanel::LessonPanel(Wishes wishes, QWidget* parent)
    : QWidget(parent)
    , m_wishes(std::move(wishes))
    , m_scroll(new QScrollArea) {
    setObjectName(QStringLiteral("lessonPanel"));
    setAccessibleName(tr("Lesson"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHead());
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(m_scroll, 1);
    column->addWidget(buildFoot());
    setMinimumWidth(kLeastWidth);
    new LookWatch(*this, [this] {
        if (m_state.lesson)
            setState(m_state, false);
    });
}

QWidget* LessonPanel::buildHead() {
    auto* head = new QWidget;
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(10, 6, 6, 2);
    auto* names = new QVBoxLayout;
    m_title = heading({});
    m_place = makeLabel();
    names->addWidget(m_title);
    names->addWidget(m_place);
    row->addLayout(names, 1);
    auto* close = new QPushButton(QStringLiteral("✕"));
    close->setObjectName(QStringLiteral("lessonClose"));
    close->setAccessibleName(tr("Close the lesson"));
    close->setFlat(true);
    m_close = close;
    setTip(*close, tr("Close the lesson; where you are in it is remembered"));
    connect(close, &QPushButton::clicked, this, [this] { m_wishes.close(); });
    row->addWidget(close, 0, Qt::AlignTop);
    return head;
}

QWidget* LessonPanel::buildFoot() {
    auto* foot = new QWidget;
    auto* column = new QVBoxLayout(foot);
    column->setContentsMargins(10, 4, 10, 8);
    const auto add = [this](const QString& text, const char* name, const std::function<void()>& wish) {
        auto* button = new QPushButton(text);
        button->setObjectName(QLatin1String(name));
        connect(button, &QPushButton::clicked, this, wish);
        return button;
    };
    m_forward = add(tr("Next step"), "lessonForward", [this] { m_wishes.forward(); });
    m_else = add(tr("The other way"), "lessonElse", [this] { m_wishes.runElse(); });
    m_back = add(tr("Back"), "lessonBack", [this] { m_wishes.back(); });
    auto* handOut = add(tr("Hand-out..."), "lessonHandOut", [this] { m_wishes.handOut(); });
    setTip(*m_forward, tr("Page Down, or a presenter: continue"));
    setTip(*m_back, tr("The step before (Page Up)"));
    setTip(*handOut, tr("This step as a PDF of 16:9: the text, and the run if it was made"));
    column->addWidget(m_forward);
    m_key = makeLabel();
    m_key->setAlignment(Qt::AlignHCenter);
    m_key->setObjectName(QStringLiteral("lessonKeys"));
    column->addWidget(m_key);
    column->addWidget(m_else);
    auto* row = new QHBoxLayout;
    row->addWidget(m_back);
    row->addWidget(handOut);
    column->addLayout(row);
    return foot;
}

void LessonPanel::setState(const LessonState& state, bool fromTop) {
    m_state = state;
    const int at = m_scroll->verticalScrollBar()->value();
    const QWidget* const focus = window()->focusWidget();
    const std::optional<QString> focused =
        focus && m_scroll->isAncestorOf(focus) ? std::optional(focus->objectName()) : std::nullopt;
    m_title->setText(fromText(state.lesson->title));
    m_place->setText(tr("Step %1 of %2").arg(state.step + 1).arg(state.lesson->steps.size()));
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(10, 2, 10, 8);
    column->addWidget(heading(fromText(state.now().title)));
    column->addWidget(paragraph(richText(state.now().text)));
    m_result = m_prompt = nullptr;
    addQuestion(*column);
    addBars(*column);
    addResult(*column);
    followClaims(*page, m_wishes.claim);
    column->addStretch(1);
    m_scroll->setWidget(page);
    keepTabOrderIn(*m_scroll);         // answers and bars before the button that runs
    m_key->setVisible(!state.teaches); // a class does not press keys, and the room is dear
    refreshFoot();
    fitLeastWidth();
    if (focused)
        focusAgain(*focused);
    QTimer::singleShot(0, this, [this, at, fromTop] { // when the text has its height
        QScrollBar* bar = m_scroll->verticalScrollBar();
        if (m_result && m_state.revealed && !fromTop)
            bar->setValue(m_result->mapTo(m_scroll->widget(), QPoint()).y() - 4);
        else
            bar->setValue(fromTop ? 0 : at);
        if (m_prompt)
            m_scroll->ensureWidgetVisible(m_prompt, 0, 4);
    });
}

/// The question stays whole where the room changes after it was shown.
void LessonPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    QTimer::singleShot(0, this, [this] {
        if (m_prompt)
            m_scroll->ensureWidgetVisible(m_prompt, 0, 4);
    });
}

/// Once there is a result the answer stands above it (addPrediction).
void LessonPanel::addQuestion(QVBoxLayout& column) {
    if (!m_state.now().question || m_state.revealed)
        return;
    auto* box = new QWidget;
    auto* rows = new QVBoxLayout(box);
    rows->setContentsMargins(0, 4, 0, 4);
    rows->addWidget(heading(tr("Predict: %1").arg(plainSentence(m_state.now().question->text))));
    if (QWidget* const hint =
            hintOf(*m_state.now().question)) // before the answers: after them comes what runs it
        rows->addWidget(hint);
    int number = 0;
    for (const lesson::LessonAnswer& answer : m_state.now().question->answers) {
        auto* button = new QRadioButton;
        const QString words = plainSentence(answer.text);
        button->setAccessibleName(words);
        button->setObjectName(QStringLiteral("answer%1").arg(number));
        button->setChecked(m_state.predicted == number);
        button->setEnabled(!m_state.running && !m_state.outcome);
        connect(button, &QRadioButton::toggled, this, [this, number](bool on) {
            if (!on)
                return;
            m_state.predicted = number;
            m_wishes.predict(number);
            refreshFoot();
        });
        auto* row = new QHBoxLayout;
        row->addWidget(button, 0, Qt::AlignTop);
        row->addWidget(new AnswerLabel(words, button), 1);
        rows->addLayout(row);
        ++number;
    }
    column.addWidget(box);
}

void LessonPanel::addBars(QVBoxLayout& column) {
    if (!m_state.now().bars || m_state.revealed)
        return;
    const lesson::LessonBars& bars = *m_state.now().bars;
    column.addWidget(heading(tr("Predict: %1").arg(plainSentence(bars.text))));
    auto* board = new BarsBoard(bars, m_state.placed.value_or(BarsBoard::startOf(bars)),
                                [this](const std::vector<double>& begins) {
                                    m_state.placed = begins;
                                    m_wishes.place(begins);
                                    refreshFoot();
                                });
    board->setEnabled(!m_state.running && !m_state.outcome);
    column.addWidget(board);
    column.addWidget(
        dimmed(m_state.teaches // nobody drags, and the room is dear
                   ? tr("Time goes to the right. How long they are drawn says nothing yet.")
                   : tr("Time goes to the right. Drag each bar to where it will run, or choose one with the "
                        "up and down keys and move it with left and right (Enter: they stay as they are). "
                        "How long they are drawn says nothing yet.")));
}

/// The prediction, what ran, and which pairs were right.
void LessonPanel::addBarsResult(QVBoxLayout& column) {
    if (!m_state.now().bars)
        return;
    const lesson::LessonBars& bars = *m_state.now().bars;
    const lesson::BarTimes& ran = m_state.outcome->bars;
    if (!ran.missing.empty()) {
        column.addWidget(dimmed(tr("Where the bars ran cannot be shown: %1").arg(sentence(ran.missing))));
        return;
    }
    if (m_state.placed) {
        column.addWidget(dimmed(tr("You predicted")));
        auto* mine = new BarsBoard(bars, *m_state.placed, {});
        mine->setFocusPolicy(Qt::NoFocus);
        mine->setObjectName(QStringLiteral("barsPredicted"));
        column.addWidget(mine);
    }
    column.addWidget(dimmed(tr("So they ran")));
    column.addWidget(new BarsBoard(bars, ran.times));
    if (!m_state.placed)
        return;
    const std::vector<lesson::BarPair> pairs =
        lesson::barPairs(BarsBoard::spansOf(bars, *m_state.placed), ran.times);
    column.addWidget(heading(sentence(lesson::scoreText(pairs))));
    for (const bool right : {false, true}) // what was wrong first: it teaches more
        for (const lesson::BarPair& pair : pairs)
            if (pair.right() == right && (!right || pair.ran == lesson::BarOrder::Together))
                addMarked(column, right ? QStringLiteral("✓") : QStringLiteral("≠"),
                          paragraph(RichText("%1", {sentence(lesson::pairText(bars, pair))})));
}

void LessonPanel::addResult(QVBoxLayout& column) {
    if (m_state.running)
        column.addWidget(heading(tr("Running...")));
    if (m_state.now().experiment && !m_state.outcome && !m_state.running && m_state.otherRun)
        column.addWidget(dimmed(tr("What the timeline shows now is not the run of this step yet.")));
    if (m_state.onlySimulated && !m_state.outcome && !m_state.running)
        column.addWidget(
            dimmed(tr("No recording of a GPU is here for this step. Without a GPU it is simulated, and "
                      "the result is marked so.")));
    if (!m_state.problem.isEmpty())
        column.addWidget(heading(m_state.problem));
    if (m_state.outcome && !m_state.revealed)
        column.addWidget(m_prompt = heading(
                             tr("The run is in the timeline (%1). What does it show?").arg(m_state.origin)));
    if (!m_state.outcome || !m_state.revealed)
        return;
    addPrediction(column);
    addBarsResult(column);
    addChecks(column);
    if (m_state.place)
        column.addWidget(
            dimmed(m_state.isWorst
                       ? tr("The timeline shows the worst of these places; Ctrl+0 shows the whole run.")
                       : tr("The timeline shows a place where it is seen; Ctrl+0 shows the whole run.")));
    if (!m_state.outcome->why.empty()) {
        column.addWidget(heading(tr("Why")));
        column.addWidget(paragraph(richText(m_state.outcome->why)));
    }
    if (!m_state.headline.isEmpty()) {
        column.addWidget(heading(tr("Where the time went")));
        auto* said = makeLabel(m_state.headline);
        said->setWordWrap(true);
        column.addWidget(said);
        column.addWidget(
            dimmed(tr("The pale bars before the operations in the rows of the streams are what they "
                      "waited for (G).")));
    }
}

/// The prediction and what the run says, one above the other.
void LessonPanel::addPrediction(QVBoxLayout& column) {
    m_result = heading(tr("Result, %1").arg(m_state.origin));
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
        rows->addWidget(dimmed(tr("You predicted")));
        rows->addWidget(paragraph(richSentence(answers[static_cast<std::size_t>(*m_state.predicted)].text)));
        if (QLabel* const why = whyOf(answers[static_cast<std::size_t>(*m_state.predicted)]))
            rows->addWidget(why);
    }
    const auto chosen = predicted ? answers[static_cast<std::size_t>(*m_state.predicted)].outcome
                                  : lesson::Outcome::Unknown; // marks alone are overlooked
    rows->addWidget(dimmed(chosen == lesson::Outcome::Holds     ? tr("The run says so, too")
                           : chosen == lesson::Outcome::Differs ? tr("The run says otherwise")
                                                                : tr("The run says")));
    bool any = false;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (answers[i].outcome != lesson::Outcome::Holds)
            continue;
        any = true;
        const bool same = m_state.predicted == static_cast<int>(i);
        addMarked(*rows,
                  same        ? QStringLiteral("✓")
                  : predicted ? QStringLiteral("≠")
                              : QString(),
                  paragraph(richSentence(answers[i].text)));
        if (QLabel* const why = same ? nullptr : whyOf(answers[i]))
            rows->addWidget(why);
    }
    if (!any) {
        const auto open =
            std::ranges::find(answers, lesson::Outcome::Unknown, &lesson::CheckOutcome::outcome);
        rows->addWidget(heading(open == answers.end()
                                    ? tr("None of the answers is right on this machine.")
                                    : tr("It cannot be told: %1").arg(sentence(open->found))));
    }
    column.addWidget(box);
}

void LessonPanel::addChecks(QVBoxLayout& column) {
    for (const lesson::CheckOutcome& check : m_state.outcome->checks) {
        auto* words = paragraph(richSentence(check.text));
        setTip(*words, sentence(check.found));
        addMarked(column, markOf(check.outcome), words);
        if (check.outcome == lesson::Outcome::Differs)
            column.addWidget(dimmed(
                tr("This machine differs from what the lesson expects: %1").arg(sentence(check.found))));
        if (check.outcome == lesson::Outcome::Unknown)
            column.addWidget(dimmed(tr("Not checked: %1").arg(sentence(check.found))));
    }
}

bool LessonPanel::mustPredict() const {
    const lesson::LessonStep& step = m_state.now();
    return step.experiment && !m_state.outcome && !m_state.teaches &&
           ((step.question && !m_state.predicted) || (step.bars && !m_state.placed));
}

QString LessonPanel::forwardText() const {
    if (m_state.running)
        return tr("Running...");
    if (m_state.now().experiment && !m_state.outcome)
        return m_state.runs;
    if (m_state.outcome && !m_state.revealed)
        return tr("Show the answer");
    return m_state.isLast() ? tr("Finish") : tr("Next step");
}

void LessonPanel::refreshFoot() {
    const bool must = mustPredict(), answer = m_state.now().question && !m_state.predicted;
    m_forward->setText(!must    ? forwardText()
                       : answer ? tr("Predict first: choose an answer")
                                : tr("Predict first: drag the bars"));
    if (must && m_forward->hasFocus())
        focusAnswers();           // else Qt gives it to the button behind it
    m_forward->setEnabled(!must); // while it runs, too: it keeps the focus, and does nothing
    m_key->setText(must && answer ? tr("↑ ↓ Space: choose · Page Down: continue")
                                  : tr("Page Down: continue · Page Up: back"));
    m_else->setText(m_state.runsElse);
    m_else->setVisible(!m_state.runsElse.isEmpty() && m_state.now().experiment &&
                       (!m_state.outcome || m_state.revealed));
    m_else->setEnabled(!m_state.running && !must);
    m_back->setEnabled(m_state.step > 0 || m_state.outcome);
}

bool LessonPanel::readOn() {
    QScrollBar* bar = m_scroll->verticalScrollBar();
    if (bar->value() >= bar->maximum())
        return false;
    bar->setValue(bar->value() + std::max(bar->pageStep() * 3 / 4, 1));
    return true;
}

bool LessonPanel::readBack() {
    QScrollBar* bar = m_scroll->verticalScrollBar();
    if (bar->value() <= 0)
        return false;
    bar->setValue(bar->value() - std::max(bar->pageStep() * 3 / 4, 1));
    return true;
}

void LessonPanel::fitLeastWidth() {
    setMinimumWidth(ViewStyle::of(font()).scaled(kLeastWidth));
    m_close->setFixedWidth(m_close->sizeHint().height() + 4); // the title needs the room
}

void LessonPanel::focusForward() {
    m_forward->setFocus(Qt::OtherFocusReason);
}

/// What had the focus was made anew; perhaps there is no such thing any more.
void LessonPanel::focusAgain(const QString& name) {
    auto* again = name.isEmpty() ? nullptr : m_scroll->widget()->findChild<QWidget*>(name);
    (again && again->isEnabled() ? again : m_forward)->setFocus(Qt::OtherFocusReason);
}

void LessonPanel::focusAnswers() {
    for (QRadioButton* button : m_scroll->widget()->findChildren<QRadioButton*>())
        if (button->isEnabled())
            return button->setFocus(Qt::OtherFocusReason);
    if (auto* board = m_scroll->widget()->findChild<QWidget*>(QStringLiteral("bars")))
        return board->setFocus(Qt::OtherFocusReason);
    focusForward();
}

} // namespace olab::ui
