// How a device model was checked, as a part of its JSON.
#pragma once

#include <olab/sim/model_check.h>

#include <nlohmann/json.hpp>

namespace olab::sim {

nlohmann::ordered_json checkToJson(const ModelCheck& check);
/// Only the figures, without conditions and scope, for the report.
nlohmann::ordered_json checkSummary(const ModelCheck& check);
nlohmann::ordered_json settingsToJson(const CheckedCondition& condition);
/// @throws nlohmann::json::exception for a missing part or a wrong type
ModelCheck checkFromJson(const nlohmann::ordered_json& json);

} // namespace olab::sim
