#include "event_values.h"

#include "../cuda_kinds.h"

#include <olab/trace/value_text.h>

#include <algorithm>
#include <limits>

namespace olab::io::json_import {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kUnit = 1'000'000'000'000'000'000; // of ExactTime::rest in a nanosecond
constexpr int kMostDigits = 38;                            // that fit in Wide
constexpr int kMostExponent = 100'000;

Wide powerOfTen(int exponent) {
    Wide power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// digits * 10^exponent, possibly plus a little more.
struct Decimal {
    Wide digits = 0;
    int exponent = 0;
    bool negative = false, more = false;
};

/// Removes leading digits from `text`; false: there were none.
bool takeDigits(std::string_view& text, Decimal& number, int& count, bool isFraction) {
    const std::size_t before = text.size();
    for (; !text.empty() && isDigit(text.front()); text.remove_prefix(1)) {
        if (count == kMostDigits) { // irrelevant, except for values exactly between two numbers
            number.more = number.more || text.front() != '0';
            number.exponent += isFraction ? 0 : 1;
            continue;
        }
        number.digits = number.digits * 10 + static_cast<unsigned>(text.front() - '0');
        number.exponent -= isFraction ? 1 : 0;
        count += number.digits != 0 ? 1 : 0;
    }
    return text.size() < before;
}

bool takeExponent(std::string_view text, Decimal& number) {
    text.remove_prefix(1);
    const bool negative = !text.empty() && text.front() == '-';
    if (!text.empty() && (text.front() == '-' || text.front() == '+'))
        text.remove_prefix(1);
    if (text.empty() || !std::ranges::all_of(text, isDigit))
        return false;
    int exponent = 0;
    for (const char c : text)
        exponent = std::min(kMostExponent, exponent * 10 + (c - '0'));
    number.exponent += negative ? -exponent : exponent;
    return true;
}

std::optional<Decimal> decimalFrom(std::string_view text) {
    Decimal number;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        number.negative = text.front() == '-';
        text.remove_prefix(1);
    }
    int count = 0;
    bool any = takeDigits(text, number, count, false);
    if (!text.empty() && text.front() == '.') {
        text.remove_prefix(1);
        any = takeDigits(text, number, count, true) || any;
    }
    if (!any || (!text.empty() && text.front() != 'e' && text.front() != 'E'))
        return std::nullopt;
    if (!text.empty() && !takeExponent(text, number))
        return std::nullopt;
    return number;
}

/// Without sign: the whole part of digits * 10^exponent, and the rest in units of kUnit.
std::optional<ExactTime> scaled(const Decimal& number) {
    constexpr auto kMost = static_cast<Wide>(std::numeric_limits<Ns>::max());
    ExactTime time;
    time.more = number.more;
    if (number.digits == 0)
        return time;
    if (number.exponent >= 0) {
        Wide whole = 0;
        if (number.exponent > 18 ||
            __builtin_mul_overflow(number.digits, powerOfTen(number.exponent), &whole) || whole > kMost)
            return std::nullopt;
        time.whole = static_cast<Ns>(whole);
        return time;
    }
    if (number.exponent < -kMostDigits) {
        time.more = true;
        return time;
    }
    const Wide unit = powerOfTen(-number.exponent);
    const Wide whole = number.digits / unit, rest = number.digits % unit;
    if (whole > kMost)
        return std::nullopt;
    time.whole = static_cast<Ns>(whole);
    if (const int spare = 18 + number.exponent; spare >= 0)
        time.rest = static_cast<std::uint64_t>(rest * powerOfTen(spare));
    else {
        time.rest = static_cast<std::uint64_t>(rest / powerOfTen(-spare));
        time.more = time.more || rest % powerOfTen(-spare) != 0;
    }
    return time;
}

ExactTime negated(const ExactTime& time) {
    if (time.rest == 0 && !time.more)
        return {-time.whole, 0, false};
    return {-time.whole - 1, kUnit - time.rest - (time.more ? 1 : 0), time.more};
}

/// Eight digits at once: pairs, then fours, then all.
std::uint64_t eightDigits(const char* at) {
    std::uint64_t value = 0;
    __builtin_memcpy(&value, at, sizeof value);
    value -= 0x3030303030303030u;
    value = value * 10 + (value >> 8);
    constexpr std::uint64_t kMask = 0x000000ff000000ffu;
    return ((value & kMask) * 0x000f424000000064u + ((value >> 16) & kMask) * 0x0000271000000001u) >> 32;
}

bool areEightDigits(const char* at) {
    std::uint64_t value = 0;
    __builtin_memcpy(&value, at, sizeof value);
    return ((value & 0xf0f0f0f0f0f0f0f0u) | (((value + 0x0606060606060606u) & 0xf0f0f0f0f0f0f0f0u) >> 4)) ==
           0x3333333333333333u;
}

/// Up to 18 digits. @returns where they end
const char* takeWhole(const char* at, const char* end, std::uint64_t& value) {
    while (end - at >= 8 && areEightDigits(at)) {
        value = value * 100'000'000 + eightDigits(at);
        at += 8;
    }
    for (; at != end && isDigit(*at); ++at)
        value = value * 10 + static_cast<unsigned>(*at - '0');
    return at;
}

constexpr std::size_t kMostPlain = 18; // digits that fit, plus three decimals without the point

} // namespace

