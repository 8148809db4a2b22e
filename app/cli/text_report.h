// The report for a person at a terminal.
#pragma once

#include "printed.h"

#include <olab/analysis/waits.h>
#include <olab/io/report_document.h>
#include <olab/recording/recording.h>

#include <string>

namespace olab::cli {

Printed reportText(const Recording& recording);
/// "traced 1.02 ms, untraced 1 ms: tool effect 1.020 (...)", a line; empty when it is not known.
Printed toolEffectText(const Report& report);
using olab::timeText;
std::string timeText(const std::optional<Ns>& time); ///< "unknown" for what was not computed
/// The report as JSON, with what the recording knows of itself; `file`: where it is kept.
ReportDocument reportDocumentOf(const Recording& recording, const std::filesystem::path& file);
std::string reportJsonOf(const Recording& recording, const std::filesystem::path& file); ///< its text

} // namespace olab::cli
