// What a table says of a recording in a few numbers and words that its report has in several places.
#pragma once

#include <olab/analysis/report.h>

#include <string>

namespace olab::survey {

/// {"lost_ns": measured - ideal, "verdict", "pair" and "of_attainable" of the worst pair that is not small,
/// "hidden_share" (of the time of copies, how much ran beside kernels), "defects": how many kinds}. What is
/// not known is null.
std::string headNumbersJson(const analysis::Report& report);

} // namespace olab::survey
