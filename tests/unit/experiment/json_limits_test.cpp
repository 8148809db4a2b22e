#include <olab/experiment/held_experiment.h>
#include <olab/trace/error.h>
#include <olab/trace/limits.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>

namespace olab::experiment {
namespace {

using nlohmann::json;

constexpr std::int64_t kLow = std::numeric_limits<std::int64_t>::min(),
                       kHigh = std::numeric_limits<std::int64_t>::max();

TEST(JsonNumber, AWholeNumberIsOneThatFits) {
    EXPECT_EQ(wholeNumber(json(7), 0, 10), 7);
    EXPECT_EQ(wholeNumber(json(-7), -7, 10), -7);
    EXPECT_EQ(wholeNumber(json(kLow), kLow, kHigh), kLow);
    EXPECT_EQ(wholeNumber(json(kHigh), kLow, kHigh), kHigh);
    EXPECT_EQ(wholeNumber(json::parse("9223372036854775807"), kLow, kHigh), kHigh);
}

TEST(JsonNumber, AllElseIsNone) {
    for (const char* text :
         {"11", "-1", "7.0", "1e300", "-1e300", "9223372036854775808", "18446744073709551615",
          "99999999999999999999", "true", "null", "\"7\"", "[7]", "{}"})
        EXPECT_EQ(wholeNumber(json::parse(text), 0, 10), std::nullopt) << text;
    EXPECT_EQ(wholeNumber(json::parse("18446744073709551615"), kLow, kHigh), std::nullopt);
    EXPECT_EQ(wholeNumber(json(std::numeric_limits<double>::quiet_NaN()), kLow, kHigh), std::nullopt);
}

TEST(JsonNumber, ARealNumberIsFiniteAndInRange) {
    EXPECT_EQ(realNumber(json(0.5), 0, 1), 0.5);
    EXPECT_EQ(realNumber(json(1), 0, 1), 1.0);
    for (const char* text : {"1e300", "-0.1", "true", "null", "\"0.5\"", "[]"})
        EXPECT_EQ(realNumber(json::parse(text), 0, 1), std::nullopt) << text;
    EXPECT_EQ(realNumber(json(std::numeric_limits<double>::infinity()), 0, 1e308), std::nullopt);
}

TEST(JsonLimits, DepthCountsBracketsOutsideOfTexts) {
    const JsonLimits two{.bytes = 1000, .depth = 2};
    for (const char* text :
         {"[[1]]", "[[1],[2],{\"a\":1}]", R"(["[[[[", "\"[[[["])", R"(["\\",[1]])", "", "]]]]["})
        EXPECT_EQ(whyNotParsed(text, two), "") << text;
    for (const char* text : {"[[[", R"({"a":[{"b":1}]})", R"(["\\",[[1]]])"})
        EXPECT_NE(whyNotParsed(text, two), "") << text;
    EXPECT_NE(whyNotParsed(std::string(1001, ' '), two), "");
}

TEST(JsonLimits, WhatIsNoJsonSaysWhy) {
    for (const char* text :
         {"", "{", "1e999", "{\"a\": 1e999}", "{\"a\": -1e999}", "nul", "\"\\ud800\"", "\"\xff\""}) {
        std::string why;
        EXPECT_EQ(parsedJson<json>(text, why), std::nullopt) << text;
        EXPECT_FALSE(why.empty()) << text;
    }
    std::string why = "before";
    EXPECT_EQ(parsedJson<json>("[1]", why), json::parse("[1]"));
    EXPECT_EQ(why, "");
    EXPECT_EQ(parsedJson<json>("[" + std::string(5000, 'x'), why), std::nullopt);
    EXPECT_LT(why.size(), 300u) << "a parser quotes what it read";
}

/// Whatever is no experiment is an error of use, never an exception of the parser and never another number.
TEST(JsonLimits, AnExperimentOfImpossibleNumbersIsRefused) {
    for (const std::string value : {"1e999", "-1e999", "1e300", "2.5", "2.0", "99999999999999999999",
                                    "9223372036854775808", "-1", "null", "[]", "{}", "[[1]]"}) {
        for (const char* key : {"streams", "h2d.bytes", "iterations"}) {
            try {
                experimentFromJson("{\"" + std::string(key) + "\": " + value + "}");
                ADD_FAILURE() << "accepted: " << key << " " << value;
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::Usage) << key << " " << value;
            }
        }
    }
}

TEST(JsonLimits, AnExperimentOfAbsurdDepthOrLengthIsRefused) {
    for (const std::string& text :
         {std::string(100'000, '['), "{\"streams\": " + std::string(2'000'000, ' ') + "2}"}) {
        try {
            experimentFromJson(text);
            ADD_FAILURE();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), "bad-json");
        }
    }
}

} // namespace
} // namespace olab::experiment
