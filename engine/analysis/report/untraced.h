// The report of a run that was not traced (trace=off): only the length of its window is known.
#pragma once

#include <olab/analysis/report.h>

namespace olab::analysis {

/// The run has a window but no trace.
bool tracingWasOff(const Trace& trace);
/// Every pair and every rule reports that it was not traced, so that the run does not look like an idle
/// pipeline.
Report untracedReport(const Trace& trace, const JobRuns& runs);

} // namespace olab::analysis
