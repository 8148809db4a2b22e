#include "json_tokens.h"

#include <olab/trace/limits.h>

#include <algorithm>
#include <cstring>

namespace olab::io::json_import {
namespace {

constexpr Step kOpen{nullptr, true}, kBad{nullptr, false};

/// The first of two bytes, or `end`.
const char* findEither(const char* at, const char* end, char one, char other) {
    const Bytes16 first = fill16(one), second = fill16(other);
    for (; at < end; at += 16) { // up to 15 bytes of the padding are read
        const Bytes16 block = load16(at);
        const unsigned found = mask16(or16(equal16(block, first), equal16(block, second)));
        if (found != 0) {
            const char* const hit = at + __builtin_ctz(found);
            return hit < end ? hit : end;
        }
    }
    return end;
}

bool isWordEnd(char c) {
    return isSpace(c) || c == ',' || c == '}' || c == ']' || c == '"' || c == '{' || c == '[' || c == ':';
}

/// After a string: a letter there means that there is a quote too few or too many, so that from here on text
/// inside and outside strings is swapped. This would go unnoticed until a bracket in some name fits by
/// chance.
bool mayFollowString(const char* at, const char* end) {
    at = skipSpace(at, end);
    return at == end || *at == ',' || *at == ':' || *at == ']' || *at == '}';
}

/// From the bracket at `at` to after its partner.
Step skipNested(const char* at, const char* end) {
    std::size_t depth = 0;
    Value ignored;
    while (at != end) {
        if (*at == '"') {
            const Step step = takeString(at, end, ignored);
            if (!step.at)
                return step;
            at = step.at;
            if (!mayFollowString(at, end))
                return kBad;
            continue;
        }
        if (*at == '{' || *at == '[')
            ++depth;
        else if ((*at == '}' || *at == ']') && --depth == 0)
            return {at + 1, false};
        ++at;
    }
    return kOpen;
}

Step takeWord(const char* at, const char* end, Value& value) {
    const char* const begin = at;
    while (at != end && !isWordEnd(*at))
        ++at;
    if (at == end)
        return kOpen;
    if (at == begin)
        return kBad;
    const char first = *begin == '-' || *begin == '+' ? begin[1] : *begin;
    const bool isNumber = (first >= '0' && first <= '9') || first == '.';
    value = {begin, static_cast<std::size_t>(at - begin), isNumber ? ValueKind::Number : ValueKind::Word};
    return {at, false};
}

void appendUtf8(std::string& text, std::uint32_t letter) {
    const auto put = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (letter < 0x80)
        return put(letter);
    if (letter < 0x800)
        put(0xc0 | letter >> 6);
    else if (letter < 0x10000)
        put(0xe0 | letter >> 12), put(0x80 | (letter >> 6 & 0x3f));
    else
        put(0xf0 | letter >> 18), put(0x80 | (letter >> 12 & 0x3f)), put(0x80 | (letter >> 6 & 0x3f));
    put(0x80 | (letter & 0x3f));
}

constexpr std::uint32_t kReplacement = 0xfffd;

/// Four hexadecimal digits at `at`; nothing if there are not four.
bool takeHex(std::string_view text, std::size_t at, std::uint32_t& value) {
    if (at + 4 > text.size())
        return false;
    value = 0;
    for (const char c : text.substr(at, 4)) {
        const char lower = static_cast<char>(c | 0x20);
        const bool isDigit = c >= '0' && c <= '9';
        if (!isDigit && (lower < 'a' || lower > 'f'))
            return false;
        value = value * 16 + static_cast<std::uint32_t>(isDigit ? c - '0' : lower - 'a' + 10);
    }
    return true;
}

/// \uXXXX, or two of them for one character; `at` is after the u.
std::size_t appendEscapedLetter(std::string& out, std::string_view text, std::size_t at) {
    std::uint32_t letter = 0, low = 0;
    if (!takeHex(text, at, letter)) {
        appendUtf8(out, kReplacement);
        return at;
    }
    at += 4;
    const bool isHigh = letter >= 0xd800 && letter < 0xdc00;
    if (isHigh && text.substr(at, 2) == "\\u" && takeHex(text, at + 2, low) && low >= 0xdc00 &&
        low < 0xe000) {
        appendUtf8(out, 0x10000 + ((letter - 0xd800) << 10) + (low - 0xdc00));
        return at + 6;
    }
    const bool isHalf = letter >= 0xd800 && letter < 0xe000;
    appendUtf8(out, isHalf || letter < 0x20 ? kReplacement : letter);
    return at;
}

std::string unescaped(std::string_view text) {
    constexpr std::string_view kFrom = "bfnrt", kTo = "\b\f\n\r\t";
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\' || at + 1 == text.size()) {
            out += text[at];
            continue;
        }
        const char c = text[++at];
        const auto known = kFrom.find(c);
        if (c == 'u')
            at = appendEscapedLetter(out, text, at + 1) - 1;
        else if (known != kFrom.npos)
            out += kTo[known];
        else {
            if (c != '"' && c != '\\' && c != '/') // an unescaped Windows path
                out += '\\';
            out += c;
        }
    }
    return out;
}

