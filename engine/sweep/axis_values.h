// One piece of the list of values of an axis: a value, or a range of numbers.
#pragma once

#include <olab/experiment/option_row.h>

#include <string>
#include <vector>

namespace olab::sweep {

/// "4" -> {"4"}; "1..4" -> 1, 2, 3, 4 (not of sizes); "100..400+100"; "1MiB..64MiB*2": not beyond the end.
/// @throws Error kind Usage bad-axis
std::vector<std::string> valuesOf(const experiment::OptionRow& row, const std::string& piece);

} // namespace olab::sweep
