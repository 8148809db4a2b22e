// Sweeps in the window: predicted without a GPU, measured in child processes with one, kept and gone on with.
#include "patience.h"
#include "window_states.h"

#include "test_places.h"

#include <olab/sim/sim_backend.h>
#include <olab/sweep/sweep_document.h>

#include <sweep/sweep_map.h>
#include <sweep/sweep_page.h>
#include <window/rooms/sweep_room.h>
#include <window/runs/runs.h>
#include <window/window_parts.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

/// A window whose sweep page is open.
struct SweepWindow {
    explicit SweepWindow(MainWindow& of, Session& with)
        : window(of)
        , session(with) {
        room().showPage();
        settle();
    }
    SweepRoom& room() { return *window.parts().sweep; }
    SweepPage& page() { return room().page(); }
    const sweep::Sweep* sweep() { return page().sweep(); }
    void press(const char* button) {
        page().findChild<QPushButton*>(QLatin1String(button))->click();
        settle();
    }
    bool waitUntilDone() {
        const bool done = QTest::qWaitFor([&] { return !room().isRunning(); }, kPatience);
        settle();
        return done;
    }
    static void settle() { StatefulWindow::settle(); }
    MainWindow& window;
    Session& session;
};

struct SimulatedSweep : StatefulWindow {
    SweepWindow t{window, session};
};

/// The simulator in child processes, as the window sees a GPU.
struct ChildSweep {
    ChildSweep() {
        session.setBackend(BackendChoice::Gpu);
        window.resize(1280, 800);
        window.show();
    }
    UsualLook look;
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, OLAB_PROGRAM, {"--sim"}}};
    MainWindow window{session, {.remember = false, .askBeforeClose = false}};
    SweepWindow t{window, session};
};

std::set<QRgb> coloursIn(const QImage& image, const QRectF& box) {
    std::set<QRgb> found;
    for (int y = static_cast<int>(box.top()) + 2; y < box.bottom() - 2; ++y)
        for (int x = static_cast<int>(box.left()) + 2; x < box.right() - 2; ++x)
            found.insert(image.pixel(x, y));
    return found;
}

TEST(SweepMap, WithoutASweepSaysWhatToDo) {
    SweepMap map({});
    map.resize(500, 300);
    map.setSweep(nullptr, {});
    const QImage image = map.grab().toImage();
    int written = 0;
    for (int x = 0; x < image.width(); ++x)
        for (int y = 0; y < image.height(); ++y)
            written += image.pixel(x, y) != image.pixel(0, 0);
    EXPECT_GT(written, 500);
}

TEST(SweepPage, TheSimulatorFillsTheMapAndItSaysSo) {
    SimulatedSweep w;
    SweepWindow& t = w.t;
    t.page().setup().key(1).setCurrentIndex(t.page().setup().key(1).findData(QStringLiteral("h2d.bytes")));
    EXPECT_EQ(t.page().setup().values(1).text(), QStringLiteral("4MiB..64MiB*2")) << "proposed";
    t.press("sweepStart");
    ASSERT_TRUE(t.waitUntilDone());
    ASSERT_NE(t.sweep(), nullptr);
    ASSERT_EQ(t.sweep()->cells.size(), 30u);
    for (std::size_t i = 0; i < 30; ++i) {
        EXPECT_EQ(t.sweep()->state(i), sweep::CellState::Simulated);
        EXPECT_TRUE(cellLabel(*t.sweep(), i, t.page().figure()).startsWith(QLatin1Char('~')));
    }
    EXPECT_EQ(t.page().figure(), sweep::Figure::Rate) << "sizes vary";
    EXPECT_TRUE(t.page()
                    .findChild<QLabel*>(QStringLiteral("sweepTitle"))
                    ->text()
                    .contains(QStringLiteral("SIMULATED")));
    EXPECT_TRUE(t.page().sentences().contains(QStringLiteral("Simulated: Beyond streams=")))
        << t.page().sentences().toStdString();
    EXPECT_TRUE(QString::fromStdString(t.sweep()->basis).contains(QStringLiteral("simulator")));
}

