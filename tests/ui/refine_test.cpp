// A run is shown as soon as it is analysed; its tool effect comes later, and nobody waits for it. The
// children are real processes that run the simulator.
#include "patience.h"
#include "refining_window.h"
#include "shown_fixture.h"

#include <olab/experiment/held_experiment.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <window/messages/message_bars.h>

#include <filesystem>
#include <fstream>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;
using namespace std::chrono_literals;

namespace {

const QByteArray kAwaitGo = "until [ -e \"$(dirname \"$0\")/go\" ]; do sleep 0.05; done";
/// What is measured behind the verdict waits until it is let go.
const QByteArray kHoldsPlainRuns = "case \"$*\" in *'--kind plain'*) " + kAwaitGo + ";; esac";
/// So do all traced runs but the first.
const QByteArray kHoldsRepeats = "case \"$*\" in *'--kind traced'*) mkdir \"$(dirname \"$0\")/first\" "
                                 "2>/dev/null || " +
                                 kAwaitGo + ";; esac";

void letGo(RefiningWindow& window) {
    QFile file(window.m_folder.filePath(QStringLiteral("go")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
}

/// Processes this one has started that have not ended.
int children() {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream stat(entry.path() / "stat");
        std::string number, name, state;
        int parent = 0;
        stat >> number >> name >> state >> parent;
        count += stat && parent == ::getpid() && state != "Z";
    }
    return count;
}

} // namespace

TEST(Refining, TheVerdictIsThereBeforeTheToolEffectAndTheViewStays) {
    RefiningWindow t(60s, kHoldsPlainRuns);
    t.run();
    const view::ViewDataPtr first = t.window->shown();
    EXPECT_FALSE(t.report().toolEffect);
    EXPECT_FALSE(t.report().verdicts.empty());
    EXPECT_TRUE(QTest::qWaitFor([&] { return !t.session->busy(); }, kPatience));
    EXPECT_EQ(t.session->refining(), first) << "it goes on behind";
    EXPECT_TRUE(t.said().contains(QStringLiteral("being measured"))) << t.said().toStdString();
    TimelineCanvas& canvas = t.window->timeline().canvas();
    const Ns zero = first->zero();
    canvas.showRange({zero + 100'000, zero + 900'000});
    canvas.select(5);
    const Interval view = canvas.viewport().visible();
    letGo(t);
    ASSERT_TRUE(t.waitUntilKnown());
    EXPECT_NE(t.window->shown(), first);
    ASSERT_TRUE(t.report().toolEffect);
    EXPECT_EQ(t.report().toolEffect->runs, 5);
    EXPECT_EQ(canvas.shown(), t.window->shown());
    EXPECT_EQ(canvas.viewport().visible(), view);
    EXPECT_EQ(canvas.selection().activity(), std::optional<ActivityIndex>(5));
    EXPECT_EQ(t.runs().count(), 1) << "the same row";
    EXPECT_EQ(t.runs().current(), t.window->shown());
    EXPECT_TRUE(t.said().contains(QStringLiteral("Tool effect 1.0"))) << t.said().toStdString();
    EXPECT_FALSE(t.window->grab().isNull());
}

TEST(Refining, TheNextRunDoesNotWait) {
    RefiningWindow t(60s, kHoldsPlainRuns);
    t.run(40);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.session->busy(); }, kPatience));
    const view::ViewDataPtr first = t.window->shown();
    ASSERT_EQ(t.session->refining(), first);
    t.run(4);
    EXPECT_EQ(t.runs().count(), 2);
    EXPECT_NE(t.window->shown(), first);
    EXPECT_EQ(experiment::optionNumber(*t.window->shown()->recording->experiment, "iterations"), 4);
    letGo(t);
    ASSERT_TRUE(t.waitUntilKnown());
    EXPECT_TRUE(t.report().toolEffect);
    t.runs().setCurrentRow(1);
    EXPECT_EQ(t.window->shown(), first) << "nothing is lost";
    EXPECT_TRUE(t.said().contains(QStringLiteral("not measured"))) << t.said().toStdString();
    EXPECT_EQ(t.window->errors().count(), 0);
}

