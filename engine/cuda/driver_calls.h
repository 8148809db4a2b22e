// api=driver: the driver API, found at run time (libcuda is never linked). As in the source text that it
// reproduces, the primary context is retained once and pushed and popped around each call.
#pragma once

#include "calls.h"

struct CUctx_st; // the driver's CUcontext is a pointer to it

namespace olab::cuda {

std::unique_ptr<Calls> makeDriverCalls(const Devices& devices);
/// The context that is current in this thread; null: none. @throws Error if the driver cannot tell
CUctx_st* currentContext();

} // namespace olab::cuda
