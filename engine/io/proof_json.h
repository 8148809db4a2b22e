// Proofs, controls and times as in the report's JSON (cli.md). Private to io and to code that prints lists of
// them.
#pragma once

#include <olab/comparison/controls.h>
#include <olab/comparison/proof.h>

#include <nlohmann/json.hpp>

#include <vector>

namespace olab::io {

/// {"before_ns", "after_ns", "change_ns", "low_ns", "high_ns", "pairs"}; null if unknown.
nlohmann::ordered_json changeJson(const std::optional<comparison::PairedChange>& change);
nlohmann::ordered_json optionChangesJson(const experiment::OptionChanges& changes);
nlohmann::ordered_json predictionJson(const comparison::Prediction& prediction);
nlohmann::ordered_json proofJson(const comparison::Proof& proof);
nlohmann::ordered_json controlsJson(const comparison::Controls& controls);
nlohmann::ordered_json spreadJson(const std::optional<comparison::Spread>& spread);
nlohmann::ordered_json timesJson(const comparison::RunTimes& times);

// Reads controls and proofs from an .olab file, as written by proof_json.h. Invalid content is
// refused as a whole (std::exception with the reason); texts are cut.

comparison::Controls controlsFromJson(const nlohmann::json& json);
std::vector<comparison::Proof> proofsFromJson(const nlohmann::json& json);

} // namespace olab::io
