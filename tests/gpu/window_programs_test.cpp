// The window on a GPU: a sweep that is measured there, and a program of the user's whose last seconds are
// seen.
#include "gpu_window.h"

#include <olab/sweep/grid.h>
#include <olab/sweep/sweep.h>
#include <olab/ui/window_options.h>

#include <sweep/sweep_page.h>
#include <tracing/trace_dialog.h>
#include <tracing/watch_page.h>
#include <window/rooms/sweep_room.h>
#include <window/rooms/trace_room.h>
#include <window/window_parts.h>

#include <QComboBox>
#include <QFileInfo>
#include <QLineEdit>
#include <QSpinBox>
#include <QTemporaryDir>

#include <cstdio>

using namespace olab;
using namespace olab::test;

namespace {

/// A program of tests/truth/programs, which lies beside olab.
ui::TraceWish loopIn(const QString& folder) {
    ui::TraceWish wish;
    wish.program = QFileInfo(QString::fromStdString(run::findOlab()))
                       .dir()
                       .filePath(QStringLiteral("olab_gpu_programs"));
    wish.arguments = QStringLiteral("plain cuda_one_stream bad --iterations 1500");
    wish.folder = folder;
    return wish;
}

void tellCells(const sweep::Sweep& swept) {
    for (std::size_t cell = 0; cell < swept.cells.size(); ++cell)
        std::printf("%s: %.3f ms, %+.1f %% of the prediction\n", sweep::cellText(swept.grid, cell).c_str(),
                    static_cast<double>(swept.cells[cell].time().value_or(0)) / 1e6,
                    100 * swept.cells[cell].off().value_or(0));
}

} // namespace

TEST(GpuWindow, ASweepIsMeasuredOnTheGpu) {
    GpuWindow t;
    ui::SweepRoom& room = *t.window.parts().sweep;
    room.showPage();
    ui::SweepSetup& setup = room.page().setup();
    setup.values(0).setText(QStringLiteral("1,2,4,8"));
    setup.key(1).setCurrentIndex(setup.key(1).findData(QStringLiteral("h2d.bytes")));
    setup.values(1).setText(QStringLiteral("4MiB,16MiB"));
    setup.repeatBox().setValue(3);
    t.press("sweepStart");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !room.isRunning(); }, kGpuPatience));
    t.settle();
    const sweep::Sweep* swept = room.page().sweep();
    ASSERT_TRUE(swept);
    ASSERT_EQ(swept->cells.size(), 8u);
    for (std::size_t cell = 0; cell < swept->cells.size(); ++cell) {
        EXPECT_EQ(swept->state(cell), sweep::CellState::Measured) << cell << swept->cells[cell].failed;
        EXPECT_EQ(swept->cells[cell].times.size(), 3u) << cell;
    }
    EXPECT_FALSE(room.page().sentences().contains(QStringLiteral("imulated:")));
    tellCells(*swept);
    std::printf("%s\n", qPrintable(room.page().sentences()));
    t.keepPicture("sweep");
}

TEST(GpuWindow, TheLastSecondsOfAProgramAreSeenWhileItRuns) {
    GpuWindow t;
    const QTemporaryDir folder;
    ui::TraceRoom& room = *t.window.parts().tracing;
    room.dialog().setWish(loopIn(folder.path()));
    room.dialog().start();
    ASSERT_TRUE(room.dialog().isRunning());
    const auto shown = [&] { return room.page().shown(); };
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown() && shown()->account(); }, kGpuPatience))
        << qPrintable(room.page().said());
    EXPECT_EQ(shown()->recording->badge(), "TRACED");
    EXPECT_TRUE(room.dialog().isRunning()) << "it is seen before it ends";
    const view::ViewDataPtr first = shown();
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return shown() != first || !room.dialog().isRunning(); }, kGpuPatience));
    EXPECT_NE(shown(), first) << "and once a second anew";
    t.keepPicture("watch");
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.shown() && !t.session.busy(); }, kGpuPatience))
        << qPrintable(room.dialog().said());
    const auto& recording = *t.window.shown()->recording;
    EXPECT_EQ(recording.badge(), "TRACED");
    EXPECT_TRUE(t.window.shown()->account());
    std::printf("%zu activities, %zu defects\n", t.window.shown()->trace().size(),
                t.window.shown()->trace().defects().size());
    t.keepPicture("traced");
}
