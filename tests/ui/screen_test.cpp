// The window on small screens: it starts within them, nothing makes it grow out of them, and large type
// leaves what matters in sight.
#include "window_states.h"

#include <olab/sim/sim_backend.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <base/kept_inside.h>
#include <results/findings_page.h>
#include <timeline/rows/row_layout.h>
#include <timeline/rows/timeline_rows.h>

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

constexpr QSize kTwiceAsDense(956, 500); // what a desktop leaves of 1920x1080 at 200 %
constexpr QSize kProjector(1276, 686);   // and of 1280x720

/// Of an action of the window, by what it says.
void choose(const MainWindow& window, const QString& text) {
    for (QAction* action : window.findChildren<QAction*>())
        if (QString(action->text()).remove(QLatin1Char('&')) == text)
            return action->trigger();
    ADD_FAILURE() << "there is no " << qPrintable(text);
}

int wholeLanes(const TimelineCanvas& canvas) {
    int count = 0;
    for (const Row& row : canvas.rows().layout().rows) {
        const int top = canvas.rows().layout().screenTop(row, canvas.rows().scroll());
        count += row.kind != Row::Kind::Group && top >= 0 && top + row.height <= canvas.height();
    }
    return count;
}

/// Lines of the first finding's text that are in sight.
int linesOfTopFinding(const MainWindow& window) {
    const auto& page = *window.findChild<FindingsPage*>();
    const auto* card = page.findChild<QWidget*>(QStringLiteral("card"));
    if (!card || !card->isVisible())
        return 0;
    int lines = 0;
    for (const QLabel* label : card->findChildren<QLabel*>()) {
        const QRect place(label->mapTo(page.viewport(), QPoint()), label->size());
        const int seen = (place & page.viewport()->rect()).height();
        lines = std::max(lines, seen / label->fontMetrics().lineSpacing());
    }
    return lines;
}

void expectSmallEnough(const MainWindow& window, const char* state) {
    const QSize least = window.minimumSizeHint().expandedTo(window.minimumSize());
    EXPECT_LE(least.width(), kTwiceAsDense.width()) << state;
    EXPECT_LE(least.height(), kTwiceAsDense.height()) << state;
}

} // namespace

TEST(KeptInside, IsSmallerAndMovedAsLittleAsItTakes) {
    const QRect room(10, 20, 1000, 700);
    EXPECT_EQ(keptInside({50, 60, 300, 200}, room), QRect(50, 60, 300, 200)) << "fits";
    EXPECT_EQ(keptInside({50, 60, 1440, 860}, room), room);
    EXPECT_EQ(keptInside({900, 600, 300, 200}, room), QRect(710, 520, 300, 200));
    EXPECT_EQ(keptInside({-400, -300, 300, 900}, room), QRect(10, 20, 300, 700));
}

TEST(Screen, ANewWindowLiesWithinIt) {
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window(session, {.remember = false, .askBeforeClose = false});
    window.show();
    StatefulWindow::settle();
    const QRect room = window.screen()->availableGeometry();
    ASSERT_LT(room.width(), 1440) << "the screen of the test is a small one";
    EXPECT_TRUE(room.contains(window.frameGeometry()));
    MainWindow picture(session, {.remember = false, .askBeforeClose = false, .keepToScreen = false});
    EXPECT_EQ(picture.size(), QSize(1440, 860)) << "a picture is on no screen";
}

TEST(Screen, ARememberedWindowLiesWithinIt) {
    QSettings().clear();
    {
        Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
        MainWindow window(session, {.remember = true, .askBeforeClose = false});
        window.setGeometry(300, 200, 790, 790);
        window.show();
        StatefulWindow::settle();
        window.close();
    }
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window(session, {.remember = true, .askBeforeClose = false});
    window.show();
    StatefulWindow::settle();
    EXPECT_TRUE(window.screen()->availableGeometry().contains(window.frameGeometry()))
        << window.x() << ' ' << window.y() << ' ' << window.width() << ' ' << window.height();
    window.close();
    QSettings().clear();
}

TEST(Screen, NothingAddsUpToMoreThanASmallOne) {
    for (const bool large : {false, true}) {
        StatefulWindow t(kTwiceAsDense);
        SCOPED_TRACE(large ? "projector" : "desk");
        t.window.setProjector(large);
        t.settle();
        expectSmallEnough(t.window, "empty");
        ASSERT_TRUE(t.run());
        expectSmallEnough(t.window, "a simulated run, which says how far to trust it");
        ASSERT_TRUE(t.open("two-gpus-p2p-h200"));
        expectSmallEnough(t.window, "the verdicts of two devices");
        if (large) {
            choose(t.window, QStringLiteral("Experiment panel"));
            choose(t.window, QStringLiteral("Pages below the timeline"));
            t.settle();
            expectSmallEnough(t.window, "with form and pages");
        }
        for (int i = 0; i < 3; ++i)
            t.window.showError(
                {ErrorKind::Usage, "test",
                 "Something went wrong that takes a sentence of some length to be told in full.",
                 "Do it again, and look at what the log says of it."});
        t.settle();
        expectSmallEnough(t.window, "with errors");
        ASSERT_TRUE(t.compareTwo());
        expectSmallEnough(t.window, "compared");
        EXPECT_EQ(t.window.size(), kTwiceAsDense) << "it never grew";
    }
}

TEST(Screen, AProjectorKeepsFourLanesAndTheTopFindingBesideTheForm) {
    bool dark = false;
    for (const char* recording : {"full-grid-h200", "default-h200", "pageable-h200", ""}) {
        SCOPED_TRACE(*recording ? recording : "a simulated run");
        StatefulWindow t(kProjector);
        t.window.setTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        dark = !dark;
        experiment::HeldExperiment pageable;
        for (const char* key : {"h2d.memory", "d2h.memory"}) // has a finding
            experiment::setOption(pageable, key, "pageable");
        t.window.form().setExperiment(pageable);
        ASSERT_TRUE(*recording ? t.open(recording) : t.run());
        t.window.setProjector(true);
        t.settle();
        EXPECT_GE(wholeLanes(t.window.timeline().canvas()), 4);
        choose(t.window, QStringLiteral("Experiment panel"));
        choose(t.window, QStringLiteral("Pages below the timeline"));
        t.window.showPage(QStringLiteral("findings"));
        t.settle();
        EXPECT_TRUE(t.window.form().isVisible());
        EXPECT_GE(wholeLanes(t.window.timeline().canvas()), 4);
        EXPECT_GE(linesOfTopFinding(t.window), 2);
        EXPECT_EQ(t.window.size(), kProjector);
    }
}

TEST(Screen, WhatMadeRoomForTheFormComesBackAtTheDesk) {
    StatefulWindow t(kProjector);
    const auto widthsOf = [&] { return t.window.findChild<QSplitter*>(QStringLiteral("columns"))->sizes(); };
    const QList<int> desk = widthsOf();
    t.window.setProjector(true);
    t.settle();
    choose(t.window, QStringLiteral("Experiment panel"));
    t.settle();
    EXPECT_EQ(widthsOf().last(), 0) << "inspector and runs make room";
    choose(t.window, QStringLiteral("Inspector and runs"));
    t.settle();
    EXPECT_GT(widthsOf().last(), 0);
    EXPECT_EQ(widthsOf().first(), 0) << "they take turns";
    choose(t.window, QStringLiteral("Experiment panel"));
    t.window.setProjector(false);
    t.settle();
    EXPECT_EQ(widthsOf(), desk);
}
