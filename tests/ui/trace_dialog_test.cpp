// A program of the user's that the window records: with a stand-in for the command line, which copies a
// recording to where it was told.
#include "patience.h"
#include "test_places.h"
#include "window_states.h"

#include <olab/ui/window_options.h>

#include <tracing/trace_dialog.h>

#include <QFile>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;

namespace {

class TraceProgram : public testing::Test {
protected:
    /// `script`: what the stand-in does; $4 is the file of the recording.
    QString olab(const QByteArray& script) {
        const QString path = m_folder.filePath(QStringLiteral("olab"));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("#!/bin/sh\n" + script);
        file.close();
        EXPECT_TRUE(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        return path;
    }
    TraceWish wish() const {
        TraceWish wish;
        wish.program = QStringLiteral("./app");
        wish.folder = m_folder.path();
        return wish;
    }
    static bool ends(const TraceDialog& dialog) {
        return QTest::qWaitFor([&] { return !dialog.isRunning(); }, test::kPatience);
    }
    static QString output(const TraceDialog& dialog) {
        return dialog.findChild<QPlainTextEdit*>()->toPlainText();
    }
    QTemporaryDir m_folder;
    QWidget m_window;
};

constexpr const char* kRecords = "cp " OLAB_SOURCE_DIR "/resources/recordings/two-streams-h200.olab \"$4\"\n";

} // namespace

TEST_F(TraceProgram, WordsAreThoseOfTheCommandLine) {
    TraceWish wish = this->wish();
    wish.arguments = QStringLiteral("--name \"two words\" 3");
    wish.delay = QStringLiteral(" 2s ");
    wish.last = QStringLiteral("10s");
    wish.options = QStringLiteral("--children --capture-range nvtx:step");
    EXPECT_EQ(traceArguments(wish, QStringLiteral("/x/app.olab")),
              (QStringList{"trace", "--no-analysis", "-o", "/x/app.olab", "--delay", "2s", "--last", "10s",
                           "--children", "--capture-range", "nvtx:step", "--", "./app", "--name", "two words",
                           "3"}));
}

TEST_F(TraceProgram, ARecordingReplacesNone) {
    TraceWish wish = this->wish();
    EXPECT_EQ(freeRecordingName(wish), m_folder.filePath(QStringLiteral("app.olab")));
    QFile(m_folder.filePath(QStringLiteral("app.olab"))).open(QIODevice::WriteOnly);
    EXPECT_EQ(freeRecordingName(wish), m_folder.filePath(QStringLiteral("app-2.olab")));
    wish.program = QStringLiteral("/usr/bin/python3");
    wish.arguments = QStringLiteral("-u src/train.py");
    EXPECT_EQ(freeRecordingName(wish), m_folder.filePath(QStringLiteral("train.olab")));
}

TEST_F(TraceProgram, WhatItSaysIsSeenAndItsRecordingTold) {
    TraceDialog dialog(
        olab(QByteArray(kRecords) + "printf '\\033[1mstep 1\\033[0m\\n'; echo err >&2; exit 3\n"), &m_window);
    QSignalSpy recorded(&dialog, &TraceDialog::recorded);
    dialog.setWish(wish());
    dialog.start();
    ASSERT_TRUE(ends(dialog));
    ASSERT_EQ(recorded.count(), 1);
    EXPECT_EQ(recorded[0][0].toStringList(), QStringList{m_folder.filePath(QStringLiteral("app.olab"))});
    EXPECT_EQ(output(dialog), QStringLiteral("step 1\nerr\n"));
    EXPECT_TRUE(dialog.said().contains(QStringLiteral("exit code 3"))) << dialog.said().toStdString();
}

TEST_F(TraceProgram, WithoutARecordingNothingOpensAndThatIsSaid) {
    TraceDialog dialog(olab("echo 'Nothing was recorded.' >&2\n"), &m_window);
    QSignalSpy recorded(&dialog, &TraceDialog::recorded);
    dialog.setWish(wish());
    dialog.start();
    ASSERT_TRUE(ends(dialog));
    EXPECT_EQ(recorded.count(), 0);
    EXPECT_TRUE(dialog.said().contains(QStringLiteral("no recording"))) << dialog.said().toStdString();
}

TEST_F(TraceProgram, StopAsksFirstThenEndsIt) {
    TraceDialog dialog(olab("trap 'echo asked' INT\necho ready\nwhile :; do sleep 0.05; done\n"), &m_window);
    dialog.setWish(wish());
    dialog.start();
    const auto says = [&](const char* text) {
        return QTest::qWaitFor([&] { return output(dialog).contains(QLatin1String(text)); }, test::kPatience);
    };
    ASSERT_TRUE(says("ready"));
    dialog.stop();
    ASSERT_TRUE(says("asked")) << "and goes on";
    EXPECT_TRUE(dialog.isRunning());
    dialog.stop();
    EXPECT_TRUE(ends(dialog));
}

TEST_F(TraceProgram, OneThatWaitsIsRecordedWhenTold) {
    TraceDialog dialog(olab("case $2 in --on|--off) echo \"$*\" >> \"${0%/*}/told\"; exit 0;; esac\n"
                            "echo \"$*\"\nsleep 30 &\nwait\n"),
                       &m_window);
    TraceWish wish = this->wish();
    wish.whenTold = true;
    wish.delay = QStringLiteral("2s");
    dialog.setWish(wish);
    EXPECT_EQ(dialog.wish(), wish);
    dialog.start();
    const auto waitFor = [](auto is) { return QTest::qWaitFor(is, test::kPatience); };
    ASSERT_TRUE(waitFor([&] { return output(dialog).contains(QStringLiteral("--attach-ready -- ./app")); }))
        << output(dialog).toStdString();
    EXPECT_FALSE(output(dialog).contains(QStringLiteral("--delay")));
    const auto told = [&] {
        QFile file(m_folder.filePath(QStringLiteral("told")));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    for (const bool on : {true, false}) {
        dialog.record(on);
        const QString order = on ? QStringLiteral("trace --on ") : QStringLiteral("trace --off ");
        ASSERT_TRUE(waitFor([&] { return told().contains(order); }));
        EXPECT_GT(told().section(order, 1).section(QLatin1Char('\n'), 0, 0).toLongLong(), 0) << "a process";
    }
    dialog.stop();
    dialog.stop();
    EXPECT_TRUE(ends(dialog));
}

TEST_F(TraceProgram, ACommandLineThatIsNotThereIsSaid) {
    TraceDialog dialog(m_folder.filePath(QStringLiteral("none")), &m_window);
    dialog.setWish(wish());
    dialog.start();
    ASSERT_TRUE(ends(dialog));
    EXPECT_TRUE(output(dialog).contains(QStringLiteral("could not be started")));
    EXPECT_EQ(dialog.said(), QStringLiteral("Nothing was started."));
}
