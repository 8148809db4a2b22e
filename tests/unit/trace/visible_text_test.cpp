// Text of a file as a person may see it: nothing in it acts on a terminal, in XML, or on the order of
// reading.
#include <olab/trace/visible_text.h>

#include <gtest/gtest.h>

#include <random>

using namespace olab;

namespace {

/// Strictly: RFC 3629.
bool isUtf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto at = [&](std::size_t k) {
            return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
        };
        const unsigned c = at(i);
        const std::size_t length = c < 0x80                ? 1
                                   : c >= 0xc2 && c < 0xe0 ? 2
                                   : c >= 0xe0 && c < 0xf0 ? 3
                                   : c >= 0xf0 && c < 0xf5 ? 4
                                                           : 0;
        if (length == 0 || (c == 0xe0 && at(i + 1) < 0xa0) || (c == 0xed && at(i + 1) > 0x9f) ||
            (c == 0xf0 && at(i + 1) < 0x90) || (c == 0xf4 && at(i + 1) > 0x8f))
            return false;
        for (std::size_t k = 1; k < length; ++k)
            if ((at(i + k) & 0xc0) != 0x80)
                return false;
        i += length;
    }
    return true;
}

} // namespace

TEST(VisibleText, OrdinaryTextStaysAsItIs) {
    for (const char* text :
         {"", "NVIDIA H200", "reduce<float, 128>(int*)", "größe 核心 µs 🙂", "a\\b\"c'<d>&"})
        EXPECT_EQ(visibleText(text), text);
}

TEST(VisibleText, WhatATerminalObeysIsWrittenOut) {
    EXPECT_EQ(visibleText("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
    EXPECT_EQ(visibleText("spin\noverlapped 100 %\r\t\x07\x08\x7f"),
              "spin\\x0aoverlapped 100 %\\x0d\\x09\\x07\\x08\\x7f");
    EXPECT_EQ(visibleText(std::string_view("a\0b", 3)), "a\\x00b");
    EXPECT_EQ(visibleText("\xc2\x9b"
                          "31m"),
              "<U+009B>31m")
        << "the C1 way to say ESC [";
    EXPECT_EQ(visibleText("\x9b"), "\\x9b") << "the same as a byte";
}

TEST(VisibleText, WhatTurnsTheOrderOfReadingIsWrittenOut) {
    EXPECT_EQ(visibleText("\u202egnp.exe"), "<U+202E>gnp.exe");
    for (const char* text : {"\u061c", "\u200e", "\u200f", "\u202a", "\u2066", "\u2069", "\u2028", "\u2029",
                             "\ufeff", "\ufffe", "\U000e0041", "\U0010ffff"})
        EXPECT_EQ(visibleText(text).substr(0, 3), "<U+") << visibleText(text);
    EXPECT_EQ(visibleText("\u05e9\u05dc\u05d5\u05dd"), "\u05e9\u05dc\u05d5\u05dd") << "Hebrew is text";
}

TEST(VisibleText, WhatIsNotUtf8IsWrittenOutByteForByte) {
    EXPECT_EQ(visibleText("a\xff\xfe"), "a\\xff\\xfe");
    EXPECT_EQ(visibleText("\xc0\xaf"), "\\xc0\\xaf") << "longer than needed";
    EXPECT_EQ(visibleText("\xe2\x80"), "\\xe2\\x80") << "cut";
    EXPECT_EQ(visibleText("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
    EXPECT_EQ(visibleText("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "above U+10FFFF";
    EXPECT_EQ(visibleText("\xe2\x28\xa1"), "\\xe2(\\xa1");
}

TEST(VisibleText, LinesOfOurOwnKeepTheirEnds) {
    EXPECT_EQ(visibleLines("a\n\tb\x1b"), "a\n\tb\\x1b");
}

TEST(VisibleText, ForOtherToolsOnlyWhatIsNotUtf8IsReplaced) {
    EXPECT_EQ(validUtf8("a\x1b\n\xc3\xbc\xe2\x80\xae"), "a\x1b\n\xc3\xbc\xe2\x80\xae");
    EXPECT_EQ(validUtf8("\xff-\xc3-\xed\xa0\x80"),
              "\xef\xbf\xbd-\xef\xbf\xbd-\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(VisibleText, OfAnyBytesIsValidAndDoesNothing) {
    std::mt19937 random(7);
    for (int i = 0; i < 20'000; ++i) {
        std::string text(random() % 24, '\0');
        for (char& c : text)
            c = static_cast<char>(random() % 3 == 0 ? random() % 128 : random() % 256);
        const std::string shown = visibleText(text);
        ASSERT_TRUE(isUtf8(shown)) << i;
        for (const char c : shown)
            ASSERT_FALSE(static_cast<unsigned char>(c) < 0x20 || c == 0x7f) << i;
        ASSERT_EQ(visibleText(shown), shown) << "what is shown is text itself";
    }
}
