#include "calls.h"

namespace olab::cuda {
namespace {

class RuntimeCalls final : public Calls {
public:
    explicit RuntimeCalls(const Devices& devices)
        : m_devices(devices) {}
    cudaError_t toDevice(void* to, const void* from, std::size_t bytes, StreamAt at) override {
        return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, at.stream);
    }
    cudaError_t toHost(void* to, const void* from, std::size_t bytes, StreamAt at) override {
        return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, at.stream);
    }
    cudaError_t onDevice(void* to, const void* from, std::size_t bytes, StreamAt at) override {
        return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, at.stream);
    }
    cudaError_t toPeer(void* to, std::int32_t other, const void* from, std::size_t bytes,
                       StreamAt at) override {
        return cudaMemcpyPeerAsync(to, m_devices.ordinal(other), from, m_devices.ordinal(at.device), bytes,
                                   at.stream);
    }
    cudaError_t clear(void* memory, std::size_t bytes, StreamAt at) override {
        return cudaMemsetAsync(memory, 0, bytes, at.stream);
    }
    cudaError_t launch(const kernels::Launch& what, void** parameters, StreamAt at) override {
        return kernels::launch(what, parameters, at.stream);
    }
    cudaError_t hostFunction(cudaHostFn_t function, void* data, StreamAt at) override {
        return cudaLaunchHostFunc(at.stream, function, data);
    }
    cudaError_t callback(cudaStreamCallback_t function, void* data, StreamAt at) override {
        return cudaStreamAddCallback(at.stream, function, data, 0);
    }
    cudaError_t record(cudaEvent_t event, StreamAt at) override { return cudaEventRecord(event, at.stream); }
    cudaError_t wait(cudaEvent_t event, StreamAt at) override {
        return cudaStreamWaitEvent(at.stream, event, 0);
    }
    cudaError_t allocate(void** memory, std::size_t bytes, std::int32_t) override {
        return cudaMalloc(memory, bytes);
    }
    cudaError_t allocateManaged(void** memory, std::size_t bytes, std::int32_t) override {
        return cudaMallocManaged(memory, bytes);
    }
    cudaError_t allocateHost(void** memory, std::size_t bytes, unsigned flags, std::int32_t) override {
        return cudaHostAlloc(memory, bytes, flags);
    }
    cudaError_t registerHost(void* memory, std::size_t bytes, unsigned flags, std::int32_t) override {
        return cudaHostRegister(memory, bytes, flags);
    }
    cudaError_t deviceView(void** view, void* memory, std::int32_t) override {
        return cudaHostGetDevicePointer(view, memory, 0);
    }
    cudaError_t free(void* memory, std::int32_t) override { return cudaFree(memory); }
    cudaError_t freeHost(void* memory, std::int32_t) override { return cudaFreeHost(memory); }
    cudaError_t unregisterHost(void* memory, std::int32_t) override { return cudaHostUnregister(memory); }

private:
    const Devices& m_devices;
};

} // namespace

std::unique_ptr<Calls> makeCalls(experiment::Api api, const Devices& devices) {
    if (api == experiment::Api::Driver)
        return makeDriverCalls(devices);
    return std::make_unique<RuntimeCalls>(devices);
}

} // namespace olab::cuda
