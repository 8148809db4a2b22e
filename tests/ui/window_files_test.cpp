// What the whole window reads, writes and remembers.
#include "answers.h"
#include "moody_window.h"

#include <olab/recording/recording.h>
#include <olab/ui/row_choices.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>
#include <timeline/rows/timeline_rows.h>

#include <window/messages/message_bars.h>
#include <window/runs/runs.h>

#include <QAction>
#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMessageBox>
#include <QMimeData>
#include <QSplitter>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <fstream>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

TEST(MainWindow, AFileThatIsNoRecordingIsAnErrorWithAHint) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("bad.olab"));
    std::ofstream(path.toStdString()) << "this is no recording";
    MoodyWindow t;
    const QSignalSpy errors(&t.window, &MainWindow::errorShown);
    t.window.open(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return errors.count() > 0; }, kPatience));
    EXPECT_EQ(t.window.errors().count(), 1);
    try {
        recording::openRecording(path.toStdString());
        FAIL() << "it can be read";
    } catch (const Error& error) {
        EXPECT_TRUE(t.window.errors().lastText().contains(QString::fromUtf8(error.what())));
        EXPECT_FALSE(error.hint().empty());
        EXPECT_TRUE(t.window.errors().lastText().contains(QString::fromStdString(error.hint())));
    }
    EXPECT_EQ(t.button(QStringLiteral("Run again")), nullptr)
        << "running again would not help to open a file";
    EXPECT_TRUE(t.waitUntilIdle());
}

TEST(MainWindow, SavesAndOpensAgain) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("run.olab"));
    MoodyWindow t;
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(t.window.findChild<Runs*>()->unsavedCount(), 1);
    const view::ViewDataPtr first = t.window.shown();
    const QSignalSpy saved(&t.session, &Session::saved);
    ASSERT_TRUE(t.session.save(first, path));
    ASSERT_TRUE(QTest::qWaitFor([&] { return saved.count() == 1; }, kPatience));
    EXPECT_EQ(t.window.findChild<Runs*>()->unsavedCount(), 0);
    t.window.open(path);
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(t.window.shown()->trace().size(), first->trace().size());
    EXPECT_EQ(t.window.shown()->recording->report.bounds.measured, first->recording->report.bounds.measured);
    EXPECT_EQ(t.window.findChild<Runs*>()->unsavedCount(), 0);
}

TEST(MainWindow, OpeningAFileShowsItsSettingsUnlessThePersonChangedTheForm) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("three.olab"));
    experiment::HeldExperiment three, own;
    experiment::setOption(three, "streams=3");
    experiment::setOption(own, "streams=9");
    MoodyWindow t;
    t.window.form().setExperiment(three);
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    ASSERT_TRUE(t.session.save(t.window.shown(), path));
    ASSERT_TRUE(t.waitUntilIdle());
    const auto openInto = [&](const experiment::Experiment& form) {
        t.window.form().setExperiment(form); // as a person does: the window did not
        t.window.open(path);
        return t.waitForRecording();
    };
    ASSERT_TRUE(openInto(own));
    EXPECT_EQ(t.window.form().experiment(), own) << "what a person chose is not thrown away";
    auto* use = t.window.findChild<QPushButton*>(QStringLiteral("useSettings"));
    ASSERT_NE(use, nullptr);
    EXPECT_TRUE(use->isVisible());
    EXPECT_TRUE(use->isEnabled());
    use->click();
    EXPECT_EQ(t.window.form().experiment(), three);
    EXPECT_FALSE(use->isVisible());

    MoodyWindow fresh;
    EXPECT_FALSE(fresh.window.findChild<QPushButton*>(QStringLiteral("useSettings"))->isVisible());
    fresh.window.open(path);
    ASSERT_TRUE(fresh.waitForRecording());
    EXPECT_EQ(fresh.window.form().experiment(), three);
}

