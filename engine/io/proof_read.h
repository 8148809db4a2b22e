// Controls and proofs as an .olab file keeps them: what proof_json.h writes, read back. Private to io. What
// cannot be is refused as a whole (std::exception, whose text says what); texts are cut.
#pragma once

#include <olab/comparison/controls.h>
#include <olab/comparison/proof.h>

#include <nlohmann/json.hpp>

#include <vector>

namespace olab {

Controls controlsFromJson(const nlohmann::json& json);
std::vector<Proof> proofsFromJson(const nlohmann::json& json);

} // namespace olab
