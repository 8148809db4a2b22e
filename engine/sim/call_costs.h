// What a call costs the host, and which of the interfering ones wait for the device.
#pragma once

#include "program.h"

namespace olab::sim {

/// Host time of the call that issues `op`, before latency jitter.
Ns callCost(const Context& context, const SimOp& op);
/// Whether the call for `op` first waits until the device is idle.
bool waitsForDevice(const Context& context, const SimOp& op);
/// Whether it makes the system submit held-back work.
bool flushes(const Context& context, const SimOp& op);

} // namespace olab::sim
