// The assertion that says the contrary of another: both never hold.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace olab::fuzz {

/// "a >= 1" as "a < 1"; empty where there is no such pair of signs.
inline std::string opposite(std::string_view expression) {
    constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
        {">=", "<"}, {"<=", ">"}, {">", "<="}, {"<", ">="}, {"==", "!="}, {"!=", "=="}};
    const auto last = expression.find_last_of("<>=");
    if (last == expression.npos)
        return {};
    const auto before = last > 0 ? std::string_view("<>=!").find(expression[last - 1]) : expression.npos;
    const std::size_t first = expression[last] == '=' && before != expression.npos ? last - 1 : last;
    for (const auto& [sign, other] : kSigns)
        if (expression.substr(first, last - first + 1) == sign)
            return std::string(expression.substr(0, first)) + std::string(other) +
                   std::string(expression.substr(last + 1));
    return {};
}

} // namespace olab::fuzz
