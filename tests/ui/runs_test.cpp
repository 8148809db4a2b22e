// The list of runs in the window: names, notes, removing, saving, and closing without losing anything.
#include "answers.h"
#include "patience.h"
#include "shown_fixture.h"
#include "test_places.h"

#include <olab/experiment/held_experiment.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/container.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/format.h>
#include <olab/ui/main_window.h>
#include <olab/ui/picture.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <results/summary_lines.h>
#include <window/files.h>
#include <window/messages/message_bars.h>
#include <window/runs/runs.h>
#include <window/window_parts.h>

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <gtest/gtest.h>

#include <fstream>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

struct RunsDesk {
    explicit RunsDesk(bool ask = true, bool remember = false)
        : window(session, {.remember = remember, .askBeforeClose = ask, .recordings = {}}) {
        window.resize(1280, 720);
        window.show();
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window, kPatience);
    }
    bool run() {
        const QSignalSpy spy(&window, &MainWindow::recordingShown);
        window.run();
        return QTest::qWaitFor([&] { return spy.count() > 0 && !session.busy(); }, kPatience);
    }
    bool open(const QString& path) {
        const QSignalSpy spy(&window, &MainWindow::recordingShown);
        window.open(path);
        return QTest::qWaitFor([&] { return spy.count() > 0 && !session.busy(); }, kPatience);
    }
    bool idle() {
        return QTest::qWaitFor([&] { return !session.busy(); }, kPatience);
    }
    void chooseTheme(const char* entry) {
        for (QAction* action : window.findChildren<QAction*>())
            if (action->text() == QLatin1String(entry))
                action->trigger();
    }
    Runs& runs() { return *window.findChild<Runs*>(); }
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window;
};

Answers::Answer nameFile(const QString& path) {
    return [path](QWidget& dialog) {
        auto* files = qobject_cast<QFileDialog*>(&dialog);
        ASSERT_NE(files, nullptr);
        if (path.isEmpty())
            return files->reject();
        auto* line = files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        ASSERT_NE(line, nullptr);
        line->setText(path);
        // Later: a question that comes up in the dialog is answered by the same timer.
        QTimer::singleShot(0, line, [line] { QTest::keyClick(line, Qt::Key_Return); });
    };
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QAction* actionCalled(const QMenu& menu, const QString& begin) {
    for (QAction* action : menu.actions())
        if (QString(action->text()).remove(QLatin1Char('&')).startsWith(begin))
            return action;
    return nullptr;
}

} // namespace

TEST(Runs, OneMadeHereIsCalledByWhatDiffersAndSaysWhatItChanged) {
    RunsDesk t;
    ASSERT_TRUE(t.run());
    EXPECT_TRUE(t.runs().item(0)->text().startsWith(QStringLiteral("default settings, simulated")))
        << qPrintable(t.runs().item(0)->text());
    experiment::HeldExperiment pageable;
    experiment::setOption(pageable, "h2d.memory", "pageable");
    t.window.form().setExperiment(pageable);
    ASSERT_TRUE(t.run());
    const QStringList lines = t.runs().item(0)->text().split(QLatin1Char('\n'));
    EXPECT_TRUE(lines[0].startsWith(QStringLiteral("h2d.memory=pageable, simulated")));
    EXPECT_TRUE(lines[1].startsWith(QStringLiteral("Run 2 · ")) &&
                lines[1].contains(QStringLiteral(" ms → ")) && lines[1].endsWith(QStringLiteral("x slower")))
        << qPrintable(lines[1]);
}

