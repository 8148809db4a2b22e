// What the words of an event say: its category, the name of a copy, a time that is none. Private to io.
#pragma once

#include "json_tokens.h"

#include <olab/trace/records.h>

#include <string_view>
#include <utility>

namespace olab::io::json_import {

/// What a category says about an event.
enum class Category : std::uint8_t { Other, Kernel, Memcpy, Memset, Api, Sync, Overhead };
Category categoryOf(std::string_view text);
constexpr bool isGpu(Category c) {
    return c == Category::Kernel || c == Category::Memcpy || c == Category::Memset;
}
ClassMask classesOf(Category category);
/// The category of a broken event, to estimate what it may have been.
ClassMask touchedBy(std::string_view broken);
/// The class of a copy by its name, as in the counting contract.
ActivityClass copyClass(std::string_view name);
/// "(Pinned -> Device)" at the end of a name, or "(Device)".
std::pair<MemoryKind, MemoryKind> memoryIn(std::string_view name);

/// Missing, or a word that writers use for that: null, N/A.
bool saysNone(const Value& value);

inline constexpr std::string_view kOddNumber = "events with an impossible number in their arguments";

/// The fault of a time or a length.
enum class TimeFault : std::uint8_t {
    None,
    Missing,  ///< or null
    NoNumber, ///< NaN, Infinity, N/A: not JSON
    TooFar    ///< beyond 64 bits of nanoseconds
};
/// The refusal of an event; `what` is its begin or its length.
std::string_view faultOfTime(TimeFault fault);
std::string_view faultOfLength(TimeFault fault);
/// The fault of a value that is not a number: a bare word is not JSON, except null, which means missing.
TimeFault faultOf(const Value& value, bool isTime);

} // namespace olab::io::json_import
