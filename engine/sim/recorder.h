// Turns what a simulation did into the records that a real run leaves: same names, ids, channels and
// correlations.
#pragma once

#include "simulator.h"

#include <olab/trace/trace_builder.h>

namespace olab::sim {

/// Device, context, streams that were used, environment and provenance.
void recordSurroundings(const DeviceModel& model, const Program& program, const Experiment& experiment,
                        RecordSink& out);
/// Activities, correlations, the window, and the defect of a gate that opened early. @throws Error Cancelled
void recordWindow(const Program& program, const Outcome& outcome, TraceBuilder& out,
                  const RunControl& control);

} // namespace olab::sim
