// The numbers of a cell as JSON: in the file of results and in the document. What is read is checked: a file
// may come from anywhere.
#pragma once

#include <olab/sweep/sweep.h>

#include <nlohmann/json.hpp>

#include <optional>

namespace olab::sweep {

using Json = nlohmann::ordered_json;

/// With an end of line; text that is not UTF-8 is replaced.
std::string lineOf(const Json& json);
Json numbersJson(const CellNumbers& numbers);
/// Nothing where it is not such numbers. A cause or class of another version is left out.
std::optional<CellNumbers> numbersFrom(const Json& json);

} // namespace olab::sweep
