#include "lessons/lesson_panel.h"

#include "base/focus_ring.h"
#include "base/look_style.h"
#include "base/page_parts.h"
#include "lessons/bars_board.h"
#include "lessons/exercise_box.h"
#include "lessons/step_text.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kLeastWidth = 200; // in usual type
constexpr int kLargeType = 22;   // pixels, of a myth that has the window for itself
constexpr int kMostVotes = 999;
constexpr int kMostAsked = 62; // of the panel's height, in per cent

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

/// A link to a claim (step_text.cpp) can be followed by mouse and keys; nothing else is one.
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

} // namespace

LessonPanel::LessonPanel(QWidget* parent)
    : QWidget(parent)
    , m_scroll(new QScrollArea)
    , m_asked(new QScrollArea) {
    nameWidget(*this, "lessonPanel", tr("Lesson"));
    auto* column = columnIn(this, {}, 0);
    column->addWidget(buildHead());
    scrollPage(*m_scroll);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    column->addWidget(m_scroll, 1'000);
    scrollPage(*m_asked);
    m_asked->setFocusPolicy(Qt::NoFocus);
    column->addWidget(m_asked);
    column->addStretch(1); // below a short text and its question
    column->addWidget(buildFoot());
    setMinimumWidth(kLeastWidth);
    new LookWatch(*this, [this] {
        if (m_state.lesson)
            setState(m_state, false);
    });
}

QWidget* LessonPanel::buildHead() {
    auto* head = new QWidget;
    auto* row = rowIn(head, {10, 6, 6, 2});
    auto* names = new QVBoxLayout;
    m_title = wordsLabel({}, true);
    m_title->setTextInteractionFlags(Qt::NoTextInteraction); // it has no name until a lesson is there
    m_place = makeLabel();
    names->addWidget(m_title);
    names->addWidget(m_place);
    row->addLayout(names, 1);
    auto* close = makeButton(QStringLiteral("✕"), QStringLiteral("lessonClose"));
    close->setAccessibleName(tr("Close the lesson"));
    close->setFlat(true);
    m_close = close;
    setTip(*close, tr("Close the lesson; where you are in it is remembered"));
    connect(close, &QPushButton::clicked, this, &LessonPanel::closeRequested);
    row->addWidget(close, 0, Qt::AlignTop);
    return head;
}

QWidget* LessonPanel::buildFoot() {
    auto* foot = new QWidget;
    auto* column = columnIn(foot, {10, 4, 10, 8});
    const auto add = [this](const QString& text, const char* name, const std::function<void()>& wish) {
        auto* button = makeButton(text, QLatin1String(name));
        connect(button, &QPushButton::clicked, this, wish);
        return button;
    };
    m_forward = add(tr("Next step"), "lessonForward", [this] { emit forwardRequested(); });
    m_else = add(tr("The other way"), "lessonElse", [this] { emit otherRunRequested(); });
    m_back = add(tr("Back"), "lessonBack", [this] { emit backRequested(); });
    m_paper = add(tr("Hand-out..."), "lessonHandOut", [this] { emit handOutRequested(); });
    setTip(*m_forward, tr("Page Down, or a presenter: continue"));
    setTip(*m_back, tr("The step before (Page Up)"));
    setTip(*m_paper, tr("This step as a PDF of 16:9: the text, and the run if it was made"));
    column->addWidget(m_forward);
    m_key = makeLabel();
    m_key->setAlignment(Qt::AlignHCenter);
    m_key->setObjectName(QStringLiteral("lessonKeys"));
    column->addWidget(m_key);
    column->addWidget(m_else);
    auto* row = new QHBoxLayout;
    row->addWidget(m_back);
    row->addWidget(m_paper);
    column->addLayout(row);
    return foot;
}

void LessonPanel::setState(const LessonState& state, bool fromTop) {
    m_state = state;
    const int at = m_scroll->verticalScrollBar()->value();
    const QWidget* const focus = window()->focusWidget();
    const std::optional<QString> focused =
        focus && (m_scroll->isAncestorOf(focus) || m_asked->isAncestorOf(focus))
            ? std::optional(focus->objectName())
            : std::nullopt;
    m_title->setText(fromText(state.lesson->title));
    m_place->setText(tr("Step %1 of %2").arg(state.step + 1).arg(state.lesson->steps.size()));
    auto* page = new QWidget;
    page->setFont(pageFont());
    auto* column = columnIn(page, {10, 2, 10, 8});
    column->addWidget(wordsLabel(fromText(state.now().title), true));
    addStepText(*column, state.now().text);
    m_result = m_prompt = nullptr;
    addResult(*column);
    followClaims(*page, [this](const QString& id) { emit claimRequested(id); });
    column->addStretch(1);
    m_scroll->setWidget(page);
    askBelow();
    keepTabOrderIn(*m_scroll);
    keepTabOrderIn(*m_asked);          // answers and bars before the button that runs
    m_key->setVisible(!state.teaches); // a class does not press keys, and the room is dear
    refreshFoot();
    fitLeastWidth();
    if (focused)
        focusAgain(*focused);
    QTimer::singleShot(0, this, [this, at, fromTop] { // when the text has its height
        fitAsked();
        growAsked();
        QScrollBar* bar = m_scroll->verticalScrollBar();
        if (m_result && m_state.revealed && !fromTop)
            bar->setValue(m_result->mapTo(m_scroll->widget(), QPoint()).y() - 4);
        else
            bar->setValue(fromTop ? 0 : at);
        if (m_prompt)
            m_scroll->ensureWidgetVisible(m_prompt, 0, 4);
    });
}

/// What is asked stands below the text, whatever the text's length, until there is a result.
void LessonPanel::askBelow() {
    auto* asked = new QWidget;
    asked->setFont(pageFont());
    auto* column = columnIn(asked, {10, 4, 10, 0});
    const bool asks = !m_state.revealed && (m_state.now().question || m_state.now().bars);
    addQuestion(*column);
    addBars(*column);
    m_asked->setWidget(asked);
    m_asked->setVisible(asks);
    fitAsked();
}

/// As high as it is, but the text keeps a part of the room.
void LessonPanel::fitAsked() {
    QWidget* const asked = m_asked->widget();
    m_scroll->setMaximumHeight(QWIDGETSIZE_MAX);
    if (!asked || m_asked->isHidden())
        return;
    const int wide = std::max(width(), 1);
    if (const QLayout* const text = m_scroll->widget() ? m_scroll->widget()->layout() : nullptr)
        m_scroll->setMaximumHeight(text->totalHeightForWidth(wide) + 2); // what is asked stands next to it
    const int wanted = asked->layout()->hasHeightForWidth() ? asked->layout()->totalHeightForWidth(wide)
                                                            : asked->sizeHint().height();
    m_asked->setFixedHeight(std::min(wanted + 2, height() * kMostAsked / 100));
}

/// Words may wrap otherwise than they were measured.
void LessonPanel::growAsked() {
    if (m_asked->isHidden())
        return;
    if (const int hidden = m_asked->verticalScrollBar()->maximum(); hidden > 0)
        m_asked->setFixedHeight(std::min(m_asked->height() + hidden, height() * kMostAsked / 100));
    if (const int hidden = m_scroll->verticalScrollBar()->maximum(); hidden > 0)
        m_scroll->setMaximumHeight(m_scroll->maximumHeight() + hidden);
}

QFont LessonPanel::pageFont() const {
    if (!isLarge())
        return font();
    const int usual = ViewStyle::of(font()).type;
    return ViewStyle::sized(font(), std::max(usual, kLargeType));
}

/// The question stays whole where the room changes after it was shown.
void LessonPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitAsked();
    QTimer::singleShot(0, this, [this] {
        growAsked();
        if (m_prompt)
            m_scroll->ensureWidgetVisible(m_prompt, 0, 4);
    });
}

