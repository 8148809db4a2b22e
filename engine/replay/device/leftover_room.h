// Kernels that ran in parallel although both would not fit: the later one had the room that the earlier one
// left, so most of its recorded duration was waiting.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// If the resident blocks per multiprocessor are known for each kernel of the device: sets each kernel's
/// share of the device and its solo time. Kernels with enough warps to keep each multiprocessor busy share
/// its throughput, as if they took turns by their ends, if that explains the times: having places for both is
/// then no gain. Otherwise blocks of the kernel that began first keep their places and the next one gets the
/// rest; or kernels that fill all places take turns by their ends. No effect if neither explains the times,
/// or if a kernel of a higher priority began during another: it takes each place that becomes free.
void shareOutLeftovers(Sketch& sketch, std::uint8_t device);

} // namespace olab::replay
