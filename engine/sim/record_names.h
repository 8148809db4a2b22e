// The names that a real run would have in its records.
#pragma once

#include "program.h"

namespace olab::sim {

/// Of the call that issues `op`; of a planned wait the one that waits.
const char* callName(const Program& program, const SimOp& op);
/// Of the call that records an event; kernels' launches and waits have one of their own.
const char* eventRecordName(Api api);
const char* graphLaunchName(Api api);
/// Of the synchronization record of a planned wait; null where it leaves none.
const char* syncName(SyncMode mode);
const char* kernelName(const Program& program, OpKind kind);

} // namespace olab::sim
