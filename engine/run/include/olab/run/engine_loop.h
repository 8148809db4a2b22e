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

/// The same for a parent on another machine (relay.h): recordings are made in a folder of this machine and
/// then sent behind the events. It ends too if nothing is heard from there for kMostSilence.
int streamLoop(experiment::Backend& backend, int jobDescriptor, int streamDescriptor);
/// The first line of such a stream.
void sendGreeting(int streamDescriptor);

/// Keeps a folder for a connection and says where it is, until the connection ends. Then it ends the
/// processes whose numbers stand in files "*.pid" there, and removes the folder. @returns the exit code.
int holdLoop(int inputDescriptor, int outputDescriptor);

} // namespace olab::run
