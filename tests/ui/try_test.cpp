// "Try it": the comparison belongs to the run that was started for it, whatever else happens meanwhile. And
// runs that raced: what the window says belongs to the run that is shown.
#include "patience.h"
#include "test_places.h"

#include <olab/experiment/plan.h>
#include <olab/experiment/presets.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/trace_builder.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <results/compare_page.h>
#include <results/findings_page.h>
#include <window/messages/message_bars.h>
#include <window/messages/messages.h>
#include <window/runs/runs.h>
#include <window/window_parts.h>

#include <QAbstractButton>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace olab;
using namespace olab::ui;

namespace {

/// The simulator; while it is held it waits, and when it fails it says so.
class HeldBackend final : public experiment::Backend {
public:
    struct Orders {
        std::atomic<bool> held{false}, fails{false};
    };
    explicit HeldBackend(const Orders& orders)
        : m_orders(orders) {}
    void run(const experiment::Plan& schedule, const experiment::RunOptions& options, RecordSink& out,
             const RunControl& control) override {
        while (m_orders.held) {
            control.throwIfCancelled();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        if (m_orders.fails)
            throw Error(ErrorKind::DeviceFailed, "test-failure", "The device fell over.", "Set it up again.");
        sim::SimBackend().run(schedule, options, out, control);
    }

private:
    const Orders& m_orders;
};

QString recordingPath(const char* name) {
    return QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings/%1.olab").arg(QLatin1String(name));
}

experiment::HeldExperiment withStreams(int streams) {
    experiment::HeldExperiment experiment;
    experiment::setOption(experiment, "iterations=4");
    experiment::setNumber(experiment, "streams", streams);
    return experiment;
}

struct TryWindow {
    TryWindow() {
        window.resize(1280, 720);
        window.show();
    }
    bool waitUntilIdle() {
        return QTest::qWaitFor([&] { return !session.busy(); }, test::kPatience);
    }
    /// A run with two streams, on the screen.
    view::ViewDataPtr firstRun() {
        window.form().setExperiment(withStreams(2));
        window.run();
        return waitUntilIdle() ? window.shown() : nullptr;
    }
    /// As its button does.
    void tryIt(const experiment::OptionChanges& changes = {{"streams", "3"}}) {
        emit window.findChild<FindingsPage*>()->tryRequested(changes);
    }
    bool show(const char* recording) {
        window.open(recordingPath(recording));
        return waitUntilIdle();
    }
    /// All that can be read in the window as it is now.
    QString texts() const {
        QStringList all;
        for (const QLabel* label : window.findChildren<QLabel*>())
            if (label->isVisibleTo(&window))
                all << label->text();
        for (const QAbstractButton* button : window.findChildren<QAbstractButton*>())
            if (button->isVisibleTo(&window))
                all << button->text();
        return all.join(QLatin1Char('\n'));
    }
    /// The warning itself; verdicts and defects say it in words of their own.
    qsizetype warnings() const {
        return texts().count(QStringLiteral("values were not what the step before should have left."));
    }
    bool saysRaced() const { return warnings() > 0; }

    HeldBackend::Orders orders;
    Session session{{[this] { return std::make_unique<HeldBackend>(orders); }, {}}};
    MainWindow window{session, {.remember = false, .askBeforeClose = false}};
};

} // namespace

TEST(TryIt, DuringAnotherRunItSaysWhyNotAndLeavesTheFormAlone) {
    TryWindow t;
    ASSERT_NE(t.firstRun(), nullptr);
    t.orders.held = true;
    t.window.form().setExperiment(withStreams(5));
    t.window.run();
    ASSERT_TRUE(t.session.busy());
    t.tryIt();
    EXPECT_EQ(t.window.form().experiment(), withStreams(5));
    EXPECT_EQ(t.window.errors().count(), 1);
    EXPECT_TRUE(t.window.errors().lastText().contains(QStringLiteral("Cancel it (Esc)")));
    t.orders.held = false;
    ASSERT_TRUE(t.waitUntilIdle());
    ASSERT_TRUE(t.window.shown()->recording->experiment);
    EXPECT_EQ(experiment::optionNumber(*t.window.shown()->recording->experiment, "streams"), 5);
    EXPECT_TRUE(t.window.comparison().empty()) << "that run was not started by Try it";
}

TEST(TryIt, WhatIsRefusedMeanwhileLosesNothing) {
    TryWindow t;
    const view::ViewDataPtr first = t.firstRun();
    ASSERT_NE(first, nullptr);
    t.orders.held = true;
    t.tryIt();
    t.window.open(recordingPath("default-h200"));
    EXPECT_EQ(t.window.errors().count(), 0) << "the file waits";
    t.window.run();
    t.orders.held = false;
    ASSERT_TRUE(t.waitUntilIdle());
    ASSERT_FALSE(t.window.comparison().empty());
    EXPECT_EQ(t.window.comparison().before(), first);
    EXPECT_EQ(experiment::optionNumber(*t.window.comparison().after()->recording->experiment, "streams"), 3);
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return t.window.windowTitle().contains(QStringLiteral("default-h200")); }, kPatience))
        << qPrintable(t.window.windowTitle());
}

