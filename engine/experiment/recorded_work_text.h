// Recorded work as part of an experiment's JSON. Its operations are one text, a few characters each: as JSON
// of its own a window of 20 000 would be ten times as long. Private to the module.
#pragma once

#include "option_json.h"

#include <olab/experiment/recorded_work.h>

namespace olab::detail {

Json workToJson(const RecordedWork& work);
/// @throws Error Usage (bad-json) for what is no recorded work: every number is looked at
RecordedWork workFromJson(const ReadJson& json);

} // namespace olab::detail