TEST(SweepPage, CellsAreDrawnWithTheirValuesAndTheChosenOneIsSaid) {
    SimulatedSweep w;
    SweepWindow& t = w.t;
    t.page().setup().values(0).setText(QStringLiteral("1,2,4"));
    t.press("sweepStart");
    ASSERT_TRUE(t.waitUntilDone());
    const QImage seen = t.page().map().grab().toImage();
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_GT(coloursIn(seen, t.page().map().rectOf(i)).size(), 2u) << "a fill and letters in cell " << i;
    const auto fillOf = [&](std::size_t i) {
        return seen.pixelColor((t.page().map().rectOf(i).bottomLeft() + QPointF(4, -4)).toPoint());
    };
    EXPECT_NE(fillOf(0), fillOf(2)) << "the longest and the shortest";
    t.page().map().setFocus();
    QTest::keyClick(&t.page().map(), Qt::Key_Right);
    ASSERT_EQ(t.page().map().current(), 1u);
    EXPECT_TRUE(t.page().map().accessibleDescription().startsWith(QStringLiteral("streams=2: simulated")))
        << t.page().map().accessibleDescription().toStdString();
    QTest::mouseMove(&t.page().map(), t.page().map().rectOf(2).center().toPoint());
    SweepWindow::settle();
    EXPECT_EQ(t.page().map().cellAt(t.page().map().rectOf(2).center()), 2u);
    EXPECT_EQ(t.page().chart().line().cells.size(), 3u);
    EXPECT_FALSE(t.page().chart().accessibleName().isEmpty());
}

TEST(SweepPage, EveryTextInACellReadsOnItsFillInBothThemes) {
    for (const Theme* theme : {&Theme::light(), &Theme::darkTheme()})
        for (const bool isSigned : {false, true})
            for (int i = -10; i <= 10; ++i) {
                const SweepScale scale{isSigned ? -10.0 : 0.0, 10, isSigned};
                if (!isSigned && i < 0)
                    continue;
                const QColor fill = scale.colour(i, *theme);
                EXPECT_GE(contrastRatio(fill, inkInCell(fill)), 4.5) << i << ' ' << fill.name().toStdString();
            }
}

TEST(SweepPage, WhatDoesNotReadIsSaidAndNothingRuns) {
    SimulatedSweep w;
    SweepWindow& t = w.t;
    t.page().setup().values(0).setText(QStringLiteral("1,x"));
    t.press("sweepStart");
    EXPECT_FALSE(t.room().isRunning());
    const auto* problem = t.page().findChild<QLabel*>(QStringLiteral("sweepProblem"));
    EXPECT_TRUE(problem->isVisible());
    EXPECT_TRUE(problem->text().contains(QStringLiteral("streams"))) << problem->text().toStdString();
}

TEST(SweepPage, AClickOpensTheRunOfASimulatedCell) {
    SimulatedSweep w;
    SweepWindow& t = w.t;
    t.page().setup().values(0).setText(QStringLiteral("1,2"));
    t.press("sweepStart");
    ASSERT_TRUE(t.waitUntilDone());
    QTest::mouseClick(&t.page().map(), Qt::LeftButton, {}, t.page().map().rectOf(0).center().toPoint());
    ASSERT_TRUE(QTest::qWaitFor([&] { return w.window.shown() != nullptr; }, kPatience));
    SweepWindow::settle();
    EXPECT_EQ(experiment::optionText(*w.window.shown()->recording->experiment, "streams"), "1");
    EXPECT_EQ(w.window.shown()->recording->badge(), "SIMULATED");
    EXPECT_FALSE(t.page().isVisible());
    t.room().showPage();
    EXPECT_EQ(t.sweep()->cells.size(), 2u) << "the map is still there";
}

TEST(SweepPage, MeasuredCellsTakeThePlaceOfPredictionsAndAddRepeats) {
    ChildSweep w;
    SweepWindow& t = w.t;
    t.page().setup().values(0).setText(QStringLiteral("1,2"));
    t.page().setup().repeatBox().setValue(2);
    t.press("sweepStart");
    ASSERT_TRUE(t.waitUntilDone());
    ASSERT_NE(t.sweep(), nullptr);
    for (const sweep::Cell& cell : t.sweep()->cells) {
        EXPECT_EQ(cell.times.size(), 2u);
        EXPECT_TRUE(cell.predicted && cell.numbers && cell.off());
        EXPECT_FALSE(cell.file.empty()) << "its recording is on the disk";
    }
    EXPECT_EQ(t.sweep()->state(0), sweep::CellState::Simulated) << "by the simulator, in whatever process";
    const std::vector<Ns> before = t.sweep()->cells[0].times;
    t.page().setup().repeatBox().setValue(3);
    t.press("sweepStart");
    ASSERT_TRUE(t.waitUntilDone());
    ASSERT_EQ(t.sweep()->cells[0].times.size(), 3u);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), t.sweep()->cells[0].times.begin()));
    QTest::mouseClick(&t.page().map(), Qt::LeftButton, {}, t.page().map().rectOf(1).center().toPoint());
    ASSERT_TRUE(QTest::qWaitFor([&] { return w.window.shown() != nullptr; }, kPatience));
    EXPECT_EQ(experiment::optionText(*w.window.shown()->recording->experiment, "streams"), "2");
}

