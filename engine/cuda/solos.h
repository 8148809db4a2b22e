// Runs each distinct op of a schedule alone and outputs its duration as recorded by CUPTI. Traced runs only.
#pragma once

#include "issue.h"

#include <olab/trace/run_control.h>
#include <olab/trace/trace_builder.h>

namespace olab::cuda {

void measureSolos(const experiment::Schedule& schedule, Issuer& issuer, const Pipelines& pipelines,
                  cupti::Collector& collector, RecordSink& out, const RunControl& control);

} // namespace olab::cuda
