// Reads controls and proofs from an .olab file, as written by proof_json.h. Private to io. Invalid content is
// refused as a whole (std::exception with the reason); texts are cut.
#pragma once

#include <olab/comparison/controls.h>
#include <olab/comparison/proof.h>

#include <nlohmann/json.hpp>

#include <vector>

namespace olab::io {

comparison::Controls controlsFromJson(const nlohmann::json& json);
std::vector<comparison::Proof> proofsFromJson(const nlohmann::json& json);

} // namespace olab::io