std::optional<Ns> ExactTime::rounded() const {
    const bool up = rest > kUnit / 2 || (rest == kUnit / 2 && (more || whole % 2 != 0));
    if (up && whole == std::numeric_limits<Ns>::max())
        return std::nullopt;
    return whole + (up ? 1 : 0);
}

std::optional<ExactTime> ExactTime::plus(const ExactTime& other) const {
    ExactTime sum;
    sum.rest = rest + other.rest; // both are below 1e18
    const bool carry = sum.rest >= kUnit;
    sum.rest -= carry ? kUnit : 0;
    sum.more = more || other.more;
    if (__builtin_add_overflow(whole, other.whole, &sum.whole) ||
        __builtin_add_overflow(sum.whole, Ns{carry ? 1 : 0}, &sum.whole))
        return std::nullopt;
    return sum;
}

std::optional<ExactTime> timeFromMicros(std::string_view text) {
    if (!text.empty() && text.size() <= kMostPlain) { // digits, a point and up to three more
        std::uint64_t value = 0;
        const char* const end = text.data() + text.size();
        const char* at = takeWhole(text.data(), end, value);
        if (at == end && text.size() <= 15)
            return ExactTime{static_cast<Ns>(value * 1000)};
        const std::size_t decimals = static_cast<std::size_t>(end - at) - 1;
        if (at != text.data() && at != end && *at == '.' && decimals >= 1 && decimals <= 3) {
            unsigned rest = 0;
            constexpr unsigned kScale[] = {0, 100, 10, 1};
            for (++at; at != end && isDigit(*at); ++at)
                rest = rest * 10 + static_cast<unsigned>(*at - '0');
            if (at == end)
                return ExactTime{static_cast<Ns>(value * 1000 + rest * kScale[decimals])};
        }
    }
    std::optional<Decimal> number = decimalFrom(text);
    if (!number)
        return std::nullopt;
    number->exponent += 3; // to nanoseconds
    const auto time = scaled(*number);
    return time && number->negative ? negated(*time) : time;
}

std::optional<std::int64_t> wholeFromText(std::string_view text) {
    const std::optional<Decimal> number = decimalFrom(text);
    const auto whole = number ? scaled(*number) : std::nullopt;
    if (!whole || whole->rest != 0 || whole->more)
        return std::nullopt;
    return number->negative ? -whole->whole : whole->whole;
}

namespace {

MemoryKind memoryKindFrom(std::string_view name) {
    constexpr std::pair<std::string_view, MemoryKind> kKinds[] = {
        {"Pageable", MemoryKind::Pageable},
        {"Pinned", MemoryKind::Pinned},
        {"Device", MemoryKind::Device},
        {"Array", MemoryKind::Array},
        {"Managed", MemoryKind::Managed},
        {"Device Static", MemoryKind::DeviceStatic},
        {"Managed Static", MemoryKind::ManagedStatic}};
    for (const auto& [known, kind] : kKinds)
        if (known == name)
            return kind;
    return MemoryKind::Unknown;
}

} // namespace

