// The part of a report about merged recordings, collectives of several devices and communication.
#pragma once

#include <olab/analysis/collectives.h>
#include <olab/analysis/communication.h>

#include <nlohmann/json.hpp>

namespace olab::io {

nlohmann::ordered_json ranksJson(const Trace& trace);
nlohmann::ordered_json collectivesJson(const analysis::Collectives& collectives, const Trace& trace);
nlohmann::ordered_json communicationJson(const analysis::Communication& communication, const Trace& trace);

} // namespace olab::io
