// The child's side of the protocol: reads job lines, runs them on a backend, writes event lines. `olab engine` calls it.
#pragma once

#include <olab/experiment/backend.h>

#include <functional>

namespace olab {

/// Runs jobs until stdin ends. Each job's records go to the file named in it. @returns the exit code of the process.
int engineLoop(Backend& backend, int jobDescriptor, int eventDescriptor);

} // namespace olab