TEST(Refining, ASaveTakesWhatIsKnown) {
    RefiningWindow t(60s, kHoldsPlainRuns);
    t.run(40);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.session->busy(); }, kPatience));
    const QString path = t.m_folder.filePath(QStringLiteral("run.olab"));
    QSignalSpy saved(t.session.get(), &Session::saved);
    EXPECT_TRUE(t.session->save(t.window->shown(), path));
    ASSERT_TRUE(QTest::qWaitFor([&] { return saved.count() == 1; }, kPatience));
    EXPECT_EQ(t.runs().unsavedCount(), 0);
    EXPECT_TRUE(t.said().contains(QStringLiteral("not measured"))) << t.said().toStdString();
    const recording::RecordingPtr read = recording::openRecording(path.toStdString());
    EXPECT_EQ(read->trace, t.window->shown()->trace());
}

TEST(Refining, ASecondRunReusesWhatWasMeasured) {
    RefiningWindow t;
    t.run();
    ASSERT_TRUE(t.waitUntilKnown());
    const double ratio = t.report().toolEffect->ratio();
    QSignalSpy refines(t.session.get(), &Session::refines);
    t.run();
    EXPECT_EQ(refines.count(), 0) << "nothing is measured behind it";
    ASSERT_TRUE(t.report().toolEffect);
    EXPECT_EQ(t.report().toolEffect->measuredWith, "Run 1");
    EXPECT_DOUBLE_EQ(t.report().toolEffect->ratio(), ratio);
    EXPECT_TRUE(t.said().contains(QStringLiteral("measured with Run 1"))) << t.said().toStdString();
}

TEST(Refining, AnErrorBehindTheVerdictDoesNotLoseIt) {
    RefiningWindow t(60s, "case \"$*\" in *plain*) echo 'no plain one here' >&2; exit 3;; esac");
    t.run();
    const view::ViewDataPtr first = t.window->shown();
    ASSERT_TRUE(t.waitUntilKnown());
    EXPECT_EQ(t.window->shown(), first);
    EXPECT_EQ(t.window->errors().count(), 0);
    EXPECT_TRUE(t.said().contains(QStringLiteral("not measured (The engine process ended")))
        << t.said().toStdString();
    t.run();
    EXPECT_EQ(t.runs().count(), 2) << "and the next run works";
}

TEST(Refining, RepeatsAreShownOneByOneAndTheirMedianStays) {
    RefiningWindow t(60s, kHoldsRepeats);
    t.run(4, 3);
    EXPECT_TRUE(t.session->busy()) << "the repeats were asked for";
    EXPECT_TRUE(t.window->shown()->recording->otherRuns.empty());
    EXPECT_TRUE(t.said().contains(QStringLiteral("first of 3 runs"))) << t.said().toStdString();
    letGo(t);
    ASSERT_TRUE(t.waitUntilKnown());
    EXPECT_EQ(t.window->shown()->recording->otherRuns.size(), 2u);
    EXPECT_TRUE(t.report().toolEffect);
    EXPECT_EQ(t.runs().count(), 1);
}

TEST(Refining, AChildWaitsForTheNextRun) {
    RefiningWindow t(3600s);
    t.run();
    ASSERT_TRUE(t.waitUntilKnown());
    EXPECT_TRUE(QTest::qWaitFor([] { return children() == 1; }, kPatience)) << children();
}

TEST(Refining, AChildForWhichNoRunComesIsGivenBack) {
    RefiningWindow t(100ms);
    t.run();
    ASSERT_TRUE(t.waitUntilKnown());
    EXPECT_TRUE(QTest::qWaitFor([] { return children() == 0; }, kPatience)) << children();
    t.run();
    EXPECT_EQ(t.runs().count(), 2);
    EXPECT_EQ(t.window->errors().count(), 0);
}

TEST(Refining, WhatIsPreparedForTheViewCanBeCancelled) {
    const recording::RecordingPtr recording = test::randomShown(7)->recording;
    std::stop_source stop;
    stop.request_stop();
    RunControl control;
    control.stop = stop.get_token();
    const auto isCancelled = [](const auto& make) {
        try {
            make();
        } catch (const Error& e) {
            return e.kind() == ErrorKind::Cancelled;
        }
        return false;
    };
    EXPECT_TRUE(isCancelled([&] { return view::ViewData(recording, control).limits(); }));
    EXPECT_TRUE(isCancelled(
        [&] { return view::TimelineIndex(recording->trace, *recording->lanes, control).deviceCount(); }));
    EXPECT_TRUE(isCancelled([&] { return view::Links(*recording->facts, control).before(0, {}).size(); }));
}
