// The report of a run that was not traced (trace=off): only the length of its window is known.
#pragma once

#include <olab/analysis/report.h>

namespace olab::analysis {

/// The run has a window and nobody traced it.
bool tracingWasOff(const Trace& trace);
/// Every pair and every rule says so, instead of looking like a pipeline that did nothing.
Report untracedReport(const Trace& trace, const JobRuns& runs);

} // namespace olab::analysis
