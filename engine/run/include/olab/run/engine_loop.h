// The child's side of the protocol: reads job lines, runs them on a backend, writes event lines. `olab
// engine` calls it.
#pragma once

#include <olab/experiment/backend.h>

#include <functional>

namespace olab::run {

/// Reports ready, then runs jobs until the job pipe ends. Each job's records go to the file named in it. If
/// the pipe ends during a job (the parent died), the job is cancelled; if it does not stop within 5 s, the
/// process ends. @returns the exit code.
int engineLoop(experiment::Backend& backend, int jobDescriptor, int eventDescriptor);

} // namespace olab::run
