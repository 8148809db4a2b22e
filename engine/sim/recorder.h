// Turns a simulation into the records of a real run: same names, ids, channels and correlations.
#pragma once

#include "simulator.h"

#include <olab/trace/trace_builder.h>

namespace olab::sim {

/// Devices, contexts, streams that were used, environment and provenance; `experiment` determines how far to
/// trust it.
void recordSurroundings(const DeviceModel& model, const Program& program,
                        const experiment::Experiment& experiment, RecordSink& out);
/// Activities, correlations, the window, and the defects of a gate that opened
/// early and of data that raced. @throws Error Cancelled
void recordWindow(const experiment::Schedule& schedule, const Program& program, const Outcome& outcome,
                  RecordSink& out, const RunControl& control);

} // namespace olab::sim
