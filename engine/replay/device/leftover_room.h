// Kernels that ran beside each other although both would not fit: the later one had what the earlier one
// left, so that most of what its record says was waiting.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

/// Where it is known of each kernel of the device how many of its blocks a multiprocessor holds: gives each
/// its share of the device, and the time that it would have taken alone. Kernels with warps enough to keep
/// each multiprocessor busy share what it computes, as if they took turns by their ends, if that explains the
/// times: having places for both is then no gain. Else blocks of the kernel that began first keep their
/// places; what is left goes to the next; or those that fill all places take turns by their ends. Changes
/// nothing where that does not either, and where a kernel of a higher priority began in the midst of another:
/// it takes each place that becomes free.
void shareOutLeftovers(Sketch& sketch, std::uint8_t device);

} // namespace olab::replay
