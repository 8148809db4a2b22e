// The report for a person at a terminal.
#pragma once

#include <olab/run/recording.h>

#include <string>

namespace olab::cli {

std::string reportText(const Recording& recording);
/// 1234567 -> "1.235 ms"
std::string timeText(Ns time);
std::string timeText(const std::optional<Ns>& time); ///< "unknown" for what was not computed
/// The report as JSON, with what the recording knows of itself.
std::string reportJsonOf(const Recording& recording);

} // namespace olab::cli
