#include <olab/assertion/comparison_assertion.h>

#include "assertion_values.h"

#include <olab/trace/number_text.h>

#include <charconv>
#include <cmath>

namespace olab::assertion {
namespace {

constexpr std::string_view kSlower = "slower";

/// "slower <= 5%": the sign may be < or <=; without % the number is a share, and at 1 or more the % is most
/// likely missing.
struct SlowerLimit {
    bool isStrict = false;
    double share = 0;
};

SlowerLimit limitIn(std::string_view expression) {
    std::string_view rest = trimmed(trimmed(expression).substr(kSlower.size()));
    SlowerLimit limit;
    if (!rest.starts_with('<'))
        refuseAssertion(expression, "slower takes <= or <, and a share: slower<=5%");
    limit.isStrict = !rest.starts_with("<=");
    rest = trimmed(rest.substr(limit.isStrict ? 1 : 2));
    const bool isPercent = rest.ends_with('%');
    if (isPercent)
        rest = trimmed(rest.substr(0, rest.size() - 1));
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), limit.share);
    if (error != std::errc() || end != rest.data() + rest.size() || !(std::abs(limit.share) <= 1e9))
        refuseAssertion(expression, "the limit is a share: slower<=5% or slower<=0.05");
    if (!isPercent)
        refuseBareShare(limit.share, ShareKind::Growth, expression);
    limit.share /= isPercent ? 100 : 1;
    return limit;
}

AssertionResult unjudged(std::string_view expression, const std::string& why) {
    return {false, std::string(trimmed(expression)) + ": cannot be judged, " + why, false};
}

AssertionResult checkSlower(const comparison::Comparison& comparison, std::string_view expression) {
    const SlowerLimit limit = limitIn(expression);
    const std::string text(trimmed(expression));
    if (!comparison.unjudged.empty())
        return unjudged(expression, comparison.unjudged);
    if (!comparison.obstacle.empty())
        return unjudged(expression, comparison.obstacle);
    if (!comparison.slower)
        return unjudged(expression, "one of them has no time");
    const double slower = *comparison.slower - 1;
    const std::string found = "it takes " +
                              (slower == 0 ? "as long" : comparison::ratioText(*comparison.slower)) + ". " +
                              comparison.spread;
    if (limit.isStrict ? slower < limit.share : slower <= limit.share)
        return {true, text + ": holds, " + found};
    const bool isWithin = comparison.spreadBefore && !comparison.isBeyondSpread();
    return {isWithin,
            text + (isWithin ? ": holds, for that is within the spread: " : ": does not hold, ") + found};
}

/// "/bounds/measured_ns<=@A": with an obstacle words and shares may still be compared, times may not.
bool holdsTimesAgainstEachOther(std::string_view expression) {
    const Wanted wanted = parseAssertion(expression);
    return !wanted.other.empty() && givesTime(wanted.left);
}

} // namespace

AssertionResult checkComparison(const comparison::Comparison& comparison, const Judged& before,
                                const Judged& after, std::string_view expression) {
    const std::string_view rest = trimmed(expression);
    const bool isSlower = rest.starts_with(kSlower) && !rest.substr(kSlower.size()).starts_with('(');
    if (isSlower)
        return checkSlower(comparison, expression);
    const AssertionResult result = checkAssertion(
        after, expression, [&](std::string_view name) { return name == "A" ? &before : nullptr; });
    if (!comparison.unjudged.empty()) // behind it: what cannot be read is refused all the same
        return unjudged(expression, comparison.unjudged);
    if (!comparison.obstacle.empty() && holdsTimesAgainstEachOther(expression))
        return unjudged(expression, comparison.obstacle);
    return result;
}

} // namespace olab::assertion
