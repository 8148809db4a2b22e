// The report for a person at a terminal.
#pragma once

#include "printed.h"

#include <olab/run/recording.h>

#include <string>

namespace olab::cli {

Printed reportText(const Recording& recording);
/// 1234567 -> "1.235 ms"
std::string timeText(Ns time);
/// The report as JSON, with what the recording knows of itself.
std::string reportJsonOf(const Recording& recording);

} // namespace olab::cli
