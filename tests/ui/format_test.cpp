#include "shown_fixture.h"

#include <olab/ui/format.h>

#include <gtest/gtest.h>

#include <limits>

using namespace olab;
using namespace olab::ui;
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

TEST(Format, TicksOfARulerCanBeToldApart) {
    const QString thin(QChar(0x2009));
    EXPECT_EQ(tickText(0, 1'000), QStringLiteral("0"));
    EXPECT_EQ(tickText(5'000'000, 5'000'000), QStringLiteral("5 ms"));
    EXPECT_EQ(tickText(1'500'000, 500'000), QStringLiteral("1.5 ms"));
    EXPECT_EQ(tickText(500'000, 500'000), QStringLiteral("500 µs"));
    EXPECT_EQ(tickText(300'050'000, 50'000), QStringLiteral("300.05 ms"));
    EXPECT_EQ(tickText(7'010'020'000, 20'000), QStringLiteral("7.010") + thin + QStringLiteral("02 s"));
    EXPECT_EQ(tickText(3'600'000'000'007, 1), QStringLiteral("3") + thin + QStringLiteral("600.000") + thin +
                                                  QStringLiteral("000") + thin + QStringLiteral("007 s"));
    EXPECT_EQ(tickText(-20, 10), QStringLiteral("-20 ns"));
    EXPECT_EQ(tickText(std::numeric_limits<Ns>::min(), 1).left(2), QStringLiteral("-9"));
}

TEST(Format, NeighboursOnARulerNeverReadTheSame) {
    for (const Ns from : {Ns{0}, Ns{999'999}, Ns{123'456'789'012}, Ns{7'200'000'000'000}})
        for (Ns decade = 1; decade <= 1'000'000'000; decade *= 10)
            for (const Ns step : {decade, 2 * decade, 5 * decade}) {
                const Ns first = from / step * step;
                for (int i = 0; i < 30; ++i)
                    ASSERT_NE(tickText(first + i * step, step), tickText(first + (i + 1) * step, step))
                        << first << " " << step;
            }
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
    const view::ViewDataPtr shown = shownOf({copy, other});
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
