// The enqueuing and allocating calls, by the runtime or the driver API: the only place that knows the
// difference. They return CUDA's status (both APIs use the same error numbers) and never throw; any thread
// may call.
#pragma once

#include "handles.h"

#include <olab/experiment/option_choices.h>
#include <olab/kernels/launch.h>

#include <memory>

namespace olab::cuda {

/// A stream and the device it is on (0-based among those used).
struct StreamAt {
    cudaStream_t stream = nullptr;
    std::int32_t device = 0;
};

class Calls {
public:
    virtual ~Calls() = default;
    virtual cudaError_t toDevice(void* to, const void* from, std::size_t bytes, StreamAt at) = 0;
    virtual cudaError_t toHost(void* to, const void* from, std::size_t bytes, StreamAt at) = 0;
    virtual cudaError_t onDevice(void* to, const void* from, std::size_t bytes, StreamAt at) = 0;
    /// From `at`'s device to the device `other`.
    virtual cudaError_t toPeer(void* to, std::int32_t other, const void* from, std::size_t bytes,
                               StreamAt at) = 0;
    virtual cudaError_t clear(void* memory, std::size_t bytes, StreamAt at) = 0;
    virtual cudaError_t launch(const kernels::Launch& what, void** parameters, StreamAt at) = 0;
    virtual cudaError_t hostFunction(cudaHostFn_t function, void* data, StreamAt at) = 0;
    /// `function` as of cudaStreamAddCallback.
    virtual cudaError_t callback(cudaStreamCallback_t function, void* data, StreamAt at) = 0;
    virtual cudaError_t record(cudaEvent_t event, StreamAt at) = 0;
    virtual cudaError_t wait(cudaEvent_t event, StreamAt at) = 0;

    // Memory for `device`, which must be current; flags as of cudaHostAlloc and cudaHostRegister.
    virtual cudaError_t allocate(void** memory, std::size_t bytes, std::int32_t device) = 0;
    virtual cudaError_t allocateManaged(void** memory, std::size_t bytes, std::int32_t device) = 0;
    virtual cudaError_t allocateHost(void** memory, std::size_t bytes, unsigned flags,
                                     std::int32_t device) = 0;
    virtual cudaError_t registerHost(void* memory, std::size_t bytes, unsigned flags,
                                     std::int32_t device) = 0;
    /// The device address of mapped host memory.
    virtual cudaError_t deviceView(void** view, void* memory, std::int32_t device) = 0;
    /// Memory from allocate() and allocateManaged().
    virtual cudaError_t free(void* memory, std::int32_t device) = 0;
    virtual cudaError_t freeHost(void* memory, std::int32_t device) = 0;
    virtual cudaError_t unregisterHost(void* memory, std::int32_t device) = 0;
};

/// `devices` must outlive the calls. @throws Error if the driver lacks a function
std::unique_ptr<Calls> makeCalls(experiment::Api api, const Devices& devices);

} // namespace olab::cuda

// api=driver: the driver API, found at run time (libcuda is never linked). As in the source text that it
// reproduces, the primary context is retained once and pushed and popped around each call.

struct CUctx_st; // the driver's CUcontext is a pointer to it

namespace olab::cuda {

std::unique_ptr<Calls> makeDriverCalls(const Devices& devices);
/// The context that is current in this thread; null: none. @throws Error if the driver cannot tell
CUctx_st* currentContext();

} // namespace olab::cuda