TEST(Runs, F2RenamesEverywhereAndTheFileKeepsIt) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.olab"));
    {
        RunsDesk t;
        ASSERT_TRUE(t.run());
        t.runs().setFocus();
        QTest::keyClick(&t.runs(), Qt::Key_F2);
        auto* editor = t.runs().findChild<QLineEdit*>();
        ASSERT_NE(editor, nullptr);
        EXPECT_EQ(editor->text(), QStringLiteral("Run 1")) << "the name alone";
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("<b>before & after</b>"));
        QTest::keyClick(editor, Qt::Key_Return);
        const QString name = QStringLiteral("<b>before & after</b>");
        ASSERT_TRUE(QTest::qWaitFor([&] { return titleText(*t.window.shown()) == name; }, kPatience));
        EXPECT_TRUE(t.window.windowTitle().startsWith(name));
        EXPECT_TRUE(t.runs().item(0)->text().startsWith(name));
        EXPECT_FALSE(t.runs().item(0)->toolTip().contains(QStringLiteral("<b>"))) << "markup is text";
        t.runs().setNote(t.window.shown()->run, QStringLiteral("first\nsecond"));
        EXPECT_TRUE(t.runs().item(0)->text().contains(QStringLiteral("first")));
        EXPECT_FALSE(t.runs().item(0)->text().contains(QStringLiteral("second")));
        Answers answers({nameFile(path)});
        t.window.parts().files.save();
        EXPECT_EQ(answers.asked, 1u);
        ASSERT_TRUE(t.idle());
        EXPECT_EQ(t.runs().unsavedCount(), 0);
        t.runs().rename(t.window.shown()->run, QStringLiteral("another"));
        EXPECT_EQ(t.runs().unsavedCount(), 1) << "the name is not in the file yet";
        t.runs().rename(t.window.shown()->run, name);
        EXPECT_EQ(t.runs().unsavedCount(), 0);
    }
    RunsDesk again;
    ASSERT_TRUE(again.open(path));
    EXPECT_EQ(titleText(*again.window.shown()), QStringLiteral("<b>before & after</b>"));
    EXPECT_EQ(again.window.shown()->label().note, "first\nsecond");
    again.runs().rename(again.window.shown()->run, {});
    EXPECT_EQ(titleText(*again.window.shown()), QStringLiteral("a.olab")) << "without one it is its file";
    EXPECT_EQ(again.runs().unsavedCount(), 1);
}

TEST(Runs, TheMenuHasAllThatCanBeDone) {
    RunsDesk t(false);
    ASSERT_TRUE(t.run());
    const view::ViewDataPtr first = t.window.shown();
    ASSERT_TRUE(t.run());
    QMenu menu;
    t.runs().fillMenu(menu, first->run);
    for (const char* name :
         {"Show", "Rename", "Add a note", "Compare with", "Save", "Save as", "Remove from the list"})
        EXPECT_NE(actionCalled(menu, QLatin1String(name)), nullptr) << name;
    actionCalled(menu, QStringLiteral("Show"))->trigger();
    EXPECT_EQ(t.window.shown(), first);
    const QSignalSpy compared(&t.runs(), &Runs::compared);
    QMenu* others = actionCalled(menu, QStringLiteral("Compare with"))->menu();
    ASSERT_EQ(others->actions().size(), 1);
    others->actions().front()->trigger();
    ASSERT_EQ(compared.count(), 1);
    EXPECT_EQ(compared[0][0].value<view::ViewDataPtr>(), first) << "the older one first";
    actionCalled(menu, QStringLiteral("Add a note"))->trigger();
    auto* dialog = t.runs().findChild<QInputDialog*>(QStringLiteral("runNote"));
    ASSERT_NE(dialog, nullptr);
    dialog->setTextValue(QStringLiteral("why I ran it"));
    dialog->accept();
    EXPECT_EQ(first->label().note, "why I ran it");
}

TEST(Runs, DeleteRemovesAndCtrlZBringsBack) {
    RunsDesk t(false);
    ASSERT_TRUE(t.run());
    const view::ViewDataPtr first = t.window.shown();
    ASSERT_TRUE(t.run());
    const view::ViewDataPtr second = t.window.shown();
    t.runs().setFocus();
    QTest::keyClick(&t.runs(), Qt::Key_Delete);
    EXPECT_EQ(t.runs().count(), 1);
    EXPECT_EQ(t.window.shown(), first) << "the next one is shown";
    QTest::keyClick(&t.runs(), Qt::Key_Delete);
    EXPECT_EQ(t.runs().count(), 0);
    EXPECT_EQ(t.window.shown(), nullptr);
    EXPECT_TRUE(t.window.parts().centre.isIn(olab::ui::Room::Gallery));
    EXPECT_FALSE(t.window.grab().isNull());
    t.window.setTheme(ThemeChoice::Dark); // nothing of the one that is gone is touched
    t.window.setTheme(ThemeChoice::System);
    t.runs().setFocus();
    QTest::keyClick(&t.runs(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(t.window.shown(), first);
    EXPECT_FALSE(t.window.parts().centre.isIn(olab::ui::Room::Gallery));
    QTest::keyClick(&t.runs(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(t.window.shown(), second);
    EXPECT_EQ(t.runs().at(0), second) << "where it was";
    EXPECT_EQ(t.runs().unsavedCount(), 2);
}

TEST(Runs, AsksBeforeAnUnsavedOneIsRemoved) {
    RunsDesk t;
    ASSERT_TRUE(t.run());
    t.runs().setFocus();
    Answers no({press(QMessageBox::Cancel)});
    QTest::keyClick(&t.runs(), Qt::Key_Delete);
    EXPECT_EQ(no.asked, 1u);
    EXPECT_EQ(t.runs().count(), 1);
    Answers yes({press(QMessageBox::Discard)});
    QTest::keyClick(&t.runs(), Qt::Key_Delete);
    EXPECT_EQ(yes.asked, 1u);
    EXPECT_EQ(t.runs().count(), 0);
}

TEST(Runs, TheFileOfAnotherToolIsNeverSavedOver) {
    const QTemporaryDir folder;
    const QString theirs = folder.filePath(QStringLiteral("trace.json")),
                  ours = folder.filePath(QStringLiteral("ours.olab"));
    const QByteArray text = R"({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7,
        "ts": 10, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 1}}]})";
    {
        QFile file(theirs);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    RunsDesk t;
    ASSERT_TRUE(t.open(theirs));
    t.runs().setNote(t.window.shown()->run, QStringLiteral("kept"));
    Answers saves({nameFile(ours)});
    t.window.parts().files.save();
    EXPECT_EQ(saves.asked, 1u) << "save asks for a name";
    ASSERT_TRUE(t.idle());
    EXPECT_EQ(contentOf(theirs), text);
    EXPECT_EQ(io::readRecording(ours.toStdString()).label.note, "kept");
    RunsDesk again;
    ASSERT_TRUE(again.open(theirs));
    again.runs().setNote(again.window.shown()->run, QStringLiteral("lost"));
    Answers closes({press(QMessageBox::Save), nameFile({})});
    again.window.close();
    EXPECT_EQ(closes.asked, 2u) << "closing asks for a name too";
    EXPECT_EQ(contentOf(theirs), text);
}

