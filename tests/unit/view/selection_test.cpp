// What is selected, without a canvas.
#include "shown_fixture.h"

#include <olab/view/selection.h>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::test;

namespace {

using Picked = view::Selection::Picked;

/// Of the small recording: copy, memset, kernel, copy; 100 us each with 50 us between them.
struct Small {
    Small() { selection.setShown(shown); }
    const view::ViewDataPtr shown = smallShown();
    view::Selection selection;
};

} // namespace

TEST(Selection, AnActivityAndAGapTakeEachOthersPlace) {
    Small t;
    t.selection.select(2);
    EXPECT_EQ(t.selection.activity(), 2u);
    std::vector<view::Link> links = t.shown->links.before(2, t.shown->waitOf(2)),
                            after = t.shown->links.after(2);
    links.insert(links.end(), after.begin(), after.end());
    EXPECT_EQ(t.selection.links(), links);
    EXPECT_FALSE(links.empty()) << "the copy behind it in its stream";
    const view::Gap gap{LaneId{0}, {1'100'000, 1'150'000}};
    t.selection.selectGap(gap);
    EXPECT_EQ(t.selection.picked(), Picked::Gap);
    EXPECT_EQ(t.selection.gap(), gap);
    EXPECT_FALSE(t.selection.activity());
    EXPECT_TRUE(t.selection.links().empty());
    t.selection.select(0);
    EXPECT_EQ(t.selection.picked(), Picked::Activity);
    EXPECT_FALSE(t.selection.gap());
}

TEST(Selection, AMeasuredRangeStaysBesideWhatIsSelected) {
    Small t;
    t.selection.select(1);
    EXPECT_TRUE(t.selection.measure(Interval{1'000'000, 1'200'000}));
    EXPECT_FALSE(t.selection.measure(Interval{1'000'000, 1'200'000})) << "that is no news";
    EXPECT_EQ(t.selection.picked(), Picked::Range);
    EXPECT_EQ(t.selection.activity(), 1u);
    t.selection.select(3);
    EXPECT_TRUE(t.selection.range());
    EXPECT_TRUE(t.selection.measure(std::nullopt));
    EXPECT_EQ(t.selection.picked(), Picked::Activity);
}

TEST(Selection, APlaceIsShownUntilSomethingElseIsSelected) {
    Small t;
    t.selection.showPlace({2, 1, {1'250'000, 1'300'000}, {1'150'000, 1'400'000}});
    ASSERT_NE(t.selection.place(), nullptr);
    EXPECT_EQ(t.selection.activity(), 2u);
    t.selection.select(1);
    EXPECT_EQ(t.selection.place(), nullptr);
}

TEST(Selection, LightsWhatReachesIntoTheView) {
    const view::ViewDataPtr shown = randomShown(7, 400);
    view::Selection selection;
    selection.setShown(shown);
    const view::Selection::Alike alike = selection.selectAlike(5);
    std::vector<ActivityIndex> all, seen;
    const Interval span = shown->trace().span(),
                   view{span.begin + span.length() / 3, span.begin + span.length() / 2};
    Ns sum = 0;
    for (ActivityIndex i = 0; i < shown->trace().size(); ++i)
        if (shown->trace().cls(i) == shown->trace().cls(5)) {
            const Interval time = shown->trace().time(i);
            all.push_back(i);
            sum += time.length();
            if (time.end >= view.begin && time.begin <= view.end)
                seen.push_back(i);
        }
    EXPECT_EQ(alike.count, all.size());
    EXPECT_EQ(alike.sum, sum);
    EXPECT_EQ(selection.litIn(span), all);
    EXPECT_EQ(selection.litIn(view), seen);
    EXPECT_LT(seen.size(), all.size());
    EXPECT_FALSE(seen.empty());
}

TEST(Selection, NothingIsSelectedInAnotherRecording) {
    Small t;
    t.selection.select(1);
    t.selection.measure(Interval{1, 2});
    t.selection.refine(smallShown());
    EXPECT_EQ(t.selection.activity(), 1u) << "the same run, of which more is known";
    t.selection.setShown(smallShown());
    EXPECT_FALSE(t.selection.activity());
    EXPECT_FALSE(t.selection.range());
    EXPECT_TRUE(t.selection.litIn({0, 2'000'000}).empty());
    t.selection.setShown(nullptr);
    EXPECT_TRUE(t.selection.litIn({0, 2'000'000}).empty());
    EXPECT_FALSE(t.selection.measure(std::nullopt));
}
