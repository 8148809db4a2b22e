// Option values as JSON, shared by experiments, presets and the table itself. Private to the module.
#pragma once

#include <olab/experiment/option_table.h>
#include <olab/experiment/recorded_work.h>

#include <nlohmann/json.hpp>

namespace olab::experiment::detail {

/// Keeps the order of the option table. Only for writing: looking up a key is a linear search.
using Json = nlohmann::ordered_json;
/// For reading.
using ReadJson = nlohmann::json;

/// A number for integers and bytes, a string for all others.
Json optionToJson(const OptionRow& row, const Experiment& experiment);
/// Only the options that differ from the default.
Json differingToJson(const Experiment& experiment);
/// @throws Error Usage: bad-json if it is not an object, bad-key, bad-value
HeldExperiment experimentFromObject(const ReadJson& object);

// Recorded work as part of an experiment's JSON. Its operations are one text, a few characters each: as plain
// JSON, a window of 20 000 would be ten times as long. Private to the module.

Json workToJson(const RecordedWork& work);
/// @throws Error Usage (bad-json) if it is not recorded work: every number is checked
RecordedWork workFromJson(const ReadJson& json);

} // namespace olab::experiment::detail
