// The words findings and verdicts share.
#pragma once

#include <olab/analysis/facts.h>

#include <string>

namespace olab::analysis {

std::string percentText(double share); ///< "93 %", "0.4 %"
/// "47 % of", from one and a half on "21 times": a part of more than the whole reads as none.
std::string partText(double share);
std::string streamText(const TraceFacts& facts, ActivityIndex i); ///< "stream 14", "the NULL stream"
/// " its grid of 8448 blocks fills the device (1056 at once)"; shorter when numbers are unknown
std::string gridText(const TraceFacts& facts, ActivityIndex kernel);
/// Two times that differ by a twentieth read the same, and so much is the usual spread: not worth a sentence.
bool isNoticeable(Ns part, Ns whole);
std::string joined(const std::vector<std::string>& parts, std::string_view last = " and ");

} // namespace olab::analysis
