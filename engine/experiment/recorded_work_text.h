// Recorded work as part of an experiment's JSON. Its operations are one text, a few characters each: as plain
// JSON, a window of 20 000 would be ten times as long. Private to the module.
#pragma once

#include "option_json.h"

#include <olab/experiment/recorded_work.h>

namespace olab::experiment::detail {

Json workToJson(const RecordedWork& work);
/// @throws Error Usage (bad-json) if it is not recorded work: every number is checked
RecordedWork workFromJson(const ReadJson& json);

} // namespace olab::experiment::detail
