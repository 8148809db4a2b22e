// Decimal text of microseconds to nanoseconds, without a double.
#include "import/json/event_values.h"

#include <gtest/gtest.h>

namespace olab::io::json_import {
namespace {

std::optional<Ns> ns(std::string text) {
    const auto time = timeFromMicros(text);
    return time ? time->rounded() : std::nullopt;
}

TEST(DecimalTime, TakesWhatTracesWrite) {
    EXPECT_EQ(ns("5"), 5000);
    EXPECT_EQ(ns("5.7"), 5700);
    EXPECT_EQ(ns("5.07"), 5070);
    EXPECT_EQ(ns("2239812505551.474"), 2239812505551474);
    EXPECT_EQ(ns("1712180123456456.789"), 1712180123456456789); // a double would miss it by up to 253 ns
    EXPECT_EQ(ns("1606911006433250"), 1606911006433250000);
    EXPECT_EQ(ns("9716165.5710000005"), 9716165571);
    EXPECT_EQ(ns("-3.25"), -3250);
    EXPECT_EQ(ns("+1"), 1000);
    EXPECT_EQ(ns("1.5e3"), 1500000);
    EXPECT_EQ(ns("12E-1"), 1200);
    EXPECT_EQ(ns(".5"), 500);
    EXPECT_EQ(ns("00012.000"), 12000);
}

TEST(DecimalTime, RoundsHalvesToTheEvenNanosecond) {
    EXPECT_EQ(ns("0.0005"), 0);
    EXPECT_EQ(ns("0.0015"), 2);
    EXPECT_EQ(ns("0.00050000000000000000000000000000000000000000000000000001"), 1);
    EXPECT_EQ(ns("-0.0005"), 0);
    EXPECT_EQ(ns("-0.0015"), -2);
    EXPECT_EQ(ns("-0.0006"), -1);
    EXPECT_EQ(ns("1e-40"), 0);
}

TEST(DecimalTime, AddsBeforeItRounds) {
    const auto sum = timeFromMicros("0.0004")->plus(*timeFromMicros("0.0004"));
    EXPECT_EQ(sum->rounded(), 1);
    EXPECT_EQ(timeFromMicros("-0.0004")->plus(*timeFromMicros("0.0004"))->rounded(), 0);
}

TEST(DecimalTime, RefusesWhatIsNoTime) {
    for (const char* text : {"", "-", ".", "N/A", "nan", "1.2.3", "1e", "1e+", "12 ", "0x10",
                             "9223372036854776", "99999999999999999999", "1e400", "--1"})
        EXPECT_FALSE(ns(text)) << text;
    EXPECT_EQ(ns("9223372036854775.807"), std::numeric_limits<Ns>::max());
    EXPECT_FALSE(timeFromMicros("9223372036854775.807")->plus(*timeFromMicros("0.001")));
}

TEST(DecimalTime, TheShortWaysAgreeWithTheLongOne) {
    std::uint64_t state = 1;
    for (int i = 0; i < 100'000; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const std::uint64_t whole = (state >> 20) >> (state % 44);
        const unsigned rest = static_cast<unsigned>(state >> 40) % 1000;
        const std::string decimals = std::to_string(1000 + rest).substr(1);
        const std::string text = std::to_string(whole) + "." + decimals, padded = text + std::string(16, 'x');
        Ns plain = 0;
        const auto exact = ns(text + "0"); // has four decimals: the long way
        const bool isPlain = plainMicros({padded.data(), text.size()}, plain);
        ASSERT_TRUE(!isPlain || plain == exact) << text;
        ASSERT_EQ(ns(text), exact) << text;
        const std::string number = std::to_string(whole), room = number + std::string(16, '7');
        ASSERT_EQ(wholeNumberIn({room.data(), number.size()}), static_cast<std::int64_t>(whole)) << number;
    }
    Ns plain = 0;
    for (const std::string text : {"1:.000", "12.00:", "/2.000", "1 .000"})
        EXPECT_FALSE(plainMicros({(text + "0000000000000000").data(), text.size()}, plain)) << text;
}

} // namespace
} // namespace olab::io::json_import
