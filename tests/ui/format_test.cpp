#include "shown_fixture.h"

#include <olab/ui/format.h>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::test;

TEST(Format, TimesGetAFittingUnit) {
    EXPECT_EQ(durationText(0), QStringLiteral("0 ns"));
    EXPECT_EQ(durationText(999), QStringLiteral("999 ns"));
    EXPECT_EQ(durationText(1'250), QStringLiteral("1.25 µs"));
    EXPECT_EQ(durationText(412'000), QStringLiteral("412 µs"));
    EXPECT_EQ(durationText(-32'400'000), QStringLiteral("-32.4 ms"));
    EXPECT_EQ(durationText(2'000'000'000), QStringLiteral("2.00 s"));
}

TEST(Format, ExactTimesKeepEveryNanosecond) {
    EXPECT_EQ(exactDurationText(7), QStringLiteral("0.007 µs"));
    EXPECT_EQ(exactDurationText(-1'234'567),
              QStringLiteral("-1") + QChar(0x2009) + QStringLiteral("234.567 µs"));
}

TEST(Format, SizesAreBinaryAndRatesDecimal) {
    EXPECT_EQ(sizeText(16 << 20), QStringLiteral("16 MiB"));
    EXPECT_EQ(sizeText(1536), QStringLiteral("1.50 KiB"));
    EXPECT_EQ(rateText(55'000, 1'000), QStringLiteral("55.0 GB/s"));
    EXPECT_TRUE(rateText(55'000, 0).isEmpty());
}

TEST(Format, AnActivityHasTheNumberThatSentencesGiveIt) {
    auto copy = deviceWork(ActivityClass::MemcpyH2D, 1'000, 2'000, 13);
    auto other = deviceWork(ActivityClass::MemcpyD2H, 3'000, 4'000, 13);
    other.op = OpId{77};
    const ShownPtr shown = shownOf({copy, other});
    EXPECT_EQ(numberText(shown->trace(), 0), QStringLiteral("0"));
    EXPECT_EQ(numberText(shown->trace(), 1), QStringLiteral("77"));
}

TEST(Format, TimesOfDayAreReadable) {
    EXPECT_EQ(timeText("2026-11-20T14:56:26Z"), QStringLiteral("2026-11-20 14:56:26 UTC"));
    EXPECT_EQ(timeText("2026-11-20T15:56:26+01:00"), QStringLiteral("2026-11-20 14:56:26 UTC"));
    EXPECT_EQ(timeText("yesterday"), QStringLiteral("yesterday"));
    EXPECT_TRUE(timeText("").isEmpty());
}

TEST(Format, KeysOfTheReportAreSaidInWords) {
    EXPECT_EQ(limitText("copy_h2d"), QStringLiteral("copy H2D engine"));
    EXPECT_EQ(limitText("compute"), QStringLiteral("compute engine"));
    EXPECT_EQ(limitText("nothing to overlap"), QStringLiteral("nothing to overlap"));
    EXPECT_EQ(sourceText(SourceKind::Cuda), QStringLiteral("measured on a GPU"));
    EXPECT_EQ(sourceText(SourceKind::Simulated), QStringLiteral("simulated"));
}

TEST(Format, SentencesOfTheEngineGetTheMicroSign) {
    EXPECT_EQ(sentence("Waited 412 us for 3us, status us"),
              QStringLiteral("Waited 412 µs for 3 µs, status us"));
}