TEST(SweepPage, StopsAndGoesOn) {
    ChildSweep w;
    SweepWindow& t = w.t;
    t.page().setup().values(0).setText(QStringLiteral("1..12"));
    t.page().setup().repeatBox().setValue(4);
    t.press("sweepStart");
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.sweep() && t.sweep()->measured() >= 2; }, kPatience));
    t.press("sweepStart");
    ASSERT_TRUE(t.waitUntilDone());
    const std::size_t stoppedAt = t.sweep()->measured();
    EXPECT_LT(stoppedAt, 12u) << "it was stopped";
    EXPECT_EQ(t.page().findChild<QPushButton*>(QStringLiteral("sweepStart"))->text(),
              QStringLiteral("Go on"));
    t.page().setup().repeatBox().setValue(1);
    t.press("sweepStart");
    ASSERT_TRUE(t.waitUntilDone());
    EXPECT_EQ(t.sweep()->measured(), 12u);
}

TEST(SweepPage, AKeptSweepIsOpenedWithoutAGpuAndExported) {
    QTemporaryDir folder;
    {
        const std::string command = std::string(OLAB_PROGRAM) + " sweep --backend sim-engine --keep -o " +
                                    folder.path().toStdString() +
                                    "/s --vary streams=1,2 --vary kernel.us=100,200 >/dev/null 2>&1";
        ASSERT_EQ(std::system(command.c_str()), 0);
    }
    SimulatedSweep w;
    SweepWindow& t = w.t;
    w.window.open(folder.path() + QStringLiteral("/s"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.sweep() && !t.room().isRunning(); }, kPatience));
    SweepWindow::settle();
    EXPECT_EQ(t.sweep()->measured(), 4u);
    EXPECT_EQ(t.page().setup().values(1).text(), QStringLiteral("100,200"));
    const QByteArray csv = t.room().fileOfSweep(QStringLiteral("x.csv"));
    EXPECT_EQ(csv.toStdString(), sweep::sweepToCsv(*t.sweep()));
    EXPECT_EQ(csv.count('\n'), 5);
    EXPECT_TRUE(t.room().fileOfSweep(QStringLiteral("x.json")).startsWith("{"));
    const QImage picture = QImage::fromData(t.room().fileOfSweep(QStringLiteral("x.png")));
    EXPECT_GT(picture.height(), 300);
    EXPECT_THROW((void)t.room().fileOfSweep(QStringLiteral("x.doc")), Error);
    t.page().setup().values(0).setText(QStringLiteral("1,2,4"));
    t.press("sweepStart");
    ASSERT_TRUE(t.waitUntilDone());
    EXPECT_EQ(t.sweep()->cells.size(), 6u);
    EXPECT_EQ(t.sweep()->measured(), 4u) << "what was measured stays, beside new predictions";
}

TEST(SweepPage, AThousandCellsHoldLittleMemory) {
    sweep::Grid grid;
    grid.axes = {sweep::axisFrom("streams=1..40"), sweep::axisFrom("kernel.us=100..2500+100")};
    sweep::Sweep sweep = sweep::emptySweep(grid);
    ASSERT_EQ(sweep.cells.size(), 1000u);
    sim::SimBackend simulator;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < 1000; i += 97) {
        const auto run =
            recording::runExperiment(sweep::experimentOf(grid, i), {&simulator, nullptr}, "", RunControl());
        const sweep::CellNumbers numbers = sweep::cellNumbersOf(run->report, false);
        bytes =
            std::max(bytes, sizeof(sweep::Cell) + 2 * (numbers.causes.capacity() * sizeof(sweep::CauseCost) +
                                                       numbers.pairs.capacity() * sizeof(sweep::PairShare)));
    }
    EXPECT_LT(2 * 1000 * bytes, std::size_t{10} << 20) << "in the engine and in the window, of 100 MiB";
}

} // namespace