/// Once there is a result the answer stands above it (addPrediction).
void LessonPanel::addQuestion(QVBoxLayout& column) {
    if (!m_state.now().question || m_state.revealed)
        return;
    auto* box = new QWidget;
    auto* rows = columnIn(box, {0, 4, 0, 4});
    rows->addWidget(wordsLabel((m_state.now().myth ? tr("Is it true? %1") : tr("Predict: %1"))
                                   .arg(plainSentence(m_state.now().question->text)),
                               true));
    if (QWidget* const hint = hintOf(m_state.now().question->hint,
                                     "lessonHint")) // before the answers: after them comes what runs it
        rows->addWidget(hint);
    for (int number = 0; number < static_cast<int>(m_state.now().question->answers.size()); ++number)
        addAnswer(*rows, number);
    column.addWidget(box);
}

/// A person chooses one; for a class its votes are counted.
void LessonPanel::addAnswer(QVBoxLayout& rows, int number) {
    auto* button = new QRadioButton;
    const QString words =
        plainSentence(m_state.now().question->answers[static_cast<std::size_t>(number)].text);
    button->setAccessibleName(words);
    button->setObjectName(QStringLiteral("answer%1").arg(number));
    button->setChecked(m_state.predicted == number);
    button->setEnabled(!m_state.running && !m_state.outcome);
    connect(button, &QRadioButton::toggled, this, [this, number](bool on) {
        if (!on)
            return;
        m_state.predicted = number;
        emit predicted(number);
        refreshFoot();
    });
    auto* row = new QHBoxLayout;
    row->addWidget(button, 0, Qt::AlignTop);
    row->addWidget(new AnswerLabel(words, button), 1);
    if (m_state.teaches) {
        auto* votes = new QSpinBox;
        votes->setObjectName(QStringLiteral("votes%1").arg(number));
        votes->setRange(0, kMostVotes);
        votes->setAccessibleName(tr("Votes for: %1").arg(words));
        setTip(*votes, tr("How many of the class think so"));
        const auto at = static_cast<std::size_t>(number);
        votes->setValue(at < m_state.votes.size() ? m_state.votes[at] : 0);
        connect(votes, &QSpinBox::valueChanged, this,
                [this, number](int count) { emit voted(number, count); });
        row->addWidget(votes, 0, Qt::AlignTop);
    }
    rows.addLayout(row);
}

