#include "lessons/exercise_box.h"

#include "base/page_parts.h"
#include "lessons/step_text.h"

#include <olab/experiment/option_table.h>
#include <olab/ui/format.h>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <QWheelEvent>

namespace olab::ui {

namespace {} // namespace

QWidget* hintOf(const std::string& hint, const char* name) {
    if (hint.empty())
        return nullptr;
    auto* const box = new QWidget;
    auto* const row = rowIn(box);
    auto* const button = makeButton(QObject::tr("Hint"), QLatin1String(name));
    QLabel* const words = wordsLabel(richSentence(hint));
    words->hide();
    row->addWidget(button, 0, Qt::AlignTop | Qt::AlignLeft);
    row->addWidget(words, 1);
    QObject::connect(button, &QPushButton::clicked, box, [button, words] {
        words->show();
        button->hide();
    });
    return box;
}

QLabel* whyOf(const lesson::CheckOutcome& answer) {
    if (answer.why.empty())
        return nullptr;
    QLabel* const label = wordsLabel(richSentence(answer.why));
    label->setObjectName(QStringLiteral("answerWhy"));
    label->setIndent(label->fontMetrics().averageCharWidth() * 2);
    return label;
}

namespace {

/// A wheel that scrolls the step changes nothing in it.
class StillChooser final : public QComboBox {
protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

/// The values that the option of this key has; others are typed.
void fillValues(QComboBox& values, const QString& key, const experiment::Experiment& experiment) {
    const experiment::OptionRow* const row = experiment::findOption(key.toStdString());
    values.clear();
    if (!row)
        return;
    values.setEditable(row->choices.empty());
    for (const std::string_view choice : row->choices)
        values.addItem(fromText(choice));
    const QString now = fromText(row->get(experiment));
    row->choices.empty() ? values.setEditText(now) : values.setCurrentText(now);
    setTip(values, sentence(row->help));
    values.setAccessibleName(
        QObject::tr("Value of %1: %2").arg(key, fromText(experiment::optionAllowed(*row))));
}

QComboBox* optionChooser(const lesson::LessonExercise& exercise) {
    auto* options = new StillChooser;
    nameWidget(*options, "exerciseOption", QObject::tr("Option to change"));
    options->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const std::string& key : exercise.options)
        options->addItem(fromText(key));
    return options;
}

QVBoxLayout* chooserRows(const ExerciseShown& shown,
                         std::function<void(const QString&, const QString&)> run) {
    auto* rows = new QVBoxLayout;
    auto* row = new QHBoxLayout;
    QComboBox* const options = optionChooser(*shown.step.exercise);
    auto* values = new StillChooser;
    values->setObjectName(QStringLiteral("exerciseValue"));
    values->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto* button = makeButton(QObject::tr("Run it with this change"), QStringLiteral("exerciseRun"));
    const experiment::HeldExperiment& experiment = shown.step.experiment->experiment;
    const QString last =
        shown.attempts.empty() ? QString() : shown.attempts.back().change; // where one goes on
    if (!last.isEmpty())
        options->setCurrentText(last.section(QLatin1Char('='), 0, 0));
    fillValues(*values, options->currentText(), experiment);
    if (!last.isEmpty())
        values->setCurrentText(last.section(QLatin1Char('='), 1));
    QObject::connect(options, &QComboBox::currentTextChanged, values,
                     [values, &experiment](const QString& key) { fillValues(*values, key, experiment); });
    QObject::connect(button, &QPushButton::clicked, button, [options, values, run = std::move(run)] {
        run(options->currentText(), values->currentText());
    });
    for (QWidget* part : {static_cast<QWidget*>(options), static_cast<QWidget*>(values)}) {
        part->setEnabled(shown.enabled);
        row->addWidget(part, 1);
    }
    button->setEnabled(shown.enabled);
    rows->addLayout(row);
    rows->addWidget(button);
    return rows;
}

} // namespace

QWidget* exerciseBox(const ExerciseShown& shown, std::function<void(const QString&, const QString&)> run) {
    auto* box = new QWidget;
    box->setObjectName(QStringLiteral("lessonExercise"));
    auto* column = columnIn(box, {0, 4, 0, 4});
    column->addWidget(wordsLabel(RichText::wrap(
        "<b>%1</b>",
        RichText("%1", {QObject::tr("Your turn: %1").arg(plainSentence(shown.step.exercise->task))}))));
    if (QWidget* hint = hintOf(shown.step.exercise->hint, "exerciseHint"))
        column->addWidget(hint);
    column->addLayout(chooserRows(shown, std::move(run)));
    if (!shown.problem.isEmpty())
        column->addWidget(wordsLabel(RichText("<b>%1</b>", {shown.problem})));
    for (const LessonAttempt& attempt : shown.attempts) {
        auto* label = wordsLabel(
            RichText("<b>%1</b> %2 (%3): %4", {outcomeMark(attempt.outcome.outcome), attempt.change,
                                               attempt.origin, plainSentence(attempt.outcome.text)}));
        label->setObjectName(QStringLiteral("exerciseAttempt"));
        setTip(*label, sentence(attempt.outcome.found));
        column->addWidget(label);
    }
    return box;
}

} // namespace olab::ui