TEST(TryIt, AFileThatWaitsIsOpenedWhenWhatRunsIsCancelled) {
    TryWindow t;
    ASSERT_NE(t.firstRun(), nullptr);
    t.orders.held = true;
    t.tryIt();
    t.window.open({recordingPath("default-h200"), recordingPath("pageable-h200")});
    NoticeBar& notice = t.window.parts().messages.notice();
    ASSERT_TRUE(QTest::qWaitFor([&] { return notice.text().contains(QStringLiteral("2 files are opened")); },
                                kPatience));
    t.session.cancel();
    t.orders.held = false;
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return t.window.windowTitle().contains(QStringLiteral("default-h200")); }, kPatience))
        << qPrintable(t.window.windowTitle());
    EXPECT_EQ(t.window.errors().count(), 0);
}

TEST(TryIt, ACancelledTryIsComparedWithNothingLater) {
    TryWindow t;
    ASSERT_NE(t.firstRun(), nullptr);
    t.orders.held = true;
    t.tryIt();
    t.session.cancel();
    ASSERT_TRUE(t.waitUntilIdle());
    t.orders.held = false;
    t.window.run();
    ASSERT_TRUE(t.waitUntilIdle());
    EXPECT_EQ(experiment::optionNumber(*t.window.shown()->recording->experiment, "streams"), 3)
        << "the form kept what was tried";
    EXPECT_TRUE(t.window.comparison().empty());
}

TEST(TryIt, AFailedTryIsTriedAgainByRunAgain) {
    TryWindow t;
    const view::ViewDataPtr first = t.firstRun();
    ASSERT_NE(first, nullptr);
    t.orders.fails = true;
    t.tryIt();
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.errors().count() == 1 && !t.session.busy(); },
                                test::kPatience));
    EXPECT_TRUE(t.window.comparison().empty());
    t.orders.fails = false;
    emit t.window.findChild<ErrorBar*>()->runAgainRequested();
    ASSERT_TRUE(t.waitUntilIdle());
    ASSERT_FALSE(t.window.comparison().empty());
    EXPECT_EQ(t.window.comparison().before(), first);
    EXPECT_EQ(t.window.comparison().after(), t.window.shown());
}

TEST(TryIt, RunAgainWithAnotherFormIsARunOfItsOwn) {
    TryWindow t;
    ASSERT_NE(t.firstRun(), nullptr);
    t.orders.fails = true;
    t.tryIt();
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.errors().count() == 1 && !t.session.busy(); },
                                test::kPatience));
    t.orders.fails = false;
    t.window.form().setExperiment(withStreams(6));
    emit t.window.findChild<ErrorBar*>()->runAgainRequested();
    ASSERT_TRUE(t.waitUntilIdle());
    EXPECT_EQ(experiment::optionNumber(*t.window.shown()->recording->experiment, "streams"), 6);
    EXPECT_TRUE(t.window.comparison().empty());
}

TEST(TryIt, ATryOfATryIsComparedWithTheTry) {
    TryWindow t;
    ASSERT_NE(t.firstRun(), nullptr);
    t.tryIt();
    ASSERT_TRUE(t.waitUntilIdle());
    const view::ViewDataPtr second = t.window.shown();
    t.tryIt({{"kernel.us", "200"}});
    ASSERT_TRUE(t.waitUntilIdle());
    EXPECT_EQ(t.window.comparison().before(), second);
    ASSERT_NE(t.window.comparison().after(), second);
    EXPECT_EQ(experiment::optionNumber(*t.window.comparison().after()->recording->experiment, "streams"), 3)
        << "the first change stays";
}