void LessonPanel::addBars(QVBoxLayout& column) {
    if (!m_state.now().bars || m_state.revealed)
        return;
    const lesson::LessonBars& bars = *m_state.now().bars;
    column.addWidget(wordsLabel(tr("Predict: %1").arg(plainSentence(bars.text)), true));
    auto* board = new BarsBoard(bars, m_state.placed.value_or(BarsBoard::startOf(bars)),
                                [this](const std::vector<double>& begins) {
                                    m_state.placed = begins;
                                    emit placed(begins);
                                    refreshFoot();
                                });
    board->setEnabled(!m_state.running && !m_state.outcome);
    column.addWidget(board);
    column.addWidget(dimLabel(
        m_state.teaches // nobody drags, and the room is dear
            ? tr("Time goes to the right. How long they are drawn says nothing yet.")
            : tr("Time goes to the right. Drag each bar to where it will run, or choose one with the "
                 "up and down keys and move it with left and right (Enter: they stay as they are). "
                 "How long they are drawn says nothing yet.")));
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
    m_key->setText(must && answer && m_state.now().myth ? tr("T, F or P: your verdict · Page Down: continue")
                   : must && answer                     ? tr("↑ ↓ Space: choose · Page Down: continue")
                                                        : tr("Page Down: continue · Page Up: back"));
    m_else->setText(m_state.runsElse);
    m_else->setVisible(!m_state.runsElse.isEmpty() && m_state.now().experiment &&
                       (!m_state.outcome || m_state.revealed));
    m_else->setEnabled(!m_state.running && !must);
    m_back->setEnabled(m_state.step > 0 || m_state.outcome);
    m_back->setVisible(!m_state.teaches); // Page Up, and the menu: the room is the text's
    m_paper->setVisible(!m_state.teaches);
}

bool LessonPanel::chooseByKey(int key) {
    if (!m_state.lesson || !m_state.now().question || m_state.outcome || m_state.running)
        return false;
    const auto& answers = m_state.now().question->answers;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const bool byLetter =
            m_state.now().myth && key == QChar::fromLatin1(answers[i].text.front()).unicode();
        if (key != Qt::Key_1 + static_cast<int>(i) && !byLetter)
            continue;
        if (auto* button = m_asked->widget()->findChild<QRadioButton*>(QStringLiteral("answer%1").arg(i)))
            button->click();
        return true;
    }
    return false;
}

void LessonPanel::keyPressEvent(QKeyEvent* event) {
    if ((event->modifiers() & ~Qt::KeypadModifier) || !chooseByKey(event->key()))
        QWidget::keyPressEvent(event);
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

/// What had the focus was replaced; there may be nothing of that name now.
void LessonPanel::focusAgain(const QString& name) {
    QWidget* again = nullptr;
    for (QScrollArea* part : {m_scroll, m_asked})
        if (!again && !name.isEmpty())
            again = part->widget()->findChild<QWidget*>(name);
    (again && again->isEnabled() ? again : m_forward)->setFocus(Qt::OtherFocusReason);
}

void LessonPanel::focusAnswers() {
    for (QRadioButton* button : m_asked->widget()->findChildren<QRadioButton*>())
        if (button->isEnabled())
            return button->setFocus(Qt::OtherFocusReason);
    if (auto* board = m_asked->widget()->findChild<QWidget*>(QStringLiteral("bars")))
        return board->setFocus(Qt::OtherFocusReason);
    focusForward();
}

} // namespace olab::ui
