#include <olab/trace/limits.h>

namespace olab {

std::string_view cutText(std::string_view text, std::size_t most) {
    if (text.size() <= most)
        return text;
    constexpr std::size_t kLongestLetter = 4;
    std::size_t end = most;
    while (end > 0 && most - end < kLongestLetter && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
        --end;
    return text.substr(0, end);
}

namespace {

/// The nesting depth of the brackets in a text; stops counting beyond `most`. Brackets inside strings are
/// text.
int depthOf(std::string_view text, int most) {
    int depth = 0, deepest = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size() && deepest <= most; ++i) {
        const char c = text[i];
        if (quoted) {
            i += c == '\\' ? 1 : 0;
            quoted = c != '"';
        } else if (c == '"')
            quoted = true;
        else if (c == '[' || c == '{')
            deepest = ++depth > deepest ? depth : deepest;
        else if (c == ']' || c == '}')
            --depth;
    }
    return deepest;
}

} // namespace

std::string whyNotParsed(std::string_view text, JsonLimits limits) {
    if (text.size() > limits.bytes)
        return "it is longer than " + std::to_string(limits.bytes) + " bytes";
    if (depthOf(text, limits.depth) > limits.depth)
        return "it is nested more than " + std::to_string(limits.depth) + " deep";
    return {};
}

} // namespace olab
