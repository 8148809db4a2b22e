// The numbers of a cell as JSON, for the results file and the document. Input is checked, because a file may
// come from anywhere.
#pragma once

#include <olab/sweep/sweep.h>

#include <nlohmann/json.hpp>

#include <optional>

namespace olab::sweep {

using Json = nlohmann::ordered_json;

/// Including the line end; text that is not UTF-8 is replaced.
std::string lineOf(const Json& json);
Json numbersJson(const CellNumbers& numbers);
/// Nothing if invalid. Omits causes and classes of other versions.
std::optional<CellNumbers> numbersFrom(const Json& json);

} // namespace olab::sweep
