// Failures requested by OLAB_FAULT, caused for real on the device.
#pragma once

#include "handles.h"

#include <olab/experiment/backend.h>

namespace olab::cuda {

/// Before anything is allocated: requests more memory than there is, if that is the fault, and loads the
/// failing kernels, because loading may wait for the device while the window's gate holds it.
/// @throws Error
void prepareRehearsal(experiment::Fault fault);
/// Between the ops of the window: enqueues a kernel that fails. Does nothing for other faults.
void rehearseKernel(experiment::Fault fault, cudaStream_t stream);

} // namespace olab::cuda
