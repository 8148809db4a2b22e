#include "assertion_text.h"

#include <olab/trace/error.h>
#include <olab/trace/value_text.h>

#include <charconv>
#include <cmath>
#include <utility>

namespace olab::assertion {

namespace {

constexpr std::string_view kForms =
    "Write overlap(a,b), hidden(a,b), blocked(a,b), verdict(a,b), finding(id), raced(), count(class), "
    "streams(class), channels(engine), waited(class), first_done(class), concurrent(class), slowed(a,b), "
    "on_engine(class,engine), "
    "returned_early(class), inversions(), number(NAME) or a JSON pointer such as "
    "/bounds/efficiency, then >= <= == != > or < and a number or a word; times take ns, us, ms or s, shares "
    "take %.";

Sign signFrom(std::string_view op, std::string_view expression) {
    constexpr std::pair<std::string_view, Sign> kTable[] = {
        {">=", Sign::GreaterEqual}, {"<=", Sign::LessEqual}, {"==", Sign::Equal},
        {"!=", Sign::NotEqual},     {">", Sign::Greater},    {"<", Sign::Less}};
    for (const auto& [text, sign] : kTable)
        if (op == text)
            return sign;
    refuseAssertion(expression, "'" + std::string(op) + "' is not a comparison");
}

/// The number at the start of `text`, and the rest.
std::pair<long double, std::string_view> leadingNumber(std::string_view text, std::string_view expression) {
    double number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !std::isfinite(number))
        refuseAssertion(expression, "'" + std::string(text) + "' is no number");
    return {number, trimmed(text.substr(static_cast<std::size_t>(rest - text.data())))};
}

void readNumber(std::string_view text, Wanted& wanted, std::string_view expression) {
    constexpr std::pair<std::string_view, long double> kUnits[] = {
        {"ns", 1.0L}, {"us", 1e3L}, {"ms", 1e6L}, {"s", 1e9L}};
    const auto [number, unit] = leadingNumber(text, expression);
    wanted.number = number;
    if (unit.empty())
        return;
    if (unit == "%") {
        wanted.number = static_cast<double>(number) / 100; // a double, as 0.8 is parsed: 80% is equal
        wanted.isPercent = true;
        return;
    }
    for (const auto& [name, factor] : kUnits) {
        if (unit == name) {
            wanted.number *= factor;
            wanted.isTime = true;
            return;
        }
    }
    refuseAssertion(expression, "'" + std::string(unit) + "' is not a unit of time, nor %");
}

/// "0.9 * @name - 1ms"
void readReference(std::string_view text, Wanted& wanted, std::string_view expression) {
    const auto at = text.find('@');
    if (const std::string_view before = trimmed(text.substr(0, at)); !before.empty()) {
        const auto [factor, star] = leadingNumber(before, expression);
        if (star != "*")
            refuseAssertion(expression, "only a number and * may stand before @");
        wanted.factor = factor;
    }
    text = text.substr(at + 1);
    const auto end = std::min(text.find_first_of(" \t"), text.size());
    wanted.other = text.substr(0, end);
    if (wanted.other.empty())
        refuseAssertion(expression, "the name after @ is missing");
    const std::string_view rest = trimmed(text.substr(end));
    if (rest.empty())
        return;
    if (rest.front() != '+' && rest.front() != '-')
        refuseAssertion(expression, "only + or - and a number may follow the name");
    readNumber(trimmed(rest.substr(1)), wanted, expression);
    if (rest.front() == '-')
        wanted.number = -wanted.number;
}

bool isWord(std::string_view text) {
    const char first = text.empty() ? '0' : text.front();
    return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
}

void readRight(std::string_view text, Wanted& wanted, std::string_view expression) {
    if (text.size() > 2 && text.front() == '"' && text.back() == '"')
        wanted.word = text.substr(1, text.size() - 2);
    else if (text.find('@') != text.npos)
        readReference(text, wanted, expression);
    else if (isWord(text))
        wanted.word = text;
    else
        readNumber(text, wanted, expression);
    if (!wanted.word.empty() && wanted.sign != Sign::Equal && wanted.sign != Sign::NotEqual)
        refuseAssertion(expression, "'" + wanted.word + "' is not a number, and words take only == or !=");
}

} // namespace

void refuseAssertion(std::string_view expression, const std::string& why) {
    throw Error(ErrorKind::Usage, "bad-assertion",
                "The assertion '" + std::string(expression) + "' cannot be read: " + why + ".",
                std::string(kForms));
}

void refuseBareShare(long double share, ShareKind kind, std::string_view expression) {
    const double size = std::abs(static_cast<double>(share));
    if (kind == ShareKind::None || size < 1 || (kind == ShareKind::Part && size == 1))
        return;
    const std::string number = shortText(static_cast<double>(share), 6);
    refuseAssertion(expression, "a share of " + number + " is " +
                                    shortText(static_cast<double>(share) * 100, 6) + " %; write " + number +
                                    "% or " + shortText(static_cast<double>(share) / 100, 6));
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    return first == text.npos ? std::string_view()
                              : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Wanted parseAssertion(std::string_view expression) {
    const auto last = expression.find_last_of("<>=");
    if (last == expression.npos)
        refuseAssertion(expression, "there is no comparison in it");
    auto first = last;
    while (first > 0 && std::string_view("<>=!").find(expression[first - 1]) != std::string_view::npos)
        --first;
    Wanted wanted;
    wanted.left = trimmed(expression.substr(0, first));
    wanted.sign = signFrom(expression.substr(first, last - first + 1), expression);
    readRight(trimmed(expression.substr(last + 1)), wanted, expression);
    return wanted;
}

bool holds(Sign sign, long double found, long double wanted) {
    switch (sign) {
    case Sign::GreaterEqual:
        return found >= wanted;
    case Sign::LessEqual:
        return found <= wanted;
    case Sign::Equal:
        return found == wanted;
    case Sign::NotEqual:
        return found != wanted;
    case Sign::Greater:
        return found > wanted;
    case Sign::Less:
        return found < wanted;
    }
    return false;
}

} // namespace olab::assertion