TEST(Runs, ClosingSavesAllThatIsUnsaved) {
    const QTemporaryDir folder;
    const QString one = folder.filePath(QStringLiteral("one.olab")),
                  two = folder.filePath(QStringLiteral("two.olab"));
    recording::saveRecording(*smallShown()->recording, one.toStdString());
    RunsDesk t;
    ASSERT_TRUE(t.open(one));
    t.runs().setNote(t.window.shown()->run, QStringLiteral("kept"));
    ASSERT_TRUE(t.run());
    Answers cancelled({press(QMessageBox::Save), nameFile({})});
    t.window.close();
    EXPECT_EQ(cancelled.asked, 2u);
    EXPECT_TRUE(t.window.isVisible()) << "who cancels the name keeps the window";
    EXPECT_FALSE(t.session.busy()) << "and nothing is half saved";
    EXPECT_EQ(t.runs().unsavedCount(), 2);
    Answers answers({press(QMessageBox::Save), nameFile(two)});
    t.window.close();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.window.isVisible(); }, kPatience));
    EXPECT_EQ(answers.asked, 2u) << "the one that has a file is asked nothing";
    EXPECT_EQ(io::readRecording(one.toStdString()).label.note, "kept");
    EXPECT_GT(io::readRecording(two.toStdString()).trace.size(), 0u);
}

TEST(Runs, ANameWithoutItsEndingReplacesNothingUnasked) {
    const QTemporaryDir folder;
    const QString kept = folder.filePath(QStringLiteral("kept.olab"));
    recording::saveRecording(*smallShown()->recording, kept.toStdString());
    const QByteArray before = contentOf(kept);
    RunsDesk t;
    ASSERT_TRUE(t.run());
    Answers answers({nameFile(folder.filePath(QStringLiteral("kept"))),
                     [](QWidget& dialog) {
                         auto* box = qobject_cast<QMessageBox*>(&dialog);
                         ASSERT_NE(box, nullptr) << "it asks whether to replace the file";
                         box->button(QMessageBox::No)->click();
                     },
                     [](QWidget& dialog) { // which is still open
                         auto* files = qobject_cast<QFileDialog*>(&dialog);
                         ASSERT_NE(files, nullptr);
                         files->reject();
                     }});
    t.window.parts().files.save();
    EXPECT_EQ(answers.asked, 3u);
    ASSERT_TRUE(t.idle());
    EXPECT_EQ(contentOf(kept), before);
    Answers fresh({nameFile(folder.filePath(QStringLiteral("new")))});
    t.window.parts().files.save();
    ASSERT_TRUE(t.idle());
    EXPECT_TRUE(QFileInfo::exists(folder.filePath(QStringLiteral("new.olab"))));
    auto* notice = t.window.findChild<NoticeBar*>();
    EXPECT_TRUE(notice->isVisibleTo(&t.window)) << "says where it went";
    EXPECT_TRUE(notice->text().endsWith(QStringLiteral("new.olab")));
}

