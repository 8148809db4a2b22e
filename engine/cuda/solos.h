// What runs alone before or after the window: the calibrated kernel, and each op.
#pragma once

#include "gate.h"
#include "issue.h"
#include "pipelines.h"

#include <olab/trace/run_control.h>
#include <olab/trace/trace_builder.h>

namespace olab::cuda {

// Finds the loop count with which the whole grid, alone on the device, takes kernel.us. Fixed work: the count
// is the same for every launch of a job, traced or not.

/// The clock ramps up within the first tens of milliseconds of work, so it first keeps the device busy.
/// @returns loops per thread, at least 1
std::int64_t calibrateLoops(Pipelines& pipelines, Gate& gate, Ns target, const RunControl& control);
/// The same for the kernels of recorded work, by number: one of each shape is timed; the others of that shape
/// scale their work by their duration.
std::vector<std::int64_t> calibrateGrids(Pipelines& pipelines, Gate& gate,
                                         const std::vector<experiment::PlannedGrid>& grids,
                                         const RunControl& control);

// Runs each distinct op of a schedule alone and outputs its duration as recorded by CUPTI. Traced runs only.

void measureSolos(const experiment::Schedule& schedule, Issuer& issuer, const Pipelines& pipelines,
                  cupti::Collector& collector, RecordSink& out, const RunControl& control);

} // namespace olab::cuda
