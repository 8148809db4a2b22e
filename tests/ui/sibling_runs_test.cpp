// A race that comes to light behind a run that is shown, in the pairs that measure its tool effect: the
// window takes back what it said, and what is saved knows it.
#include "refining_window.h"

#include <olab/ui/timeline_view.h>

#include <pictures/picture_text.h>
#include <results/compare_page.h>
#include <results/race_line.h>
#include <shell/error_bar.h>

#include <QAbstractButton>

using namespace olab;
using namespace olab::test;

namespace {

/// In the runs without tracing each kernel works in the stream beside the one that has its data.
const QByteArray kUntracedRunsRace =
    "case \"$*\" in *'--kind plain'*)\n"
    "  sed -u 's/\"kernel.stream\":\"own\"/\"kernel.stream\":\"other\"/' 3>&- | '" OLAB_PROGRAM "' \"$@\"\n"
    "  exit $?;; esac";

class RacingWindow : public RefiningWindow {
public:
    RacingWindow()
        : RefiningWindow(std::chrono::seconds(60), kUntracedRunsRace) {}
    QString race() { return window->findChild<RaceLine*>()->text(); }
    bool waitUntilRaced() {
        return QTest::qWaitFor([&] { return !race().isEmpty(); }, kPatience);
    }
    bool hasEfficiency() {
        for (const QAbstractButton* chip : window->findChildren<QAbstractButton*>())
            if (chip->accessibleName().startsWith(QStringLiteral("efficiency")))
                return true;
        return false;
    }
};

} // namespace

TEST(SiblingRuns, ARaceBehindTheVerdictTakesItBackAtOnce) {
    RacingWindow t;
    t.run();
    const ShownPtr first = t.window->shown();
    EXPECT_EQ(t.race(), QString());
    EXPECT_TRUE(t.hasEfficiency());
    TimelineCanvas& canvas = t.window->timeline().canvas();
    canvas.showRange({first->zero() + 100'000, first->zero() + 900'000});
    canvas.select(5);
    const Interval view = canvas.viewport().visible();
    ASSERT_TRUE(t.waitUntilRaced());
    EXPECT_TRUE(t.session->refining()) << "not only when all is measured";
    EXPECT_TRUE(t.race().contains(QStringLiteral("raced in 1 of 2 runs (0 of 1 traced, 1 of 1 untraced)")))
        << t.race().toStdString();
    EXPECT_FALSE(t.report().toolEffect);
    EXPECT_FALSE(t.hasEfficiency());
    for (const Verdict& verdict : t.report().verdicts)
        EXPECT_TRUE(verdict.kind == VerdictKind::Inconclusive || verdict.kind == VerdictKind::NotApplicable);
    EXPECT_TRUE(t.said().contains(QStringLiteral("being measured"))) << t.said().toStdString();
    ASSERT_TRUE(t.waitUntilKnown());
    EXPECT_TRUE(t.race().contains(QStringLiteral("raced in 5 of 10 runs (0 of 5 traced, 5 of 5 untraced)")))
        << t.race().toStdString();
    EXPECT_TRUE(t.race().contains(QStringLiteral("right by luck")));
    EXPECT_EQ(canvas.viewport().visible(), view);
    EXPECT_EQ(canvas.selected(), std::optional<ActivityIndex>(5));
    EXPECT_EQ(t.runs().count(), 1) << "the same row";
    EXPECT_EQ(t.window->errors().count(), 0);
}

TEST(SiblingRuns, WhatIsSavedAndPicturedKnowsTheRace) {
    RacingWindow t;
    t.run();
    ASSERT_TRUE(t.waitUntilRaced());
    const QString path = t.m_folder.filePath(QStringLiteral("run.olab"));
    QSignalSpy saved(t.session.get(), &Session::saved);
    ASSERT_TRUE(t.session->save(t.window->shown(), path)) << "it does not wait for the rest";
    ASSERT_TRUE(QTest::qWaitFor([&] { return saved.count() == 1; }, kPatience));
    const RecordingPtr read = openRecording(path.toStdString());
    EXPECT_EQ(read->raceText(), t.window->shown()->recording->raceText());
    EXPECT_NE(read->raceText(), "");
    EXPECT_FALSE(read->report.bounds.efficiency);
    const PictureText picture = pictureText(Shown(read), {});
    EXPECT_TRUE(picture.race.contains(QStringLiteral("raced in "))) << picture.race.toStdString();
    for (const PictureText::Line& line : picture.lines)
        EXPECT_FALSE(line.outcome.startsWith(QStringLiteral("efficiency")));
    EXPECT_TRUE(t.said().contains(QStringLiteral("not measured"))) << t.said().toStdString();
    EXPECT_FALSE(t.race().isEmpty()) << "what was found stays";
}

TEST(SiblingRuns, TwoRunsAreNotComparedWhereOneWasOnlyLucky) {
    RacingWindow t;
    t.run();
    ASSERT_TRUE(t.waitUntilKnown());
    const ShownPtr raced = t.window->shown();
    ASSERT_FALSE(raced->recording->raceText().empty());
    const QString why = whyNotComparable(*raced->recording, *raced->recording);
    EXPECT_TRUE(
        why.contains(QStringLiteral("Run 1 raced in 5 of 10 runs (0 of 5 traced, 5 of 5 untraced): ")))
        << why.toStdString();
    t.run();
    EXPECT_EQ(t.race(), QString()) << "the second run, so far";
    ASSERT_TRUE(t.waitUntilKnown());
    EXPECT_FALSE(t.race().isEmpty()) << "measured again: the tool effect of a race is not reused";
}

TEST(SiblingRuns, OfRepeatsTheMedianTellsOfAll) {
    RacingWindow t;
    t.run(4, 3);
    ASSERT_TRUE(t.waitUntilRaced());
    EXPECT_TRUE(t.window->shown()->recording->otherRuns.empty()) << "the first of three, for now";
    EXPECT_TRUE(t.said().contains(QStringLiteral("first of 3 runs"))) << t.said().toStdString();
    ASSERT_TRUE(t.waitUntilKnown());
    EXPECT_EQ(t.window->shown()->recording->otherRuns.size(), 2u);
    EXPECT_TRUE(t.race().contains(QStringLiteral("raced in 5 of 10 runs"))) << t.race().toStdString();
}
