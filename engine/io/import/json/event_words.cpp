#include "event_words.h"

#include "../cuda_kinds.h"

#include <algorithm>

namespace olab::io::json_import {
namespace {

std::string lowered(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return lower;
}

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
    const std::string lower = lowered(text);
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
    std::string plain = lowered(name);
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
