#include <olab/trace/value_text.h>

#include <olab/trace/visible_text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>

namespace olab {
namespace {

std::string textOf(double value, std::chars_format format, int digits) {
    std::array<char, 400> text{}; // the largest double has 309 digits before the point
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value, format, digits);
    return error == std::errc() ? std::string(text.data(), end) : std::string("?");
}

} // namespace

std::string fixedText(double value, int digits) {
    return textOf(value, std::chars_format::fixed, digits);
}

std::string shortText(double value, int digits) {
    return textOf(value, std::chars_format::general, digits);
}

std::string lowerText(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return lower;
}

std::string isoTimeUtc() {
    return isoTimeUtc(std::int64_t{std::time(nullptr)});
}

std::string isoTimeUtc(std::int64_t seconds) {
    const auto since1970 = static_cast<std::time_t>(seconds);
    std::tm parts{};
    char text[32];
    if (!gmtime_r(&since1970, &parts) || std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        return {};
    return text;
}

namespace {

bool beginsAsFormula(std::string_view text) {
    constexpr std::string_view kBegins[] = {"=",
                                            "+",
                                            "-",
                                            "@", // and in full width, "＝" to "＠":
                                            "\xef\xbc\x9d",
                                            "\xef\xbc\x8b",
                                            "\xef\xbc\x8d",
                                            "\xef\xbc\xa0",
                                            "\t",
                                            "\r",
                                            "\n"};
    return std::ranges::any_of(kBegins, [&](std::string_view begin) { return text.starts_with(begin); });
}

} // namespace

std::string csvText(std::string_view text) {
    const std::string shown = (beginsAsFormula(text) ? "'" : "") + visibleLines(text);
    if (shown.find_first_of("\",\r\n") == shown.npos)
        return shown;
    std::string out = "\"";
    for (const char c : shown)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

std::string uuidText(const char (&bytes)[16]) {
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        char two[4];
        std::snprintf(two, sizeof two, "%02x", static_cast<unsigned>(static_cast<unsigned char>(bytes[i])));
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        text += two;
    }
    return text;
}

} // namespace olab
