// Device models as JSON, and those that are built in.
#pragma once

#include <olab/sim/model_check.h>

#include <nlohmann/json.hpp>

#include <span>
#include <string_view>

namespace olab::sim {

/// How a device model was checked, as a part of its JSON.
nlohmann::ordered_json checkToJson(const ModelCheck& check);
/// Only the figures, without conditions and scope, for the report.
nlohmann::ordered_json checkSummary(const ModelCheck& check);
nlohmann::ordered_json settingsToJson(const CheckedCondition& condition);
/// @throws nlohmann::json::exception for a missing part or a wrong type
ModelCheck checkFromJson(const nlohmann::ordered_json& json);

/// The device models as CMake built them in (built_in_models.cpp.in).
struct BuiltInModel {
    std::string_view name; ///< as sim.device has it
    std::string_view text; ///< JSON
};
std::span<const BuiltInModel> builtInModels();

} // namespace olab::sim
