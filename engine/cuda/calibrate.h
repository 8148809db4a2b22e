// Finds the loop count with which the whole grid, alone on the device, takes kernel.us. Fixed work: the count
// is the same for every launch of a job, traced or not.
#pragma once

#include "gate.h"
#include "pipelines.h"

#include <olab/trace/run_control.h>

namespace olab::cuda {

/// The clock ramps up within the first tens of milliseconds of work, so it first keeps the device busy.
/// @returns loops per thread, at least 1
std::int64_t calibrateLoops(Pipelines& pipelines, Gate& gate, Ns target, const RunControl& control);
/// The same for the kernels of recorded work, by number: one of each shape is timed; the others of that shape
/// scale their work by their duration.
std::vector<std::int64_t> calibrateGrids(Pipelines& pipelines, Gate& gate,
                                         const std::vector<experiment::PlannedGrid>& grids,
                                         const RunControl& control);

} // namespace olab::cuda
