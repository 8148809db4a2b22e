// What the benches of live runs toggle, and the memory that they watch meanwhile.
#pragma once

#include <olab/experiment/held_experiment.h>

#include <cstddef>

namespace olab::bench {

/// The default with the options of this toggle; they come round.
experiment::HeldExperiment experimentOf(std::size_t toggle);

/// Of a process; 0: this one.
long residentKiB(int process = 0);

} // namespace olab::bench
