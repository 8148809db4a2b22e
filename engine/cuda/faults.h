// Failures that OLAB_FAULT asks for, made real on the device.
#pragma once

#include "handles.h"

#include <olab/experiment/fault.h>

namespace olab {

/// Before anything is allocated: asks for more memory than there is, if that is the fault, and loads the
/// kernels that fail, since loading may wait for the device and the window's gate would hold it.
/// @throws Error
void prepareRehearsal(Fault fault);
/// Between the ops of the window: enqueues a kernel that fails. Does nothing for other faults.
void rehearseKernel(Fault fault, cudaStream_t stream);

} // namespace olab
