// The idle times above the timeline, where there is no account.
#include "import/chrome_text.h"
#include "patience.h"
#include "results/summary_lines.h"

#include <olab/sim/sim_backend.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <gtest/gtest.h>

#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

namespace olab::ui {
namespace {

std::string kernelAt(int begin) {
    return R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": )" + std::to_string(begin) +
           R"(, "dur": 100, "args": {"device": 0, "context": 1, "stream": 7}})";
}

TEST(IdleLine, SaysTheIdleTimeAndAClickOnAGapShowsIt) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("uncalled.json"));
    std::ofstream(path.toStdString()) << testing_import::object(
        kernelAt(100) + ",\n" + kernelAt(1100) + ",\n" + kernelAt(1250), "\"schemaVersion\": 1, ");
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window{session, {.remember = false, .askBeforeClose = false}};
    window.resize(1280, 720);
    window.show();
    const auto* line = window.findChild<IdleLine*>();
    ASSERT_NE(line, nullptr);
    EXPECT_FALSE(line->isVisible());
    const QSignalSpy shown(&window, &MainWindow::recordingShown);
    window.open(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown.count() > 0; }, test::kPatience));
    EXPECT_TRUE(line->isVisible());
    EXPECT_TRUE(line->text().startsWith(QStringLiteral("GPU 0 was idle for 950 µs of 1.25 ms")))
        << qPrintable(line->text());
    auto* gap = line->findChild<QPushButton*>(QStringLiteral("idleGap0"));
    ASSERT_TRUE(gap && gap->isVisible());
    EXPECT_TRUE(gap->text().startsWith(QStringLiteral("900 µs"))) << qPrintable(gap->text());
    EXPECT_FALSE(line->findChild<QPushButton*>(QStringLiteral("idleGap2"))->isVisible()) << "there are two";
    line->findChild<QPushButton*>(QStringLiteral("idleGap1"))->click();
    TimelineCanvas& canvas = window.timeline().canvas();
    EXPECT_LT(canvas.viewport().visible().length(), 200'000) << "it and a little beside it";
    EXPECT_GE(canvas.viewport().visible().length(), 50'000);
    auto* idle = window.findChild<QPushButton*>(QStringLiteral("gpuIdle"));
    ASSERT_TRUE(idle && idle->isVisible());
    EXPECT_EQ(idle->text(), QStringLiteral("GPU idle 76 %"));
    idle->click();
    ASSERT_TRUE(canvas.selection().gap());
    EXPECT_EQ(canvas.selection().gap()->time.length(), 900'000) << "the longest";
    EXPECT_LE(canvas.viewport().visible().length(), 1'400'000);
    QTest::keyClick(&canvas, Qt::Key_BracketRight);
    ASSERT_TRUE(canvas.selection().gap());
    EXPECT_EQ(canvas.selection().gap()->time.length(), 50'000) << "the next one";
}

} // namespace
} // namespace olab::ui
