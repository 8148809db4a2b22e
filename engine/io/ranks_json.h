// The part of a report about merged recordings and collectives of several devices.
#pragma once

#include <olab/analysis/collectives.h>

#include <nlohmann/json.hpp>

namespace olab::io {

nlohmann::ordered_json ranksJson(const Trace& trace);
nlohmann::ordered_json collectivesJson(const analysis::Collectives& collectives, const Trace& trace);

} // namespace olab::io
