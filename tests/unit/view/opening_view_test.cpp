// What a timeline shows first: the iterations that are judged, where a part of the run is.
#include "account_fixture.h"
#include "shown_fixture.h"

#include "test_places.h"

#include <olab/analysis/steady_state.h>
#include <olab/recording/recording.h>
#include <olab/view/viewport.h>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::test;

namespace {

view::ViewDataPtr opened(const std::string& file) {
    return std::make_shared<const view::ViewData>(
        recording::openRecording(std::filesystem::path(OLAB_SOURCE_DIR) / file));
}

} // namespace

TEST(OpeningView, ShowsSomeOfTheManyIterationsThatAreJudged) {
    const view::ViewDataPtr shown = opened("tests/data/programs/cuda2_cleared_in_null_stream-bad.olab");
    const auto opening = view::openingView(*shown);
    ASSERT_TRUE(opening);
    const Interval part = shown->account()->ledger().part->time;
    const std::uint64_t iterations = shown->account()->ledger().part->iterations;
    ASSERT_GT(iterations, view::kMostOpened);
    const Ns period = part.length() / static_cast<Ns>(iterations);
    EXPECT_NEAR(static_cast<double>(opening->length()), static_cast<double>(12 * period),
                static_cast<double>(period));
    EXPECT_GE(opening->begin, part.begin - period);
    EXPECT_LE(opening->end, part.end + period);
    const auto steady = shown->steadyState();
    EXPECT_TRUE(opening->contains(steady->iterations[steady->typical].begin)) << "the typical one";
}

TEST(OpeningView, ShowsAllWhereTheyAreFew) {
    const auto whole = smallLedger();
    whole->part = std::make_shared<const analysis::JudgedPart>(
        analysis::JudgedPart{{1'150'000, 1'400'000}, 2, nullptr});
    const auto opening = view::openingView(*shownWith(whole));
    ASSERT_TRUE(opening);
    EXPECT_EQ(*opening, (Interval{1'143'750, 1'406'250}));
}

TEST(OpeningView, ShowsTheWorkOfADeviceThatAStartWouldHide) {
    for (const Ns start : {Ns{100'000}, Ns{3'100'000}}) {
        ActivityRecord allocation;
        allocation.cls = ActivityClass::Api;
        allocation.begin = 0, allocation.end = start, allocation.thread = 1;
        const auto shown =
            shownOf({allocation, deviceWork(ActivityClass::Kernel, start + 100'000, start + 1'100'000, 13)});
        const auto opening = view::openingView(*shown);
        ASSERT_EQ(opening.has_value(), start > 1'000'000);
        if (opening) {
            EXPECT_EQ(*opening, (Interval{3'075'000, 4'325'000}));
        }
    }
}

TEST(OpeningView, IsTheWholeOfWhatHasNoJudgedPart) {
    EXPECT_FALSE(view::openingView(*opened("resources/recordings/default-h200.olab"))) << "of the lab itself";
    EXPECT_FALSE(view::openingView(*shownWith(smallLedger())));
    EXPECT_FALSE(view::openingView(*smallShown())) << "nobody has made an account";
}
