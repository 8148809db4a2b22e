#include <olab/assertion/assertion.h>

#include "assertion_values.h"

#include <olab/analysis/waits.h>
#include <olab/trace/value_text.h>

#include <algorithm>

namespace olab::assertion {
namespace {

AssertionResult failed(std::string_view expression, const std::string& why) {
    return {false, std::string(expression) + ": cannot be judged, " + why, false};
}

AssertionResult verdictOn(std::string_view expression, bool passed, const std::string& shown) {
    return {passed, std::string(expression) + (passed ? ": holds, " : ": does not hold, ") + shown};
}

/// On every device, as with numbers: == for all, != for none.
bool wordsHold(const std::vector<std::string>& words, const Wanted& wanted, const std::string& word) {
    return std::ranges::all_of(
        words, [&](const std::string& w) { return (w == word) == (wanted.sign == Sign::Equal); });
}

bool isWordless(const Wanted& wanted) {
    return wanted.sign != Sign::Equal && wanted.sign != Sign::NotEqual;
}

AssertionResult judgeAlone(const Found& found, const Wanted& wanted, std::string_view expression) {
    if (found.words.empty() != wanted.word.empty())
        return failed(expression,
                      (found.words.empty() ? "it is no text: " : "it is not a number: ") + found.shown);
    const bool passed = found.words.empty() ? holds(wanted.sign, found.value, wanted.number)
                                            : wordsHold(found.words, wanted, wanted.word);
    return verdictOn(expression, passed, found.shown);
}

AssertionResult judgeBeside(const Found& found, const Found& other, const Wanted& wanted,
                            std::string_view expression) {
    if (found.words.empty() != other.words.empty() || (!found.words.empty() && isWordless(wanted)))
        return failed(expression, "a number cannot be compared with a text");
    const std::string shown = found.shown + " and in " + wanted.other + " " + other.shown;
    const bool passed = found.words.empty()
                            ? holds(wanted.sign, found.value, wanted.factor * other.value + wanted.number)
                            : std::ranges::all_of(other.words, [&](const auto& w) {
                                  return wordsHold(found.words, wanted, w);
                              });
    return verdictOn(expression, passed, shown);
}

} // namespace

AssertionResult checkAssertion(const Judged& judged, std::string_view expression,
                               const JudgedByName& others) {
    const Wanted wanted = parseAssertion(expression);
    expression = trimmed(expression);
    const Found found = findValue(judged, wanted, expression);
    if (!found.reason.empty())
        return failed(expression, found.reason);
    if (wanted.other.empty())
        return judgeAlone(found, wanted, expression);
    const Judged* const against = others ? others(wanted.other) : nullptr;
    if (!against)
        return failed(expression, "there is no recording '" + wanted.other + "' to hold it against");
    const Found other = findValue(*against, wanted, expression);
    if (!other.reason.empty())
        return failed(expression, "in " + wanted.other + ": " + other.reason);
    return judgeBeside(found, other, wanted, expression);
}

ValueText valueText(const Judged& judged, std::string_view left) {
    Wanted wanted;
    wanted.left = trimmed(left);
    wanted.other = "any"; // neither a word nor a number is requested
    const Found found = findValue(judged, wanted, left);
    if (!found.reason.empty())
        return {false, found.reason};
    if (!found.words.empty())
        return {true, found.words.front()};
    const bool isTime = wanted.left.ends_with("_ns") || found.shown.find(" ns") != std::string::npos;
    return {true, isTime ? analysis::timeText(static_cast<Ns>(found.value)) : found.shown,
            static_cast<double>(found.value)};
}

} // namespace olab::assertion
