// The names that a real run would have in its records.
#pragma once

#include "program.h"

namespace olab::sim {

/// Of the call that issues `op`; for a planned wait, of the waiting call.
const char* callName(const Program& program, const SimOp& op);
/// Of the call that records an event; kernel launches and waits have their own.
const char* eventRecordName(experiment::Api api);
const char* graphLaunchName(experiment::Api api);
/// Of the synchronization record of a planned wait; null if there is none.
const char* syncName(experiment::SyncMode mode);
const char* kernelName(const Program& program, experiment::OpKind kind);

} // namespace olab::sim
