// One builder per type of option: a row of the table has its texts, the member of Experiment that it sets and
// the allowed values. The builders create the accessors, so a row cannot read one member and write another.
// Private to the module.
#pragma once

#include "option_values.h"

#include <olab/experiment/experiment.h>
#include <olab/experiment/option_row.h>
#include <olab/experiment/schedule.h>

#include <vector>

namespace olab::experiment::detail {

struct OptionTexts {
    std::string_view key, group, label, help;
    FixRole fix;
    std::string_view idleInRecordedWork{};
};

inline OptionRow textRow(OptionType type, const OptionTexts& texts, std::string_view unit = {},
                         Range range = {}) {
    OptionRow row(texts.fix);
    row.idleInRecordedWork = texts.idleInRecordedWork;
    row.key = texts.key;
    row.group = texts.group;
    row.label = texts.label;
    row.help = texts.help;
    row.type = type;
    row.unit = unit;
    row.min = range.min;
    row.max = range.max;
    row.step = range.step;
    return row;
}

template <typename Member>
OptionRow integerRow(const OptionTexts& texts, Member Experiment::*member, Range range,
                     std::string_view unit = {}) {
    OptionRow row = textRow(OptionType::Integer, texts, unit, range);
    row.get = [member](const Experiment& e) { return std::to_string(e.*member); };
    row.set = [member, range, key = texts.key](Experiment& e, std::string_view text) {
        e.*member = static_cast<Member>(integerFromText(key, text, range));
    };
    return row;
}

inline OptionRow bytesRow(const OptionTexts& texts, std::int64_t Experiment::*member, Range range) {
    OptionRow row = textRow(OptionType::Bytes, texts, "B", range);
    row.get = [member](const Experiment& e) { return bytesToText(e.*member); };
    row.set = [member, range, key = texts.key](Experiment& e, std::string_view text) {
        e.*member = bytesFromText(key, text, range);
    };
    return row;
}

inline OptionRow switchRow(const OptionTexts& texts, bool Experiment::*member) {
    OptionRow row = textRow(OptionType::Switch, texts);
    row.choices = {"on", "off"};
    row.get = [member](const Experiment& e) { return e.*member ? "on" : "off"; };
    row.set = [member, key = texts.key](Experiment& e, std::string_view text) {
        e.*member = switchFromText(key, text);
    };
    return row;
}

/// `choices` in the order of the enumerators.
template <typename Enum>
OptionRow choiceRow(const OptionTexts& texts, Enum Experiment::*member,
                    std::vector<std::string_view> choices) {
    OptionRow row = textRow(OptionType::Choice, texts);
    row.choices = choices;
    row.get = [member, choices](const Experiment& e) {
        return std::string(choices[static_cast<std::size_t>(e.*member)]);
    };
    row.set = [member, choices, key = texts.key](Experiment& e, std::string_view text) {
        e.*member = static_cast<Enum>(choiceFromText(key, text, choices));
    };
    return row;
}

inline OptionRow modelRow(const OptionTexts& texts, std::string Experiment::*member,
                          std::vector<std::string_view> builtIn) {
    OptionRow row = textRow(OptionType::Model, texts);
    row.choices = builtIn;
    row.get = [member](const Experiment& e) { return e.*member; };
    row.set = [member, builtIn, key = texts.key](Experiment& e, std::string_view text) {
        e.*member = modelFromText(key, text, builtIn);
    };
    return row;
}

inline OptionRow blocksRow(const OptionTexts& texts, BlockCount Experiment::*member, Range range) {
    OptionRow row = textRow(OptionType::Blocks, texts, "blocks", range);
    row.get = [member](const Experiment& e) { return blocksToText(e.*member); };
    row.set = [member, range, key = texts.key](Experiment& e, std::string_view text) {
        e.*member = blocksFromText(key, text, range);
    };
    return row;
}

/// `row`, which has no effect while one of `rules` holds.
inline OptionRow idleWhile(std::vector<IdleRule> rules, OptionRow row) {
    row.idle = std::move(rules);
    return row;
}

/// `row`, which has one value for the whole schedule.
inline OptionRow lowered(void (*lower)(const Experiment&, Schedule&), OptionRow row) {
    row.lower = lower;
    return row;
}

/// `row`, which is an environment variable that CUDA reads.
inline OptionRow variable(EnvironmentRow environment, OptionRow row) {
    row.environment = environment;
    return row;
}

/// `row`, which an exported program cannot express.
inline OptionRow notInCode(std::string_view because, OptionRow row) {
    row.notInCode = because;
    return row;
}

} // namespace olab::experiment::detail
