// A template says of every event what the general parser does, however its values change.
#include "import/json/event_template.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace olab::io::json_import {
namespace {

/// Behind what is parsed there is padding, and behind that nothing.
struct Padded {
    explicit Padded(std::string_view text)
        : bytes(text)
        , size(text.size()) {
        bytes.append(kPadding, '\0');
    }
    const char* begin() const { return bytes.data(); }
    const char* end() const { return bytes.data() + size; }
    std::string bytes;
    std::size_t size;
};

void expectSame(const Parsed& fast, const Event& a, const Parsed& slow, const Event& b) {
    ASSERT_EQ(fast.end, slow.end);
    ASSERT_EQ(fast.at, slow.at);
    for (std::size_t f = 1; fast.end == ParseEnd::Whole && f < kFields; ++f) {
        const auto field = static_cast<Field>(f);
        ASSERT_EQ(a.has(field), b.has(field)) << f;
        ASSERT_EQ(a[field].kind, b[field].kind) << f;
        ASSERT_EQ(a[field].text(), b[field].text()) << f;
    }
}

/// One event after the other, by templates and by the general parser.
void expectSame(const std::vector<std::string>& events, bool isWide) {
    EventTemplates templates(isWide);
    Event fast, slow;
    for (const std::string& event : events) {
        const Padded text(event);
        SCOPED_TRACE(event);
        const Parsed x = templates.parse(text.begin(), text.end(), fast);
        expectSame(x, fast, parseEvent(text.begin(), text.end(), slow), slow);
        if (testing::Test::HasFatalFailure())
            return;
    }
}

void expectSame(const std::vector<std::string>& events) {
    expectSame(events, false);
    if (hasWideVectors())
        expectSame(events, true);
}

using Random = std::mt19937;

std::string event(const std::string& name, const std::string& ts, const std::string& dur,
                  const std::string& stream, const std::string& odd = "0") {
    return R"({ "ph": "X", "cat": "kernel", "name": ")" + name + R"(", "pid": 0, "tid": 7, "ts": )" + ts +
           R"(, "dur": )" + dur + R"(, "args": {"External id": 5, "device": 0, "stream": )" + stream +
           R"(, "odd": )" + odd + R"(, "grid": [128, 1, 1], "correlation": 77}})";
}

TEST(EventTemplate, NumbersOfAnyLength) {
    Random random(1);
    std::vector<std::string> events;
    for (int i = 0; i < 3000; ++i)
        events.push_back(event("k", "1365627862" + std::to_string(random() % 1000) + ".125",
                               std::to_string(random() % 100'000) + ".5", std::to_string(i)));
    expectSame(events);
}

TEST(EventTemplate, ALengthThatChangesSeldom) {
    std::vector<std::string> events;
    for (int i = 0; i < 12'000; ++i)
        events.push_back(event("k", "10.125", "2.000", std::to_string(i)));
    expectSame(events);
}

TEST(EventTemplate, ValuesThatAreNoPlainNumbers) {
    const char* const kOdd[] = {"1",    "-5",    "1e5",  "1.5E+3",  ".5",  "+1",      "12/3", "1-2",
                                "\"\"", "\"7\"", "null", "NaN",     "[1]", "{}",      "00",   "1:2",
                                "-",    "1e",    "true", "\"\\n\"", "9",   "\"a b\"", "1.",   "--1"};
    Random random(2);
    std::vector<std::string> events;
    for (int i = 0; i < 3000; ++i)
        events.push_back(
            event("k", "1.0", "2.0", kOdd[random() % std::size(kOdd)], kOdd[random() % std::size(kOdd)]));
    expectSame(events);
}

TEST(EventTemplate, NamesOfAnyLength) {
    Random random(3);
    const std::string kPieces[] = {
        "", "a", "cudaLaunchKernel", "\xc3\xa9", "\\\"", std::string(300, 'x'), std::string(64, 'y'), "\x01"};
    std::vector<std::string> events;
    for (int i = 0; i < 3000; ++i)
        events.push_back(event(kPieces[i < 1000 ? 2 : random() % std::size(kPieces)], "1.0", "2.0", "7"));
    expectSame(events);
}

TEST(EventTemplate, CutAnywhere) {
    const std::string whole = event("name", "1365627862.125", "2.5", "7");
    std::vector<std::string> events(20, whole);
    for (std::size_t size = 1; size < whole.size(); ++size) {
        events.push_back(whole.substr(0, size));
        events.push_back(whole);
    }
    expectSame(events);
}

/// Buffers are used again: what lies behind the end looks like what was cut off.
TEST(EventTemplate, WhatLiesBehindTheEndIsNothing) {
    for (const bool isWide : {false, true}) {
        if (isWide && !hasWideVectors())
            continue;
        EventTemplates templates(isWide);
        Event fast, slow;
        for (int i = 0; i < 100; ++i) { // names and numbers of many lengths, so that these are open
            const Padded text(event(std::string(static_cast<std::size_t>(i % 40), 'n'), "1.0",
                                    std::to_string(1 << i % 20), std::to_string(1 << i % 10)));
            const Parsed known = templates.parse(text.begin(), text.end(), fast);
            expectSame(known, fast, parseEvent(text.begin(), text.end(), slow), slow);
        }
        const Padded text(event("name", "1.0", "250", "70"));
        for (const char* end = text.begin() + 1; end != text.end(); ++end) {
            const Parsed cut = templates.parse(text.begin(), end, fast);
            expectSame(cut, fast, parseEvent(text.begin(), end, slow), slow);
        }
    }
}

TEST(EventTemplate, OneByteChanged) {
    const std::string whole = event("name", "1365627862.125", "2.5", "7");
    std::vector<std::string> events(20, whole);
    for (std::size_t i = 0; i < whole.size(); ++i)
        for (const char c : {'"', '0', '}', ',', ':', '\\', '/', '-', ' ', '\xff', '\0'}) {
            events.push_back(whole);
            events.back()[i] = c;
        }
    expectSame(events);
}

TEST(EventTemplate, OfAnEventTooLongToBeLearned) {
    expectSame({event(std::string(100'000, 'n'), "1.0", "2.0", "7"),
                event(std::string(100'000, 'n'), "1.0", "2.0", "7")});
}

TEST(EventTemplate, KeepsOnlyWhatIsAskedFor) {
    const Padded text(event("name", "1.0", "2.0", "7"));
    EventTemplates templates;
    Event found;
    templates.parse(text.begin(), text.end(), found); // learned, and then known
    templates.parse(text.begin(), text.end(), found);
    ASSERT_NE(templates.note(), nullptr);
    templates.keepOnly(Event::maskOf(Field::Ts) | Event::maskOf(Field::Phase));
    templates.parse(text.begin(), text.end(), found);
    EXPECT_EQ(found[Field::Ts].text(), "1.0");
    EXPECT_EQ(found[Field::Phase].text(), "X");
    EXPECT_FALSE(found.has(Field::Dur));
    EXPECT_FALSE(found.has(Field::Category));
}

} // namespace
} // namespace olab::io::json_import
