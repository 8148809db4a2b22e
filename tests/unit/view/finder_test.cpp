// Activities that fit what is wanted of them.
#include "shown_fixture.h"

#include <olab/view/finder.h>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::test;

namespace {

std::vector<ActivityIndex> found(const view::ViewData& data, view::SearchCriteria wanted) {
    view::Finder finder(data, std::move(wanted));
    while (finder.advance(7)) {
    }
    EXPECT_TRUE(finder.done());
    return finder.matches();
}

template <typename Fits>
std::vector<ActivityIndex> allThat(const view::ViewData& data, Fits fits) {
    std::vector<ActivityIndex> all;
    for (ActivityIndex i = 0; i < data.trace().size(); ++i)
        if (fits(data.trace()[i]))
            all.push_back(i);
    return all;
}

} // namespace

TEST(Finder, EachClassIsFoundByItsBit) {
    const view::ViewDataPtr shown = randomShown(3, 300);
    std::size_t sum = 0;
    for (const ClassRow& row : kClassRows) {
        view::SearchCriteria wanted;
        wanted.classes = maskOf(row.cls);
        const auto matches = found(*shown, wanted);
        EXPECT_EQ(matches, allThat(*shown, [&](const Activity& a) { return a.cls == row.cls; })) << row.name;
        sum += matches.size();
    }
    EXPECT_EQ(sum, shown->trace().size());
}

TEST(Finder, AllPartsMustHold) {
    const view::ViewDataPtr shown = randomShown(4, 500);
    view::SearchCriteria wanted;
    wanted.classes = maskOf(ActivityClass::Kernel) | maskOf(ActivityClass::Memset);
    wanted.stream = 14;
    wanted.atLeast = 1'000;
    const auto expected = allThat(*shown, [&](const Activity& a) {
        return (a.cls == ActivityClass::Kernel || a.cls == ActivityClass::Memset) && a.duration() >= 1'000 &&
               shown->trace().queue(a.queue).number == 14;
    });
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(found(*shown, wanted), expected);
}

TEST(Finder, ANameIsAskedOnceAndWhatIsKnownNotToFitIsNotLookedAt) {
    const view::ViewDataPtr shown = randomShown(5, 200);
    int asked = 0;
    view::SearchCriteria wanted;
    wanted.fitsName = [&](std::string_view name) { return ++asked, name == "cudaDeviceSynchronize"; };
    EXPECT_EQ(found(*shown, wanted).size(), 1u);
    EXPECT_LE(asked, static_cast<int>(shown->trace().texts()));
    asked = 0;
    wanted.nothing = true;
    EXPECT_TRUE(found(*shown, wanted).empty());
    EXPECT_EQ(asked, 0);
}