/// Bytes of the UTF-8 character at the front; 0: invalid.
std::size_t letterSize(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    const std::size_t size = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (size == 0 || first > 0xf4 || size > text.size())
        return 0;
    for (std::size_t i = 1; i < size; ++i)
        if ((byte(i) & 0xc0) != 0x80)
            return 0;
    const bool tooShort = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool noLetter = (first == 0xed && byte(1) >= 0xa0) || (first == 0xf4 && byte(1) >= 0x90);
    return tooShort || noLetter ? 0 : size;
}

bool isAscii64(const char* at) {
    const Bytes16 all = or16(or16(load16(at), load16(at + 16)), or16(load16(at + 32), load16(at + 48)));
    return mask16(all) == 0;
}

std::string cleaned(std::string text) {
    if (std::ranges::all_of(text, [](char c) {
            return static_cast<signed char>(c) >= ' ' && c != 0x7f;
        })) // as nearly all are
        return text;
    std::string out;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t size = letterSize(rest);
        const bool isControl = static_cast<unsigned char>(rest[0]) < 0x20 || rest[0] == 0x7f;
        if (size == 0 || isControl)
            appendUtf8(out, kReplacement);
        else
            out += rest.substr(0, size);
        rest.remove_prefix(size == 0 ? 1 : size);
    }
    return out;
}

} // namespace

Step takeString(const char* at, const char* end, Value& value) {
    const char* const begin = ++at;
    value.kind = ValueKind::String;
    for (;;) {
        at = findEither(at, end, '"', '\\');
        if (at == end)
            return kOpen;
        if (*at == '"')
            break;
        value.kind = ValueKind::EscapedString;
        if (end - at < 2)
            return kOpen;
        at += 2;
    }
    value.at = begin, value.size = static_cast<std::size_t>(at - begin);
    return {at + 1, false};
}

Step takeValue(const char* at, const char* end, Value& value) {
    if (at == end)
        return kOpen;
    if (*at == '"')
        return takeString(at, end, value);
    if (*at != '{' && *at != '[')
        return takeWord(at, end, value);
    const Step step = skipNested(at, end);
    if (step.at)
        value = {at, static_cast<std::size_t>(step.at - at),
                 *at == '{' ? ValueKind::Object : ValueKind::Array};
    return step;
}

std::string textOf(const Value& value) {
    if (value.kind == ValueKind::EscapedString)
        return cleaned(unescaped(value.text()));
    // Longer texts are cut, and reported, where they are stored.
    return cleaned(std::string(value.text().substr(0, 2 * kMaxTextBytes)));
}

WrongText wrongTextIn(std::string_view text) {
    WrongText wrong;
    const char *const begin = text.data(), *const end = begin + text.size();
    for (const char* at = begin; at != end;) {
        if (end - at >= 64 && isAscii64(at)) [[likely]] {
            at += 64;
            continue;
        }
        const std::size_t size =
            static_cast<signed char>(*at) >= 0 ? 1 : letterSize({at, static_cast<std::size_t>(end - at)});
        if (size == 0 && wrong.count++ == 0)
            wrong.first = static_cast<std::size_t>(at - begin);
        at += std::max<std::size_t>(size, 1);
    }
    return wrong;
}

std::string_view numberTextOf(const Value& value) {
    std::string_view text = value.text();
    if (value.kind == ValueKind::Number)
        return text;
    if (value.kind != ValueKind::String)
        return {};
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    return text;
}

} // namespace olab::io::json_import
