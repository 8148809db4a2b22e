// The report for a person at a terminal.
#pragma once

#include "printed.h"

#include <olab/analysis/waits.h>
#include <olab/recording/recording.h>

#include <string>

namespace olab::cli {

/// Who asks here waits for an answer: some seconds at most.
inline constexpr std::size_t kAccountUpTo = 200'000; ///< operations

Printed reportText(const recording::Recording& recording);
/// "  data_loss, 3 x Records with impossible content were refused; ...".
Printed defectText(const Defect& defect);
/// "traced 1.02 ms, untraced 1 ms: tool effect 1.020 (...)", a line; empty when it is not known.
Printed toolEffectText(const analysis::Report& report);
using olab::analysis::timeText;
std::string timeText(const std::optional<Ns>& time); ///< "unknown" for what was not computed

} // namespace olab::cli
