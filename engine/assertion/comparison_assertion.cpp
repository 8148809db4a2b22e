#include <olab/assertion/comparison_assertion.h>

#include "assertion_values.h"

#include <olab/trace/value_text.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace olab::assertion {
namespace {

/// "slower <= 5%", or another form of that name: the sign may be < or <=; without % the number is a share,
/// and at 1 or more the % is most likely missing.
struct SlowerLimit {
    bool isStrict = false;
    double share = 0;
};

SlowerLimit limitIn(std::string_view expression, std::string_view name) {
    std::string_view rest = trimmed(trimmed(expression).substr(name.size()));
    SlowerLimit limit;
    if (!rest.starts_with('<'))
        refuseAssertion(expression,
                        std::string(name) + " takes <= or <, and a share: " + std::string(name) + "<=5%");
    limit.isStrict = !rest.starts_with("<=");
    rest = trimmed(rest.substr(limit.isStrict ? 1 : 2));
    const bool isPercent = rest.ends_with('%');
    if (isPercent)
        rest = trimmed(rest.substr(0, rest.size() - 1));
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), limit.share);
    if (error != std::errc() || end != rest.data() + rest.size() || !(std::abs(limit.share) <= 1e9))
        refuseAssertion(expression, "the limit is a share: " + std::string(name) + "<=5% or " +
                                        std::string(name) + "<=0.05");
    if (!isPercent)
        refuseBareShare(limit.share, ShareKind::Growth, expression);
    limit.share /= isPercent ? 100 : 1;
    return limit;
}

AssertionResult unjudged(std::string_view expression, const std::string& why) {
    return {false, std::string(trimmed(expression)) + ": cannot be judged, " + why, false};
}

AssertionResult undecided(std::string_view expression, const std::string& why) {
    return {false, std::string(trimmed(expression)) + ": inconclusive, " + why + ".", false};
}

/// Number of additional runs until the interval is on one side of the limit.
std::string moreRunsText(const comparison::Slowdown& found, const SlowerLimit& limit) {
    const std::optional<std::size_t> more = comparison::moreRuns(found, limit.share);
    if (!more)
        return "no number of runs would tell, for the limit is about what it takes";
    return (found.low ? "about " : "at least ") + std::to_string(*more) + " more of each would tell";
}

bool isWithin(const comparison::Slowdown& found, const SlowerLimit& limit) {
    return limit.isStrict ? *found.high - 1 < limit.share : *found.high - 1 <= limit.share;
}
bool isBeyond(const comparison::Slowdown& found, const SlowerLimit& limit) {
    return limit.isStrict ? *found.low - 1 >= limit.share : *found.low - 1 > limit.share;
}

AssertionResult judgedBy(const comparison::JudgedSpeed& speed, const SlowerLimit& limit,
                         std::string_view expression) {
    const comparison::Slowdown& found = *speed.slowdown;
    const std::string text(trimmed(expression));
    if (!found.low)
        return undecided(expression, speed.words + "; " + moreRunsText(found, limit));
    if (isWithin(found, limit))
        return {true, text + ": holds, " + speed.words + "."};
    if (isBeyond(found, limit))
        return {false, text + ": does not hold, " + speed.words + "."};
    return undecided(expression,
                     speed.words + ": the limit lies within the interval; " + moreRunsText(found, limit));
}

AssertionResult checkSlower(const comparison::Comparison& comparison, const comparison::JudgedSpeed& speed,
                            const SlowerLimit& limit, std::string_view expression) {
    if (!speed.unjudged.empty())
        return unjudged(expression, speed.unjudged);
    if (!speed.slowdown)
        return unjudged(expression, "one of them has no time");
    AssertionResult result = judgedBy(speed, limit, expression);
    if (!comparison.caution.empty())
        result.text += " " + comparison.caution;
    return result;
}

/// A form about how much longer the second run takes.
struct SlowerForm {
    std::string_view name;
    const comparison::JudgedSpeed& (*speed)(const comparison::Comparison&);
};
constexpr SlowerForm kSlowerForms[] = {
    {"slower_per_iteration",
     [](const comparison::Comparison& c) -> const comparison::JudgedSpeed& { return c.iteration; }},
    {"slower", [](const comparison::Comparison& c) -> const comparison::JudgedSpeed& { return c.speed; }},
};

/// Null: another kind of assertion. "slower(a,b)" is none of these.
const SlowerForm* slowerFormOf(std::string_view expression) {
    const std::string_view left = trimmed(expression.substr(0, expression.find_first_of("<>=!(")));
    const bool isCall = expression.substr(left.size()).find('(') != expression.npos;
    const auto form = std::ranges::find(kSlowerForms, left, &SlowerForm::name);
    return isCall || form == std::end(kSlowerForms) ? nullptr : form;
}

/// "/bounds/measured_ns<=@A": with an obstacle words and shares may still be compared, times may not.
bool holdsTimesAgainstEachOther(std::string_view expression) {
    const Wanted wanted = parseAssertion(expression);
    return !wanted.other.empty() && givesTime(wanted.left);
}

} // namespace

AssertionResult checkComparison(const comparison::Comparison& comparison, const Judged& before,
                                const Judged& after, std::string_view expression) {
    if (const SlowerForm* const form = slowerFormOf(trimmed(expression)))
        return checkSlower(comparison, form->speed(comparison), limitIn(expression, form->name), expression);
    const AssertionResult result = checkAssertion(
        after, expression, [&](std::string_view name) { return name == "A" ? &before : nullptr; });
    if (!comparison.unjudged.empty()) // at the end, so that invalid expressions are refused in any case
        return unjudged(expression, comparison.unjudged);
    if (!comparison.obstacle.empty() && holdsTimesAgainstEachOther(expression))
        return unjudged(expression, comparison.obstacle);
    return result;
}

} // namespace olab::assertion
