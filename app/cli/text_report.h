// The report for a person at a terminal.
#pragma once

#include "printed.h"

#include <olab/analysis/waits.h>
#include <olab/io/report_document.h>
#include <olab/recording/recording.h>

#include <string>

namespace olab::cli {

/// Who asks here waits for an answer: some seconds at most.
inline constexpr std::size_t kAccountUpTo = 200'000; ///< operations

Printed reportText(const recording::Recording& recording);
/// "traced 1.02 ms, untraced 1 ms: tool effect 1.020 (...)", a line; empty when it is not known.
Printed toolEffectText(const analysis::Report& report);
using olab::analysis::timeText;
std::string timeText(const std::optional<Ns>& time); ///< "unknown" for what was not computed
/// The report as JSON, with what the recording knows of itself; `file`: where it is kept.
io::ReportDocument reportDocumentOf(const recording::Recording& recording, const std::filesystem::path& file);
std::string reportJsonOf(const recording::Recording& recording,
                         const std::filesystem::path& file); ///< its text

} // namespace olab::cli
