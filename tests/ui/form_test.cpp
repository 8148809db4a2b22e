#include "patience.h"

#include <olab/experiment/held_experiment.h>
#include <olab/ui/experiment_form.h>

#include <QAbstractButton>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

using namespace olab;
using namespace olab::ui;

namespace {

/// Values a person could give the option, the default among them.
std::vector<std::string> valuesOf(const experiment::OptionRow& row) {
    switch (row.type) {
    case experiment::OptionType::Switch:
        return {"on", "off"};
    case experiment::OptionType::Integer:
        return {std::to_string(row.min), std::to_string(std::min<std::int64_t>(row.max, 1 << 30)),
                experiment::optionDefault(row)};
    case experiment::OptionType::Model:
        return {"file:model.json", experiment::optionDefault(row)};
    case experiment::OptionType::Choice:
        return {row.choices.begin(), row.choices.end()};
    case experiment::OptionType::Bytes:
        return {"4KiB", experiment::bytesToText(row.max), experiment::optionDefault(row)};
    case experiment::OptionType::Blocks:
        return {"1", "fill:2", experiment::optionDefault(row)};
    }
    return {};
}

void typeInto(QWidget* editor, const QString& text) {
    if (auto* box = qobject_cast<QAbstractButton*>(editor))
        box->setChecked(text == QLatin1String("on"));
    else if (auto* spin = qobject_cast<QSpinBox*>(editor))
        spin->setValue(text.toInt());
    else if (auto* combo = qobject_cast<QComboBox*>(editor))
        combo->setCurrentText(text);
    else if (auto* line = qobject_cast<QLineEdit*>(editor))
        line->setText(text);
}

QString shownIn(const QWidget* editor) {
    if (const auto* box = qobject_cast<const QAbstractButton*>(editor))
        return box->isChecked() ? QStringLiteral("on") : QStringLiteral("off");
    if (const auto* spin = qobject_cast<const QSpinBox*>(editor))
        return QString::number(spin->value());
    if (const auto* combo = qobject_cast<const QComboBox*>(editor))
        return combo->currentText();
    if (const auto* line = qobject_cast<const QLineEdit*>(editor))
        return line->text();
    return {};
}

} // namespace

TEST(ExperimentForm, HasAControlForEveryOptionWithNameAndHelp) {
    const ExperimentForm form;
    for (const experiment::OptionRow& row : experiment::optionTable()) {
        const QWidget* editor = form.editor(row.key);
        ASSERT_NE(editor, nullptr) << row.key;
        EXPECT_FALSE(editor->accessibleName().isEmpty()) << row.key;
        EXPECT_TRUE(editor->toolTip().contains(
            QString::fromUtf8(row.key.data(), static_cast<qsizetype>(row.key.size()))))
            << row.key;
    }
}

TEST(ExperimentForm, WhatIsEnteredIsInTheExperiment) {
    ExperimentForm form;
    for (const experiment::OptionRow& row : experiment::optionTable())
        for (const std::string& value : valuesOf(row)) {
            form.setExperiment(experiment::HeldExperiment{});
            experiment::HeldExperiment expected;
            experiment::setOption(expected, row.key, value);
            typeInto(form.editor(row.key), QString::fromStdString(value));
            EXPECT_EQ(form.experiment(), expected) << row.key << "=" << value;
        }
}

TEST(ExperimentForm, WhatIsInTheExperimentIsShown) {
    ExperimentForm form;
    for (const experiment::OptionRow& row : experiment::optionTable())
        for (const std::string& value : valuesOf(row)) {
            experiment::HeldExperiment experiment;
            experiment::setOption(experiment, row.key, value);
            form.setExperiment(experiment);
            EXPECT_EQ(shownIn(form.editor(row.key)).toStdString(),
                      experiment::optionText(experiment, row.key))
                << row.key << "=" << value;
            EXPECT_EQ(form.experiment(), experiment);
        }
}

TEST(ExperimentForm, RefusesConflictsAndSaysWhy) {
    ExperimentForm form;
    EXPECT_TRUE(form.valid());
    const QSignalSpy edited(&form, &ExperimentForm::edited);
    for (const char* step : {"h2d", "memset", "kernel", "d2h"})
        typeInto(form.editor(step), QStringLiteral("off"));
    EXPECT_GT(edited.count(), 0);
    EXPECT_FALSE(form.valid());
    ASSERT_FALSE(form.problems().isEmpty());
    EXPECT_EQ(form.problems().size(),
              static_cast<qsizetype>(experiment::conflicts(form.experiment()).size()));
    typeInto(form.editor("kernel"), QStringLiteral("on"));
    EXPECT_TRUE(form.valid());
    EXPECT_TRUE(form.problems().isEmpty());
}

TEST(ExperimentForm, AChoiceThatTheOthersExcludeCannotBePickedAndSaysWhy) {
    ExperimentForm form;
    const auto* kinds = qobject_cast<QComboBox*>(form.editor("stream.kind"));
    const auto* model = qobject_cast<QStandardItemModel*>(kinds->model());
    const int perThread = kinds->findText(QStringLiteral("per-thread"));
    EXPECT_FALSE(model->item(perThread)->isEnabled());
    EXPECT_TRUE(model->item(perThread)->toolTip().contains(QLatin1String("issue.threads=per-stream")));
    typeInto(form.editor("issue.threads"), QStringLiteral("per-stream"));
    EXPECT_TRUE(model->item(perThread)->isEnabled());
    typeInto(form.editor("submit"), QStringLiteral("stream"));
    typeInto(form.editor("issue.threads"), QStringLiteral("1"));
    typeInto(form.editor("submit"), QStringLiteral("graph"));
    EXPECT_FALSE(form.editor("null_op")->isEnabled());
    EXPECT_TRUE(form.editor("null_op")->toolTip().contains(QLatin1String("submit=graph")));
}

