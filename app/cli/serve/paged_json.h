// A part of a report for who asks small questions of a big recording: what a JSON pointer names, with its
// arrays cut, and always with what was lost and what could not be judged.
#pragma once

#include "arguments.h"
#include "time_slice.h"

#include <olab/recording/recording.h>

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <limits>
#include <string>

namespace olab::cli {

using Json = nlohmann::ordered_json;
/// What a client says: many keys cost no square of their number, as those of an ordered object do.
using Asked = nlohmann::json;

struct PageWish {
    std::string pointer;                                       ///< "/ledger/causes"; empty: all of it
    std::size_t skip = 0;                                      ///< elements of the array that is named
    std::size_t top = std::numeric_limits<std::size_t>::max(); ///< of every array
    /// Reads --select, --skip and --top. @throws Error kind Usage
    static PageWish from(const Arguments& arguments);
    static bool isIn(const Arguments& arguments);
};

/// "defects", "abstained" and "inconclusive" of a report: members of every page of it.
Json caveatsOf(const Json& report);
/// {"select", "value", "total", "left_out"} of `document`: `total` only of an array, `left_out` by JSON
/// pointer of the document how many elements each array that was cut lost. @throws Error kind Usage where
/// there is no such part
Json pageOf(const Json& document, const PageWish& wish);
/// "olab-page", version 1, of a report: pageOf() and caveatsOf(), indented with two spaces.
std::string reportPage(const std::string& report, const PageWish& wish);
/// Bytes that are not UTF-8 are replaced, as in every document. Indent -1: on one line.
std::string writtenJson(const Json& json, int indent = -1);

/// The waits of a range of a recording: which operation waited how long, for what, and by which cause.
struct WaitsWish {
    TimeSlice slice; ///< waits that touch it; of the whole recording's account
    std::size_t skip = 0, top = std::numeric_limits<std::size_t>::max();
    std::string cause;         ///< of this id alone; empty: of all
    bool hasSentences = false; ///< each with its sentence for people
};
/// "olab-waits", version 1: sums by cause and the waits, the longest first.
Json waitsOf(const recording::Recording& recording, const WaitsWish& wish);

} // namespace olab::cli
