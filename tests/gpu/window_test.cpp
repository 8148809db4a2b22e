// The window on a GPU: what a person runs there is measured there, and says so.
#include "usual_look.h"

#include <olab/run/child_backend.h>
#include <olab/sim/sim_backend.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

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

constexpr int kPatience = 120'000; // of a claim that takes several runs

struct GpuWindow {
    GpuWindow() {
        window.resize(1280, 720);
        window.show();
        session.probeGpu();
        const bool answered = QTest::qWaitFor([this] { return session.gpu().known; }, kPatience);
        EXPECT_TRUE(answered && session.gpu().usable) << qPrintable(session.gpu().why);
        session.setBackend(ui::BackendChoice::Gpu);
        settle();
    }
    static void settle() {
        for (int i = 0; i < 3; ++i)
            QCoreApplication::processEvents();
    }
    bool waitForEnd() {
        const bool came = QTest::qWaitFor([this] { return !session.busy(); }, kPatience);
        settle();
        return came;
    }
    QWidget* visible(const char* name) {
        for (auto* widget : window.findChildren<QWidget*>(QLatin1String(name)))
            if (widget->isVisible())
                return widget;
        return nullptr;
    }
    void press(const char* name) {
        auto* button = qobject_cast<QAbstractButton*>(visible(name));
        ASSERT_NE(button, nullptr) << name;
        ASSERT_TRUE(button->isEnabled()) << name;
        button->click();
        settle();
    }
    /// The first answer of the step that is shown, or its bars as they lie; then its run.
    void predictAndRun() {
        if (QWidget* bars = visible("bars"))
            QTest::keyClick(bars, Qt::Key_Return);
        else
            press("answer0");
        press("lessonForward");
        ASSERT_TRUE(
            QTest::qWaitFor([this] { return !session.busy() && !room().state().running; }, kPatience));
        settle();
    }
    ui::LessonRoom& room() { return window.lessons(); }

    UsualLook look;
    ui::Session session{{[] { return std::make_unique<sim::SimBackend>(); }, run::findOlab()}};
    ui::MainWindow window{session, {.remember = false, .askBeforeClose = false, .keepToScreen = false}};
};

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
