#include "shown_fixture.h"

#include <olab/ui/format.h>

#include <timeline/canvas/bar_labels.h>
#include <timeline/search/search.h>

#include <QApplication>
#include <QFontMetrics>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

view::ViewDataPtr named(const std::string& kernel) {
    auto work = deviceWork(ActivityClass::Kernel, 1'000, 2'000, 13);
    work.name = textId(kernel);
    return shownOf({work, deviceWork(ActivityClass::MemcpyH2D, 3'000, 303'000, 14)});
}

class Labels : public testing::Test {
protected:
    Labels() { labels.setFont(QApplication::font()); }
    int widthOf(const view::ViewData& shown, int room) {
        return labels.fitting(shown.trace(), 0, room, Qt::blue).width();
    }
    BarLabels labels;
};

} // namespace

TEST(Label, OfAKernelIsWhatAPersonCallsIt) {
    const view::ViewDataPtr shown = named("_ZN2ns4gemmIfEEvi");
    EXPECT_EQ(activityLabel(shown->trace(), 0), QStringLiteral("gemm"));
    EXPECT_EQ(fullLabel(shown->trace(), 0), QStringLiteral("gemm<float>"));
    EXPECT_EQ(activityLabel(shown->trace(), 1), QStringLiteral("H2D 16 MiB"));
    EXPECT_EQ(fullLabel(shown->trace(), 1), QStringLiteral("H2D 16 MiB"));
}

TEST_F(Labels, SayAsMuchAsTheBarHasRoomFor) {
    const view::ViewDataPtr shown = named("void ns::gemm_kernel<float, 128, 256>(int)");
    const int full = widthOf(*shown, 10'000), bare = widthOf(*shown, full - 1),
              cut = widthOf(*shown, bare - 1);
    EXPECT_GT(full, bare);
    EXPECT_GT(bare, cut);
    EXPECT_GT(cut, 0);
    for (int room = 0; room < full; ++room)
        EXPECT_LE(widthOf(*shown, room), room);
}

TEST_F(Labels, AreCutWhereEnoughIsLeftToTellThem) {
    const view::ViewDataPtr shown = named("wwwwwwwwwwwwwwww");
    const QFontMetrics metrics(QApplication::font());
    const int twelve = metrics.horizontalAdvance(QStringLiteral("wwwwwwwwwwww…"));
    EXPECT_EQ(widthOf(*shown, twelve - 3), 0);
    EXPECT_GT(widthOf(*shown, twelve + 3), 0);
}

TEST_F(Labels, OfCopiesGiveTheRateWhereItFits) {
    const view::ViewDataPtr shown = named("spin");
    const QImage rate = labels.rate(shown->trace(), 1, 1'000, Qt::blue);
    EXPECT_EQ(rate.width(),
              QFontMetrics(QApplication::font()).horizontalAdvance(QStringLiteral("55.9 GB/s")));
    EXPECT_EQ(labels.rate(shown->trace(), 1, rate.width(), Qt::blue).width(), rate.width());
    EXPECT_TRUE(labels.rate(shown->trace(), 1, rate.width() - 1, Qt::blue).isNull());
    EXPECT_TRUE(labels.rate(shown->trace(), 0, 1'000, Qt::blue).isNull()) << "a kernel moves no known bytes";
}

TEST(Label, SearchFindsBothFormsOfAName) {
    const view::ViewDataPtr shown = named("_ZN2ns4gemmIfEEvi");
    for (const char* words : {"\"gemm<float>\"", "_ZN2ns", "ns::gemm"}) {
        Search search(*shown, SearchQuery::parse(QString::fromLatin1(words)));
        search.advance(10);
        EXPECT_EQ(search.matches().size(), 1u) << words;
    }
}
