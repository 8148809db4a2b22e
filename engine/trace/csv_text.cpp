#include <olab/trace/csv_text.h>

#include <olab/trace/visible_text.h>

#include <algorithm>

namespace olab {
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

} // namespace olab