TEST(ExperimentForm, WhatDiffersFromTheDefaultsStandsFirst) {
    ExperimentForm form;
    form.resize(300, 900);
    form.show();
    const auto top = [&](const char* key) { return form.editor(key)->mapTo(&form, QPoint()).y(); };
    EXPECT_FALSE(form.editor("submit")->isVisible()) << "its group is folded";
    experiment::HeldExperiment experiment;
    experiment::setOption(experiment, "submit=graph");
    form.setExperiment(experiment);
    QTest::qWait(0); // it is laid out
    EXPECT_TRUE(form.editor("submit")->isVisible());
    EXPECT_LT(top("submit"), top("h2d"));

    const int before = top("h2d.memory");
    typeInto(form.editor("h2d.memory"), QStringLiteral("pageable"));
    QTest::qWait(0);
    EXPECT_EQ(top("h2d.memory"), before) << "nothing moves under the hand";
    form.gather(); // it runs
    QTest::qWait(0);
    EXPECT_LT(top("h2d.memory"), top("h2d"));
    EXPECT_TRUE(form.editor("h2d.memory")->isVisible());

    form.setExperiment(experiment::HeldExperiment{});
    QTest::qWait(0);
    EXPECT_EQ(form.editor("h2d.memory")->isVisible(), true) << "back where it was";
    EXPECT_GT(top("h2d.memory"), top("h2d"));
    EXPECT_FALSE(form.editor("submit")->isVisible());
}

TEST(ExperimentForm, RefusesATextThatDoesNotReadAndKeepsTheLastGoodValue) {
    ExperimentForm form;
    typeInto(form.editor("h2d.bytes"), QStringLiteral("1MiB"));
    typeInto(form.editor("h2d.bytes"), QStringLiteral("a lot"));
    EXPECT_FALSE(form.valid());
    EXPECT_TRUE(form.problems().join(QLatin1Char(' ')).contains(QLatin1String("a lot")));
    EXPECT_EQ(experiment::optionNumber(form.experiment(), "h2d.bytes"), 1 << 20);
    EXPECT_EQ(shownIn(form.editor("h2d.bytes")), QStringLiteral("a lot"))
        << "what was typed is not taken away";
    typeInto(form.editor("h2d.bytes"), QStringLiteral("2MiB"));
    EXPECT_TRUE(form.valid());
    EXPECT_EQ(experiment::optionNumber(form.experiment(), "h2d.bytes"), 2 << 20);
}

TEST(ExperimentForm, HalfAWordIsNotTakenForAValue) {
    ExperimentForm form;
    form.show();
    auto* field = qobject_cast<QLineEdit*>(form.editor("h2d.bytes"));
    field->activateWindow();
    field->setFocus();
    ASSERT_TRUE(QTest::qWaitFor([&] { return field->hasFocus(); }, test::kPatience));
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("32Mi")); // "3" and "32" are sizes, too
    EXPECT_FALSE(form.valid());
    EXPECT_EQ(experiment::optionNumber(form.experiment(), "h2d.bytes"), 16 << 20) << "what it was before";
    QTest::keyClicks(field, QStringLiteral("B"));
    EXPECT_EQ(experiment::optionNumber(form.experiment(), "h2d.bytes"), 32 << 20);
    field->clear();
    EXPECT_TRUE(form.valid()) << "an empty field means the default, which it shows";
    EXPECT_EQ(field->placeholderText(), QStringLiteral("16MiB"));
    EXPECT_EQ(experiment::optionNumber(form.experiment(), "h2d.bytes"), 16 << 20);
}

TEST(ExperimentForm, NoMessageMakesItWider) {
    ExperimentForm form;
    const int before = form.minimumSizeHint().width();
    typeInto(form.editor("h2d.bytes"), QString(400, QLatin1Char('9')) + QStringLiteral("GiB"));
    EXPECT_FALSE(form.valid());
    EXPECT_EQ(form.minimumSizeHint().width(), before);
}

TEST(ExperimentForm, AnOptionWithoutEffectIsDisabledAndSaysWhy) {
    ExperimentForm form;
    EXPECT_TRUE(form.editor("h2d.bytes")->isEnabled());
    typeInto(form.editor("h2d"), QStringLiteral("off"));
    EXPECT_FALSE(form.editor("h2d.bytes")->isEnabled());
    const QString why =
        QString::fromStdString(experiment::disabledBecause(form.experiment(), "h2d.bytes")).toHtmlEscaped();
    EXPECT_TRUE(form.editor("h2d.bytes")->toolTip().contains(why));
    typeInto(form.editor("h2d"), QStringLiteral("on"));
    EXPECT_TRUE(form.editor("h2d.bytes")->isEnabled());
}

TEST(ExperimentForm, NoGroupNeedsMoreWidthThanThePanelHas) {
    ExperimentForm form;
    experiment::HeldExperiment changed;
    for (const experiment::OptionRow& row : experiment::optionTable())
        if (row.type == experiment::OptionType::Choice || row.type == experiment::OptionType::Switch)
            row.set(changed,
                    row.get(changed) == row.choices.back() ? row.choices.front() : row.choices.back());
    form.setExperiment(changed); // every group open, every title with its count
    form.show();
    EXPECT_LE(form.minimumSizeHint().width(), 26 * form.fontMetrics().averageCharWidth() + 130);
}
