// Option values as JSON, shared by experiments, presets and the table itself. Private to the module.
#pragma once

#include <olab/experiment/option_table.h>

#include <nlohmann/json.hpp>

namespace olab::detail {

/// Keeps the order of the option table. Only to be written: looking a key up goes through all of them.
using Json = nlohmann::ordered_json;
/// What is read.
using ReadJson = nlohmann::json;

/// A number for integers and bytes, a string for all others.
Json optionToJson(const OptionRow& row, const Experiment& experiment);
/// Only the options that differ from the default.
Json differingToJson(const Experiment& experiment);
/// @throws Error Usage: bad-json when it is no object, bad-key, bad-value
HeldExperiment experimentFromObject(const ReadJson& object);

} // namespace olab::detail
