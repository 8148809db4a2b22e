// The window on a GPU: what a person runs there is measured there, and says so.
#include "gpu_window.h"

#include <claims/claims_page.h>
#include <lessons/lesson_panel.h>
#include <olab/lesson/lesson_file.h>
#include <window/rooms/claims_room.h>
#include <window/rooms/lesson_room.h>

#include <QAbstractButton>
#include <QLabel>
#include <QTest>

#include <gtest/gtest.h>

#include <cstdio>

using namespace olab;
using namespace olab::test;

namespace {

QString wordsOf(const QWidget& widget) {
    QStringList all;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        all << label->text();
    return all.join(QLatin1Char('\n'));
}

} // namespace

TEST(GpuWindow, AClaimThatIsRunAgainIsMeasuredOnTheGpu) {
    GpuWindow t;
    ui::ClaimsRoom& claims = t.window.claims();
    for (const char* id : {"000-17", "000-2", "003-15"}) {
        ASSERT_TRUE(claims.showClaim(id));
        t.settle();
        t.press("claimRunAgain");
        ASSERT_TRUE(t.waitForEnd());
        ASSERT_NE(claims.results().here(id), nullptr) << id;
        const QString words = wordsOf(*claims.page().view().widget());
        EXPECT_FALSE(words.contains(QStringLiteral("SIMULATED"))) << id;
        EXPECT_TRUE(words.contains(QStringLiteral("RECORDED")))
            << "the evidence that came along stays: " << id;
        std::printf("%s: %s\n", id, qPrintable(words.left(600)));
    }
}

TEST(GpuWindow, ARunOfAnExperimentOfAClaimIsLive) {
    GpuWindow t;
    ASSERT_TRUE(t.window.claims().showClaim("000-2"));
    t.settle();
    t.press("run E01.h2d");
    ASSERT_TRUE(t.waitForEnd());
    ASSERT_NE(t.window.shown(), nullptr);
    EXPECT_EQ(t.window.shown()->recording->badge(), "") << "neither simulated nor recorded";
}

TEST(GpuWindow, ALessonIsWorkedThroughWithRunsOfTheGpu) {
    for (const char* id : {"memset-is-a-kernel", "null-stream", "pinned-or-pageable"}) {
        GpuWindow t;
        const lesson::Lesson* lesson = lesson::findShippedLesson(id);
        ASSERT_NE(lesson, nullptr);
        t.room().start(*lesson, QLatin1String(id));
        for (std::size_t step = 0; step < lesson->steps.size(); ++step) {
            t.settle();
            ASSERT_EQ(t.room().state().step, step) << id;
            t.predictAndRun();
            ASSERT_TRUE(t.room().state().outcome.has_value()) << id << " step " << step;
            ASSERT_NE(t.window.shown(), nullptr);
            EXPECT_EQ(t.window.shown()->recording->badge(), "") << id << " step " << step;
            for (const lesson::CheckOutcome& said : t.room().state().outcome->checks)
                EXPECT_EQ(said.outcome, lesson::Outcome::Holds)
                    << id << " step " << step << ": " << said.text << " " << said.found;
            std::printf("%s %zu: %s, %s\n", id, step, qPrintable(t.room().state().origin),
                        qPrintable(t.room().state().headline));
            t.press("lessonForward");
        }
    }
}
