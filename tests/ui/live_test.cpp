// Live: passes roll by, and what is changed in the form is in the next one.
#include "patience.h"
#include "test_places.h"
#include "window_states.h"

#include <live/live_page.h>
#include <results/inspector.h>
#include <window/messages/messages.h>
#include <window/window_parts.h>

#include <olab/ui/experiment_form.h>

#include <QPushButton>
#include <QTest>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

struct LiveWindow : StatefulWindow {
    LiveWindow() {
        window.setFocus();
        QTest::keyClick(&window, Qt::Key_L);
        settle();
    }
    LivePage* page() { return window.findChild<LivePage*>(QStringLiteral("live")); }
    bool waitForPass(int number) {
        return QTest::qWaitFor(
            [&] { return page() && page()->newest() && page()->newest()->pass.number >= number; }, kPatience);
    }
    bool waitUntilEnded() {
        return QTest::qWaitFor([&] { return !session.busy(); }, kPatience);
    }
    ExperimentForm& form() { return *window.findChild<ExperimentForm*>(); }
    void change(const char* option) {
        experiment::HeldExperiment next = form().experiment();
        experiment::setOption(next, option);
        form().setExperiment(next);
    }
};

TEST(Live, PassesComeAndRoll) {
    LiveWindow t;
    ASSERT_NE(t.page(), nullptr);
    ASSERT_TRUE(t.waitForPass(3));
    EXPECT_GE(t.page()->roll().passes(), 2u);
    EXPECT_TRUE(t.page()->isVisible());
    EXPECT_TRUE(t.session.busy());
}

TEST(Live, AChangeOfTheFormIsInTheNextPassAndMarked) {
    LiveWindow t;
    ASSERT_TRUE(t.waitForPass(2));
    t.change("h2d.memory=pageable");
    const int asked = t.page()->newest()->pass.number;
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.page()->roll().marks().isEmpty(); }, kPatience));
    EXPECT_EQ(t.page()->roll().marks().first(), QStringLiteral("h2d.memory pinned → pageable"));
    EXPECT_LE(t.page()->newest()->pass.number, asked + 2);
}

TEST(Live, SpaceStopsAndGoesOnAndWhatIsSeenStays) {
    LiveWindow t;
    ASSERT_TRUE(t.waitForPass(2));
    QTest::keyClick(t.page(), Qt::Key_Space);
    ASSERT_TRUE(t.waitUntilEnded());
    const LiveNewsPtr seen = t.page()->newest();
    EXPECT_TRUE(seen);
    EXPECT_TRUE(t.page()->isVisible());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.page()->roll().isMoving(); }, kPatience));
    QTest::keyClick(t.page(), Qt::Key_Space);
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.page()->newest() && t.page()->newest() != seen; }, kPatience));
}

TEST(Live, TheNewestPassBecomesARun) {
    LiveWindow t;
    ASSERT_TRUE(t.waitForPass(2));
    QTest::keyClick(t.page(), Qt::Key_K);
    ASSERT_TRUE(t.waitUntilEnded());
    t.settle();
    EXPECT_FALSE(t.page()->isVisible());
    EXPECT_TRUE(t.window.windowTitle().startsWith(QStringLiteral("Pass ")))
        << t.window.windowTitle().toStdString();
}

TEST(Live, AFileThatIsOpenedEndsIt) {
    LiveWindow t;
    ASSERT_TRUE(t.waitForPass(2));
    t.window.open(QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings/default-h200.olab"));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return t.window.windowTitle().contains(QStringLiteral("default-h200")); }, kPatience));
    t.settle();
    EXPECT_FALSE(t.page()->isVisible());
    EXPECT_FALSE(t.session.busy());
}

TEST(Live, EscStopsItAndEscAgainLeavesIt) {
    LiveWindow t;
    ASSERT_TRUE(t.waitForPass(1));
    QTest::keyClick(t.page(), Qt::Key_Escape);
    ASSERT_TRUE(t.waitUntilEnded());
    EXPECT_TRUE(t.page()->isVisible());
    QTest::keyClick(t.page(), Qt::Key_Escape);
    t.settle();
    EXPECT_FALSE(t.page()->isVisible());
}

TEST(Live, SimulatedPassesAreMarkedSo) {
    LiveWindow t;
    ASSERT_TRUE(t.waitForPass(1));
    bool marked = false;
    for (const QLabel* label : t.page()->findChildren<QLabel*>())
        marked = marked || label->text().contains(QStringLiteral("SIMULATED"));
    EXPECT_TRUE(marked);
}

TEST(Live, NothingBesideItIsOfAnotherRun) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("pageable-h200"));
    QTest::keyClick(&t.window, Qt::Key_L);
    t.settle();
    const auto* const page = t.window.findChild<LivePage*>(QStringLiteral("live"));
    ASSERT_TRUE(page && page->isVisible());
    EXPECT_FALSE(t.window.findChild<Inspector*>()->isVisible());
    EXPECT_FALSE(t.window.findChild<StatusLine*>()->isVisible());
    EXPECT_TRUE(t.window.findChild<ExperimentForm*>()->isVisible());
}

} // namespace
