#include "backend_conformance.h"

#include <olab/experiment/option_table.h>

#include <algorithm>

namespace olab::conformance {
namespace {

std::vector<std::string> integerValues(const OptionRow& row) {
    if (row.key == "kernel.threads")
        return {"32", "96", "1024"};
    std::vector<std::string> values{std::to_string(row.min)};
    for (const std::int64_t v : {2, 5, 17})
        if (v > row.min && v <= row.max)
            values.push_back(std::to_string(v));
    return values;
}

/// The smallest, the sizes around which drivers change their ways, and an odd one.
std::vector<std::string> byteValues(const OptionRow& row) {
    std::vector<std::string> values{bytesToText(row.min)};
    for (const std::int64_t v : {4099, 65536, 65540, 8 << 20})
        if (v > row.min && v <= row.max)
            values.push_back(std::to_string(v) + "B");
    return values;
}

std::vector<std::string> valuesOf(const OptionRow& row) {
    switch (row.type) {
    case OptionType::Integer:
        return integerValues(row);
    case OptionType::Bytes:
        return byteValues(row);
    case OptionType::Blocks:
        return {"1", "64", "1000", "fill:1", "fill:2", "fill:8"};
    case OptionType::Switch:
    case OptionType::Choice:
    case OptionType::Model: // the built-in ones
        break;
    }
    return {row.choices.begin(), row.choices.end()};
}

} // namespace

std::string testName(const Case& c) {
    std::string name = c.name;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char ch) { return !std::isalnum(ch); }, '_');
    return name;
}

Experiment smallExperiment() {
    Experiment e;
    e.streams = 3;
    e.iterations = 4;
    e.h2dBytes = e.d2hBytes = 1 << 20;
    e.memsetBytes = 256 << 10;
    e.kernelUs = 60;
    return e;
}

std::vector<Case> everyOptionValue(const Experiment& base) {
    std::vector<Case> cases{{"base", base}};
    for (const OptionRow& row : optionTable()) {
        for (const std::string& value : valuesOf(row)) {
            Case c{std::string(row.key) + "=" + value, base};
            setOption(c.experiment, row.key, value);
            if (!(c.experiment == base))
                cases.push_back(std::move(c));
        }
    }
    return cases;
}

} // namespace olab::conformance
