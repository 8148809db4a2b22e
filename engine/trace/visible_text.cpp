#include <olab/trace/visible_text.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>

namespace olab {
namespace {

struct Letter {
    char32_t code;
    std::size_t bytes;
};

/// The character at the start of `text`; nothing: the byte is not UTF-8 (RFC 3629: no surrogates, no overlong
/// forms, nothing above U+10FFFF).
std::optional<Letter> letterOf(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return Letter{first, 1};
    const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < bytes)
        return std::nullopt;
    char32_t code = first & (0xffu >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0u) != 0x80)
            return std::nullopt;
        code = code << 6 | (byte(i) & 0x3fu);
    }
    constexpr char32_t kLeast[] = {0x80, 0x800, 0x10000};
    if (code < kLeast[bytes - 2] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return std::nullopt;
    return Letter{code, bytes};
}

constexpr bool isIn(char32_t code, char32_t first, char32_t last) {
    return code >= first && code <= last;
}

/// Active characters beyond ASCII.
bool acts(char32_t code) {
    return isIn(code, 0x80, 0x9f) ||                                   // C1 controls
           code == 0x061c || isIn(code, 0x200e, 0x200f) ||             // marks of direction
           isIn(code, 0x202a, 0x202e) || isIn(code, 0x2066, 0x2069) || // embeddings, isolates
           isIn(code, 0x2028, 0x2029) || isIn(code, 0x206a, 0x206f) || // separators, deprecated
           isIn(code, 0xe0000, 0xe007f) ||                             // tags
           code == 0xfeff || isIn(code, 0xfff9, 0xfffb) ||             // byte order, annotations
           isIn(code, 0xfdd0, 0xfdef) || (code & 0xfffe) == 0xfffe;    // noncharacters
}

std::string written(const char* pattern, std::uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof text, pattern, value);
    return text;
}

constexpr bool isPlain(char c) {
    return c >= 0x20 && c < 0x7f;
}

std::string made(std::string_view text, bool keepsLines) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto plain = static_cast<std::size_t>(std::ranges::find_if_not(text, isPlain) - text.begin());
        out += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty())
            break;
        const auto letter = letterOf(text);
        const char first = text.front();
        if (!letter || (letter->code < 0x80 && !(keepsLines && (first == '\n' || first == '\t'))))
            out += written("\\x%02x", static_cast<unsigned char>(first));
        else if (letter->code >= 0x80 && acts(letter->code))
            out += written("<U+%04X>", letter->code);
        else
            out += text.substr(0, letter->bytes);
        text.remove_prefix(letter ? letter->bytes : 1);
    }
    return out;
}

} // namespace

std::string visibleText(std::string_view text) {
    return made(text, false);
}

std::string visibleLines(std::string_view text) {
    return made(text, true);
}

std::string validUtf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto letter = letterOf(text);
        out += letter ? text.substr(0, letter->bytes) : "\xef\xbf\xbd";
        text.remove_prefix(letter ? letter->bytes : 1);
    }
    return out;
}

} // namespace olab