bool saysNone(const Value& value) {
    const bool isWord = value.kind == ValueKind::Word || value.kind == ValueKind::String;
    return value.kind == ValueKind::Missing || (isWord && (value.text() == "null" || value.text() == "N/A"));
}

std::string_view faultOfTime(TimeFault fault) {
    return fault == TimeFault::Missing ? "events without a time"
           : fault == TimeFault::NoNumber
               ? "events whose time is not a JSON number (NaN, Infinity, text)"
               : "events whose time is out of range: beyond 64 bits of nanoseconds";
}

std::string_view faultOfLength(TimeFault fault) {
    return fault == TimeFault::Missing    ? "events that have not ended: they have no duration"
           : fault == TimeFault::NoNumber ? "events whose duration is not a JSON number (NaN, Infinity, text)"
                                          : "events whose end is out of range: beyond 64 bits of nanoseconds";
}

Category categoryOf(std::string_view text) {
    const std::string lower = lowerText(text);
    if (lower == "kernel" || lower == "concurrent_kernel")
        return Category::Kernel;
    if (lower == "gpu_memcpy" || lower == "memcpy")
        return Category::Memcpy;
    if (lower == "gpu_memset" || lower == "memset")
        return Category::Memset;
    if (lower == "runtime" || lower.ends_with("_runtime") || lower.ends_with("_driver"))
        return Category::Api;
    if (lower == "cuda_sync")
        return Category::Sync;
    return lower == "overhead" ? Category::Overhead : Category::Other;
}

ActivityClass copyClass(std::string_view name) {
    std::string plain = lowerText(name);
    std::erase_if(plain, [](char c) { return c == ' ' || c == '_'; });
    return imports::copyClassOfLetters(plain);
}

ClassMask classesOf(Category category) {
    switch (category) {
    case Category::Kernel:
        return maskOf(ActivityClass::Kernel);
    case Category::Memcpy:
        return kCopyClasses;
    case Category::Memset:
        return maskOf(ActivityClass::Memset);
    case Category::Api:
        return maskOf(ActivityClass::Api);
    case Category::Sync:
        return maskOf(ActivityClass::Sync);
    case Category::Overhead:
        return maskOf(ActivityClass::Overhead);
    case Category::Other:
        break;
    }
    return maskOf(ActivityClass::Nvtx);
}

ClassMask touchedBy(std::string_view broken) {
    const auto key = broken.find("\"cat\"");
    if (key == broken.npos)
        return kAllClasses;
    const auto open = broken.find('"', key + 5);
    const auto close = open == broken.npos ? open : broken.find('"', open + 1);
    if (close == broken.npos)
        return kAllClasses;
    const std::string_view word = broken.substr(open + 1, close - open - 1);
    return classesOf(categoryOf(textOf({word.data(), word.size(), ValueKind::EscapedString})));
}

std::pair<MemoryKind, MemoryKind> memoryIn(std::string_view name) {
    const auto open = name.rfind('('), close = name.rfind(')');
    if (open == name.npos || close == name.npos || close < open)
        return {};
    const std::string_view inside = name.substr(open + 1, close - open - 1);
    const auto arrow = inside.find(" -> ");
    if (arrow == inside.npos)
        return {MemoryKind::Unknown, memoryKindFrom(inside)};
    return {memoryKindFrom(inside.substr(0, arrow)), memoryKindFrom(inside.substr(arrow + 4))};
}

TimeFault faultOf(const Value& value, bool isTime) {
    if (isTime)
        return TimeFault::None;
    const bool isNull = value.kind == ValueKind::Word && value.text() == "null";
    if (value.kind == ValueKind::Missing || isNull)
        return TimeFault::Missing;
    const std::string_view text = numberTextOf(value);
    const bool isNumber =
        std::ranges::any_of(text, [](char c) { return c >= '0' && c <= '9'; }) &&
        std::ranges::all_of(text, [](char c) {
            return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
        });
    return isNumber ? TimeFault::TooFar : TimeFault::NoNumber;
}

} // namespace olab::io::json_import
