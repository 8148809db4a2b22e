// The words findings and verdicts share.
#pragma once

#include <olab/analysis/facts.h>

#include <string>

namespace olab {

std::string percentText(double share);                       ///< "93 %", "0.4 %"
std::string streamText(const Facts& facts, ActivityIndex i); ///< "stream 14", "the NULL stream"
/// " its grid of 8448 blocks fills the device (1056 at once)"; shorter when numbers are unknown
std::string gridText(const Facts& facts, ActivityIndex kernel);
std::string joined(const std::vector<std::string>& parts, std::string_view last = " and ");

} // namespace olab
