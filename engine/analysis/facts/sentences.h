// The words findings and verdicts share.
#pragma once

#include <olab/analysis/facts.h>

#include <string>

namespace olab::analysis {

std::string percentText(double share); ///< "93 %", "0.4 %"
/// "47 % of"; from a factor of 1.5 on "21 times".
std::string partText(double share);
std::string streamText(const TraceFacts& facts, ActivityIndex i); ///< "stream 14", "the NULL stream"
/// " its grid of 8448 blocks fills the device (1056 at once)"; shorter when numbers are unknown
std::string gridText(const TraceFacts& facts, ActivityIndex kernel);
/// True if `part` is more than a twentieth of `whole`; less is the usual spread and deserves no sentence.
bool isNoticeable(Ns part, Ns whole);
std::string joined(const std::vector<std::string>& parts, std::string_view last = " and ");

} // namespace olab::analysis