TEST(MainWindow, AFileCanBeDroppedOnTheWindow) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("dropped.olab"));
    MoodyWindow t;
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    ASSERT_TRUE(t.session.save(t.window.shown(), path));
    ASSERT_TRUE(t.waitUntilIdle());
    QMimeData file, text;
    file.setUrls({QUrl::fromLocalFile(path)});
    text.setText(QStringLiteral("no file"));
    QDragEnterEvent wrong({20, 20}, Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
    wrong.ignore();
    QCoreApplication::sendEvent(&t.window, &wrong);
    EXPECT_FALSE(wrong.isAccepted());
    QDragEnterEvent enter({20, 20}, Qt::CopyAction, &file, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&t.window, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop({20, 20}, Qt::CopyAction, &file, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&t.window, &drop);
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(t.window.shown()->recording->file, std::filesystem::path(path.toStdString()));
}

TEST(MainWindow, AsksBeforeAnUnsavedRecordingIsLost) {
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window(session, {.remember = false, .askBeforeClose = true});
    window.show();
    const QSignalSpy shown(&window, &MainWindow::recordingShown);
    window.run();
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown.count() > 0; }, kPatience));
    const auto closeAndAnswer = [&](QMessageBox::StandardButton answer) {
        const Answers answers({press(answer)});
        window.close();
        return answers.asked == 1;
    };
    EXPECT_TRUE(closeAndAnswer(QMessageBox::Cancel));
    EXPECT_TRUE(window.isVisible());
    EXPECT_TRUE(closeAndAnswer(QMessageBox::Discard));
    EXPECT_FALSE(window.isVisible());
}

TEST(MainWindow, RemembersTheExperiment) {
    experiment::HeldExperiment wanted;
    experiment::setOption(wanted, "streams=7");
    {
        MoodyWindow t;
        t.window.form().setExperiment(wanted);
        t.window.close();
    }
    MoodyWindow again(false);
    EXPECT_EQ(again.window.form().experiment(), wanted);
    again.window.form().setExperiment(experiment::HeldExperiment{});
    again.window.close();
}

TEST(MainWindow, WhatTheCommandLineSaidOfTheThemeIsNotRemembered) {
    QSettings().clear();
    {
        MoodyWindow t;
        t.window.setTheme(ThemeChoice::Dark);
        t.window.setProjector(true);
        t.window.close();
    }
    EXPECT_EQ(QSettings().value(QStringLiteral("theme")).toInt(), 0);
    QSettings().clear();
    applyTheme(ThemeChoice::System, false);
}

TEST(MainWindow, RemembersItsSplittersAndTheme) {
    QList<int> sizes;
    {
        MoodyWindow t;
        auto* columns = t.window.findChild<QSplitter*>(QStringLiteral("columns"));
        ASSERT_NE(columns, nullptr);
        columns->setSizes({320, 700, 260});
        for (QAction* action : t.window.findChildren<QAction*>())
            if (action->text() == QStringLiteral("Theme: &dark"))
                action->trigger();
        sizes = columns->sizes();
        t.window.close();
    }
    MoodyWindow again(false);
    EXPECT_EQ(again.window.findChild<QSplitter*>(QStringLiteral("columns"))->sizes(), sizes);
    EXPECT_TRUE(Theme::of(QApplication::palette()).dark);
    again.window.setTheme(ThemeChoice::System);
    again.window.close();
}

TEST(MainWindow, RemembersItsRows) {
    RowChoices choices;
    {
        MoodyWindow t;
        t.window.run();
        ASSERT_TRUE(t.waitForRecording());
        TimelineCanvas& canvas = t.window.timeline().canvas();
        canvas.rows().pin(canvas.shown()->index.lanes().lanes().front().id);
        canvas.rows().resize(canvas.shown()->index.lanes().lanes().back().id, +1);
        choices = canvas.rows().choices();
        t.window.close();
    }
    ASSERT_EQ(choices.pinned.size() + choices.heights.size(), 2u);
    MoodyWindow again(false);
    EXPECT_EQ(again.window.timeline().canvas().rows().choices(), choices);
    again.window.timeline().canvas().rows().reset();
    again.window.close();
    MoodyWindow usual(false);
    EXPECT_EQ(usual.window.timeline().canvas().rows().choices(), RowChoices{});
}