TEST(Runs, ClosingPutsSeveralIntoOneFolderAndReplacesNothing) {
    const QTemporaryDir folder;
    QFile there(folder.filePath(QStringLiteral("run-1.olab")));
    ASSERT_TRUE(there.open(QIODevice::WriteOnly) && there.write("mine") == 4);
    there.close();
    RunsDesk t;
    ASSERT_TRUE(t.run());
    ASSERT_TRUE(t.run());
    Answers answers({press(QMessageBox::Save), [&](QWidget& dialog) {
                         auto* files = qobject_cast<QFileDialog*>(&dialog);
                         ASSERT_NE(files, nullptr);
                         EXPECT_EQ(files->fileMode(), QFileDialog::Directory);
                         files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(folder.path());
                         QMetaObject::invokeMethod(files, "accept");
                     }});
    t.window.close();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.window.isVisible(); }, kPatience));
    EXPECT_EQ(answers.asked, 2u) << "one question for both";
    EXPECT_EQ(contentOf(there.fileName()), "mine");
    for (const char* name : {"run-1-2.olab", "run-2.olab"})
        EXPECT_GT(io::readRecording(folder.filePath(QLatin1String(name)).toStdString()).trace.size(), 0u)
            << name;
}

TEST(Runs, TheWindowStaysWhenOneCannotBeSaved) {
    RunsDesk t;
    ASSERT_TRUE(t.run());
    Answers answers({press(QMessageBox::Save), nameFile(QStringLiteral("/proc/no.olab"))});
    t.window.close();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.session.busy() && answers.asked == 2; }, kPatience));
    letPass(100);
    EXPECT_TRUE(t.window.isVisible());
    EXPECT_EQ(t.runs().unsavedCount(), 1);
}

TEST(Runs, WhatIsRememberedIsKeptWithoutACleanEnd) {
    QSettings().clear();
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("recent.olab"));
    recording::saveRecording(*smallShown()->recording, path.toStdString());
    experiment::HeldExperiment wanted;
    experiment::setOption(wanted, "streams=7");
    RunsDesk t(false, true);
    t.window.form().setExperiment(wanted);
    t.chooseTheme("Theme: &dark");
    ASSERT_TRUE(t.open(path));
    EXPECT_EQ(QSettings().value(QStringLiteral("recent")).toStringList().value(0), path);
    const auto kept = [&] {
        const QSettings settings;
        return settings.value(QStringLiteral("theme")).toInt() == 2 &&
               settings.value(QStringLiteral("experiment"))
                   .toString()
                   .contains(QStringLiteral("\"streams\": 7"));
    };
    EXPECT_TRUE(QTest::qWaitFor(kept, kPatience)) << "the window is open all the time";
    t.chooseTheme("Theme: &system");
    letPass(400);
    QSettings().clear();
}

TEST(Runs, ADamagedFileSaysWhatOlabSays) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("cut.olab"));
    std::filesystem::copy_file(OLAB_SOURCE_DIR "/resources/recordings/default-h200.olab", path.toStdString());
    std::filesystem::resize_file(path.toStdString(), std::filesystem::file_size(path.toStdString()) * 2 / 3);
    RunsDesk t;
    ASSERT_TRUE(t.open(path));
    const auto* line = t.window.findChild<TrustLine*>();
    EXPECT_TRUE(line->isVisible());
    const auto defects = recording::damageOf(t.window.shown()->recording->report);
    ASSERT_FALSE(defects.empty());
    EXPECT_TRUE(
        std::ranges::any_of(defects, [](const Defect& d) { return d.code == DefectCode::TruncatedFile; }));
    EXPECT_TRUE(line->text().contains(QStringLiteral("The file ends too early")))
        << line->text().toStdString();
    ASSERT_TRUE(t.open(QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings/default-h200.olab")));
    EXPECT_FALSE(line->isVisible()) << "of a whole one there is nothing to say";
}

// What is chosen in a menu runs while the menu still waits for it, in a dialog of any depth: closed is not
// done.
TEST(Runs, AMenuLivesUntilTheNextOneIsAskedFor) {
    RunsDesk desk;
    ASSERT_TRUE(desk.run());
    QWidget& canvas = desk.window.timeline().canvas();
    QWidget& list = *desk.runs().viewport();
    for (QWidget* place : {&canvas, &list}) {
        const auto ask = [place] {
            const QPoint at(20, 20);
            QContextMenuEvent event(QContextMenuEvent::Mouse, at, place->mapToGlobal(at));
            QCoreApplication::sendEvent(place, &event);
            return QPointer<QMenu>(qobject_cast<QMenu*>(QApplication::activePopupWidget()));
        };
        const QPointer<QMenu> first = ask();
        ASSERT_NE(first, nullptr);
        first->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        letPass(20);
        EXPECT_NE(first, nullptr);
        const QPointer<QMenu> second = ask();
        EXPECT_NE(second, nullptr);
        EXPECT_EQ(first, nullptr) << "and not for ever";
        second->close();
    }
}
