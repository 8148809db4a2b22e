#include "experiments.h"

#include <algorithm>
#include <optional>

namespace olab::test {
namespace {

/// Where options that are idle or in conflict by default do something.
const std::vector<std::vector<std::string>>& bases() {
    static const std::vector<std::vector<std::string>> rows{
        {},
        {"kernel.stream=other", "stream.kind=blocking", "sync=event"},
        {"devices=all", "p2p=on"},
        {"issue.threads=per-stream"},
        {"issue=on-callback"},
        {"api=driver", "null_op=memset"},
        {"submit=graph"},
        {"stream.kind=blocking", "null_op=kernel", "order=breadth"},
        {"h2d.bytes=8KiB"},
        {"streams=2"},
    };
    return rows;
}

std::optional<OptionPair> pairIn(const experiment::OptionRow& row, const std::string& value,
                                 const std::string& other, const std::vector<std::string>& base) {
    OptionPair pair{std::string(row.key), value, other, {}, {}};
    for (const std::string& assignment : base)
        for (experiment::HeldExperiment* e : {&pair.with, &pair.without})
            experiment::setOption(*e, assignment);
    row.set(pair.with, value);
    row.set(pair.without, other);
    const auto can = [&](const experiment::Experiment& e) {
        return experiment::conflicts(e).empty() && experiment::disabledBecause(e, row.key).empty();
    };
    if (!can(pair.with) || !can(pair.without))
        return std::nullopt;
    return pair;
}

} // namespace

std::vector<std::string> valuesOf(const experiment::OptionRow& row) {
    switch (row.type) {
    case experiment::OptionType::Integer: {
        const std::int64_t low = row.min + row.step, high = std::min(row.max, row.min + 7 * row.step);
        return {std::to_string(low), std::to_string(high)};
    }
    case experiment::OptionType::Bytes:
        return {"4KiB", "5000B"};
    case experiment::OptionType::Blocks:
        return {"32", "fill:2"};
    default:
        return {row.choices.begin(), row.choices.end()};
    }
}

namespace {

/// The default, unless it is that.
std::string anotherThan(const std::string& value, const experiment::OptionRow& row) {
    if (value != experiment::optionDefault(row))
        return experiment::optionDefault(row);
    const std::vector<std::string> values = valuesOf(row);
    const auto other = std::ranges::find_if(values, [&](const std::string& v) { return v != value; });
    return other == values.end() ? value : *other;
}

} // namespace

std::vector<OptionPair> optionPairs() {
    std::vector<OptionPair> out;
    for (const experiment::OptionRow& row : experiment::optionTable())
        for (const std::string& value : valuesOf(row)) {
            const std::string other = anotherThan(value, row);
            std::optional<OptionPair> found;
            for (const auto& base : bases())
                if (!found)
                    found = pairIn(row, value, other, base);
            out.push_back(found.value_or(OptionPair{std::string(row.key), value, other, {}, {}}));
        }
    return out;
}

} // namespace olab::test
