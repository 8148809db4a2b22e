// A race that comes to light behind a run that is shown, in the pairs that measure its tool effect: the
// window takes back what it said, and what is saved knows it.
#include "patience.h"
#include "refining_window.h"

#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <pictures/picture_text.h>
#include <results/compare_page.h>
#include <results/summary_lines.h>
#include <window/messages/message_bars.h>

#include <QAbstractButton>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

/// In the runs without tracing each kernel works in the stream beside the one that has its data.
const QByteArray kUntracedRunsRace =
    "case \"$*\" in *'--kind plain'*)\n"
    "  sed -u 's/\"kernel.stream\":\"own\"/\"kernel.stream\":\"other\"/' 3>&- | '" OLAB_PROGRAM "' \"$@\"\n"
    "  exit $?;; esac";

/// What the window says at one moment.
struct Said {
    QString race, trust;
    bool numbers = false, toolEffect = false;
    std::size_t otherRuns = 0;
};

class RacingWindow : public RefiningWindow {
public:
    RacingWindow()
        : RefiningWindow(std::chrono::seconds(60), kUntracedRunsRace) {
        QObject::connect(window.get(), &MainWindow::recordingShown, window.get(), [this] {
            if (story.empty())
                story.push_back(now());
        });
        QObject::connect(session.get(), &Session::refined, window.get(), [this] { story.push_back(now()); });
    }
    QString race() { return window->findChild<RaceLine*>()->text(); }
    bool waitUntilRaced() {
        return QTest::qWaitFor([&] { return !race().isEmpty(); }, kPatience);
    }
    bool hasNumbers() { return !window->findChild<QWidget*>(QStringLiteral("numbers"))->isHidden(); }
    Said now() {
        return {race(), said(), hasNumbers(), report().toolEffect.has_value(),
                window->shown()->recording->otherRuns.size()};
    }
    std::vector<Said> story; ///< when a run is first shown, and each time that more of it is known
};

} // namespace

TEST(SiblingRuns, ARaceBehindTheVerdictTakesItBackAtOnce) {
    RacingWindow t;
    t.run();
    TimelineCanvas& canvas = t.window->timeline().canvas();
    const Ns zero = t.window->shown()->zero();
    canvas.showRange({zero + 100'000, zero + 900'000});
    canvas.select(5);
    const Interval view = canvas.viewport().visible();
    ASSERT_TRUE(t.waitUntilKnown());
    ASSERT_EQ(t.story.size(), 3u) << "the run, the race, and all";
    EXPECT_EQ(t.story[0].race, QString());
    EXPECT_TRUE(t.story[0].numbers);
    EXPECT_TRUE(
        t.story[1].race.contains(QStringLiteral("raced in 1 of 2 runs (0 of 1 traced, 1 of 1 untraced)")))
        << t.story[1].race.toStdString();
    EXPECT_FALSE(t.story[1].numbers);
    EXPECT_FALSE(t.story[1].toolEffect) << "not only when all is measured";
    EXPECT_TRUE(t.story[1].trust.contains(QStringLiteral("being measured")))
        << t.story[1].trust.toStdString();
    EXPECT_TRUE(
        t.story[2].race.contains(QStringLiteral("raced in 5 of 10 runs (0 of 5 traced, 5 of 5 untraced)")))
        << t.story[2].race.toStdString();
    EXPECT_TRUE(t.race().contains(QStringLiteral("right by luck")));
    for (const analysis::Verdict& verdict : t.report().verdicts)
        EXPECT_TRUE(verdict.kind == analysis::VerdictKind::Inconclusive ||
                    verdict.kind == analysis::VerdictKind::NotApplicable);
    EXPECT_EQ(canvas.viewport().visible(), view);
    EXPECT_EQ(canvas.selection().activity(), std::optional<ActivityIndex>(5));
    EXPECT_EQ(t.runs().count(), 1) << "the same row";
    EXPECT_EQ(t.window->errors().count(), 0);
}

TEST(SiblingRuns, WhatIsSavedAndPicturedKnowsTheRace) {
    RacingWindow t;
    t.run();
    ASSERT_TRUE(t.waitUntilRaced());
    const QString path = t.m_folder.filePath(QStringLiteral("run.olab"));
    QSignalSpy saved(t.session.get(), &Session::saved);
    const view::ViewDataPtr kept = t.window->shown();
    ASSERT_TRUE(t.session->save(kept, path)) << "it does not wait for the rest";
    ASSERT_TRUE(QTest::qWaitFor([&] { return saved.count() == 1; }, kPatience));
    const recording::RecordingPtr read = recording::openRecording(path.toStdString());
    EXPECT_EQ(read->raceText(), kept->recording->raceText());
    EXPECT_NE(read->raceText(), "");
    EXPECT_FALSE(read->report.bounds.efficiency);
    const PictureText picture = pictureText(view::ViewData(read), {});
    EXPECT_TRUE(picture.race.contains(QStringLiteral("raced in "))) << picture.race.toStdString();
    for (const PictureText::Line& line : picture.lines)
        EXPECT_FALSE(line.outcome.startsWith(QStringLiteral("efficiency")));
    ASSERT_TRUE(t.waitUntilKnown());
    EXPECT_FALSE(t.race().isEmpty()) << "what was found stays";
}

TEST(SiblingRuns, TwoRunsAreNotComparedWhereOneWasOnlyLucky) {
    RacingWindow t;
    t.run();
    ASSERT_TRUE(t.waitUntilKnown());
    const view::ViewDataPtr raced = t.window->shown();
    ASSERT_FALSE(raced->recording->raceText().empty());
    const std::string why = compareShown(*raced, *raced).obstacle;
    EXPECT_NE(why.find("Run 1 raced in 5 of 10 runs (0 of 5 traced, 5 of 5 untraced): "), why.npos) << why;
    t.run();
    EXPECT_NE(t.window->shown(), raced);
    ASSERT_TRUE(t.waitUntilKnown());
    EXPECT_TRUE(t.race().contains(QStringLiteral("raced in 5 of 10 runs")))
        << "measured again: the tool effect of a race is not reused";
}

TEST(SiblingRuns, OfRepeatsTheMedianTellsOfAll) {
    RacingWindow t;
    t.run(4, 3);
    ASSERT_TRUE(t.waitUntilKnown());
    ASSERT_EQ(t.story.size(), 4u) << "the first run, the race, all three, and the tool effect";
    EXPECT_EQ(t.story[1].otherRuns, 0u) << "the first of three, for now";
    EXPECT_TRUE(t.story[1].trust.contains(QStringLiteral("first of 3 runs")))
        << t.story[1].trust.toStdString();
    EXPECT_TRUE(t.story[1].race.contains(QStringLiteral("raced in 1 of 2 runs")));
    EXPECT_EQ(t.story[2].otherRuns, 2u);
    EXPECT_TRUE(t.story[2].race.contains(QStringLiteral("raced in 2 of 5 runs")));
    EXPECT_TRUE(t.story[3].race.contains(QStringLiteral("raced in 5 of 10 runs")));
}
