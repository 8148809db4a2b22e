// The left side of an assertion, looked up.
#pragma once

#include "assertion_text.h"

#include <olab/assertion/assertion.h>
#include <olab/comparison/same_work.h>

#include <vector>

namespace olab::assertion {

/// A number, or words (one per device), or the reason for having neither.
struct Found {
    long double value = 0;
    std::string shown;                ///< the value as text
    std::string reason{};             ///< not empty: cannot be judged
    std::vector<std::string> words{}; ///< not empty: these instead of a number
};
inline Found cannotJudge(std::string reason) {
    return {0, {}, std::move(reason)};
}

/// @throws Error kind Usage for an unknown form
Found findValue(const Judged& judged, const Wanted& wanted, std::string_view expression);

/// Whether LEFT of an assertion is a time, not a share or a word.
bool givesTime(std::string_view left);

// What the forms share.

/// A form with its arguments, from `expression`.
struct Query {
    const Judged& judged;
    std::vector<std::string_view> arguments; ///< trimmed
    const Wanted& wanted;
    std::string_view expression;
};
/// @throws Error kind Usage if it is not a class of device work
ActivityClass classArgument(std::string_view name, std::string_view expression);

Found findOverlap(const Query& query);
Found findHidden(const Query& query);
Found findBlocked(const Query& query);
Found findVerdict(const Query& query);
Found findWaited(const Query& query);
Found findFirstDone(const Query& query);
Found findSlowed(const Query& query);
Found findConcurrent(const Query& query);
Found findOnEngine(const Query& query);
Found findReturnedEarly(const Query& query);
Found findInversions(const Query& query);
Found findNumber(const Query& query);
/// @throws Error kind Usage
EngineKind engineArgument(std::string_view name, std::string_view expression);
/// Why calls do not cover all activities: some or all have no known call; empty: they do.
std::string callsReason(std::uint64_t withCall, std::uint64_t all);
/// Why the activities cannot be examined; empty: they can.
std::string noActivitiesReason(const Judged& judged);

} // namespace olab::assertion