TEST(TryIt, TheRunItWasAskedForStaysTheOneAboveWhateverIsChosenMeanwhile) {
    TryWindow t;
    ASSERT_TRUE(t.show("default-h200"));
    const view::ViewDataPtr first = t.firstRun();
    ASSERT_NE(first, nullptr);
    t.orders.held = true;
    t.tryIt();
    t.window.findChild<Runs*>()->setCurrentRow(1);
    ASSERT_NE(t.window.shown(), first);
    t.orders.held = false;
    ASSERT_TRUE(t.waitUntilIdle());
    EXPECT_EQ(t.window.comparison().before(), first);
}

TEST(TryIt, AChangeThatCannotBeIsSaidAndTheFormLeftAlone) {
    TryWindow t;
    ASSERT_NE(t.firstRun(), nullptr);
    t.window.form().setExperiment(withStreams(5));
    t.tryIt({{"submit", "graph"}, {"null_op", "memset"}});
    EXPECT_FALSE(t.session.busy());
    EXPECT_EQ(t.window.form().experiment(), withStreams(5));
    EXPECT_TRUE(t.window.errors().lastText().contains(QStringLiteral("exclude each other")));
}

TEST(Raced, TheWarningIsThereWheneverThatRunIsShownAndOnlyThen) {
    TryWindow t;
    ASSERT_TRUE(t.show("race-other-stream-h200"));
    EXPECT_TRUE(t.saysRaced()) << "opened from its file";
    ASSERT_TRUE(t.show("default-h200"));
    EXPECT_FALSE(t.saysRaced());
    auto* runs = t.window.findChild<Runs*>();
    runs->setCurrentRow(1);
    EXPECT_TRUE(t.saysRaced()) << "chosen again";
    runs->setCurrentRow(0);
    EXPECT_FALSE(t.saysRaced());
}

TEST(Raced, ARunOfNowIsNoDifferent) {
    TryWindow t;
    t.window.form().setExperiment(experiment::findPreset("race-other-stream")->experiment);
    t.window.run();
    ASSERT_TRUE(t.waitUntilIdle());
    EXPECT_TRUE(t.saysRaced());
    ASSERT_NE(t.firstRun(), nullptr);
    EXPECT_FALSE(t.saysRaced());
    t.window.findChild<Runs*>()->setCurrentRow(1);
    EXPECT_TRUE(t.saysRaced());
    EXPECT_EQ(t.warnings(), 1) << "said once";
}

TEST(Raced, ARunThatRacedIsNeitherFasterNorSlower) {
    TryWindow t;
    ASSERT_TRUE(t.show("race-other-stream-h200"));
    ASSERT_TRUE(t.show("race-other-stream-mended-h200"));
    const auto* runs = t.window.findChild<Runs*>();
    const view::ViewDataPtr mended = runs->current();
    t.window.findChild<Runs*>()->setCurrentRow(1);
    for (const bool racedFirst : {true, false}) {
        t.window.parts().runs.compared(racedFirst ? runs->current() : mended,
                                       racedFirst ? mended : runs->current());
        EXPECT_FALSE(t.window.comparison().headline().contains(QStringLiteral("times as")));
        EXPECT_FALSE(t.window.comparison().headline().contains(QStringLiteral("no significant difference")));
        EXPECT_TRUE(t.texts().contains(QStringLiteral("race-other-stream-h200.olab raced")));
    }
}

TEST(Raced, NothingIsProvedBesideWrongData) {
    for (const char* name : {"race-other-stream-h200", "kernel-in-null-stream-race-h200",
                             "shared-buffer-h200", "shared-buffer-pinned-h200"}) {
        TryWindow t;
        ASSERT_TRUE(t.show(name));
        EXPECT_TRUE(t.saysRaced()) << name;
        QStringList all{t.texts()};
        for (const QWidget* widget : t.window.findChildren<QWidget*>())
            all << widget->accessibleName() << widget->toolTip() << widget->accessibleDescription();
        for (const char* word : {"proved", "confirmed"})
            EXPECT_FALSE(all.join(QLatin1Char('\n')).contains(QLatin1String(word))) << name << ": " << word;
        EXPECT_FALSE(t.texts().contains(QStringLiteral("No rule found"))) << name << ": all is not well";
        EXPECT_TRUE(t.window.findChild<QWidget*>(QStringLiteral("numbers"))->isHidden()) << name;
    }
}
