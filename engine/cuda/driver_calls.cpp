#include "calls.h"

#include <cudaTypedefs.h>

#include <map>
#include <mutex>
#include <string>

namespace olab::cuda {
namespace {

constexpr unsigned kSignatures = 12000; // the functions' forms as CUDA 12.0 knew them

template <typename Function>
void resolve(const char* name, Function& out) {
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found{};
    check(cudaGetDriverEntryPointByVersion(name, &entry, kSignatures, cudaEnableDefault, &found),
          "look up a driver function");
    if (found != cudaDriverEntryPointSuccess || !entry)
        throw Error(ErrorKind::DeviceFailed, "no-driver-function",
                    std::string("This driver has no ") + name + ".",
                    "Set api=runtime, or install driver 580 or later.");
    out = reinterpret_cast<Function>(entry);
}

struct Functions {
    PFN_cuDevicePrimaryCtxRetain_v7000 retain{};
    PFN_cuDevicePrimaryCtxRelease_v11000 release{};
    PFN_cuCtxPushCurrent_v4000 push{};
    PFN_cuCtxPopCurrent_v4000 pop{};
    PFN_cuMemcpyHtoDAsync_v3020 toDevice{};
    PFN_cuMemcpyDtoHAsync_v3020 toHost{};
    PFN_cuMemcpyDtoDAsync_v3020 onDevice{};
    PFN_cuMemcpyPeerAsync_v4000 toPeer{};
    PFN_cuMemsetD8Async_v3020 clear{};
    PFN_cuLaunchKernel_v4000 launch{};
    PFN_cuLaunchHostFunc_v10000 hostFunction{};
    PFN_cuStreamAddCallback_v5000 callback{};
    PFN_cuEventRecord_v2000 record{};
    PFN_cuStreamWaitEvent_v3020 wait{};
    PFN_cuMemAlloc_v3020 allocate{};
    PFN_cuMemAllocManaged_v6000 allocateManaged{};
    PFN_cuMemHostAlloc_v2020 allocateHost{};
    PFN_cuMemHostRegister_v6050 registerHost{};
    PFN_cuMemHostGetDevicePointer_v3020 deviceView{};
    PFN_cuMemFree_v3020 free{};
    PFN_cuMemFreeHost_v2000 freeHost{};
    PFN_cuMemHostUnregister_v4000 unregisterHost{};

    Functions() {
        resolve("cuDevicePrimaryCtxRetain", retain);
        resolve("cuDevicePrimaryCtxRelease", release);
        resolve("cuCtxPushCurrent", push);
        resolve("cuCtxPopCurrent", pop);
        resolve("cuMemcpyHtoDAsync", toDevice);
        resolve("cuMemcpyDtoHAsync", toHost);
        resolve("cuMemcpyDtoDAsync", onDevice);
        resolve("cuMemcpyPeerAsync", toPeer);
        resolve("cuMemsetD8Async", clear);
        resolve("cuLaunchKernel", launch);
        resolve("cuLaunchHostFunc", hostFunction);
        resolve("cuStreamAddCallback", callback);
        resolve("cuEventRecord", record);
        resolve("cuStreamWaitEvent", wait);
        resolve("cuMemAlloc", allocate);
        resolve("cuMemAllocManaged", allocateManaged);
        resolve("cuMemHostAlloc", allocateHost);
        resolve("cuMemHostRegister", registerHost);
        resolve("cuMemHostGetDevicePointer", deviceView);
        resolve("cuMemFree", free);
        resolve("cuMemFreeHost", freeHost);
        resolve("cuMemHostUnregister", unregisterHost);
    }
};

cudaError_t statusOf(CUresult result) {
    return static_cast<cudaError_t>(result); // both enumerations have the same numbers since CUDA 10.1
}

CUdeviceptr pointer(const void* memory) {
    return static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(memory));
}

/// The primary contexts of the devices of a run.
class Contexts {
public:
    Contexts(const Functions& functions, const Devices& devices)
        : m_functions(functions)
        , m_devices(devices) {
        for (std::size_t d = 0; d < devices.size(); ++d) {
            CUcontext context = nullptr;
            const int ordinal = devices.ordinal(static_cast<std::int32_t>(d));
            check(statusOf(m_functions.retain(&context, ordinal)), "retain the primary context");
            m_contexts.push_back(context);
        }
    }
    Contexts(const Contexts&) = delete;
    Contexts& operator=(const Contexts&) = delete;
    ~Contexts() {
        for (std::size_t d = 0; d < m_contexts.size(); ++d)
            m_functions.release(m_devices.ordinal(static_cast<std::int32_t>(d)));
    }
    CUcontext operator[](std::int32_t device) const { return m_contexts[static_cast<std::size_t>(device)]; }

private:
    const Functions& m_functions;
    const Devices& m_devices;
    std::vector<CUcontext> m_contexts;
};

class DriverCalls final : public Calls {
public:
    explicit DriverCalls(const Devices& devices)
        : m_contexts(m_f, devices) {}

    cudaError_t toDevice(void* to, const void* from, std::size_t bytes, StreamAt at) override {
        return within(at, [&] { return m_f.toDevice(pointer(to), from, bytes, at.stream); });
    }
    cudaError_t toHost(void* to, const void* from, std::size_t bytes, StreamAt at) override {
        return within(at, [&] { return m_f.toHost(to, pointer(from), bytes, at.stream); });
    }
    cudaError_t onDevice(void* to, const void* from, std::size_t bytes, StreamAt at) override {
        return within(at, [&] { return m_f.onDevice(pointer(to), pointer(from), bytes, at.stream); });
    }
    cudaError_t toPeer(void* to, std::int32_t other, const void* from, std::size_t bytes,
                       StreamAt at) override {
        return within(at, [&] {
            return m_f.toPeer(pointer(to), m_contexts[other], pointer(from), m_contexts[at.device], bytes,
                              at.stream);
        });
    }
    cudaError_t clear(void* memory, std::size_t bytes, StreamAt at) override {
        return within(at, [&] { return m_f.clear(pointer(memory), 0, bytes, at.stream); });
    }
    cudaError_t launch(const kernels::Launch& what, void** parameters, StreamAt at) override {
        CUfunction function = nullptr;
        if (const cudaError_t status = functionOf(what.kernel, at.device, function); status != cudaSuccess)
            return status;
        return within(at, [&] {
            return m_f.launch(function, what.blocks, 1, 1, what.threads, 1, 1,
                              static_cast<unsigned>(what.shared), at.stream, parameters, nullptr);
        });
    }
    cudaError_t hostFunction(cudaHostFn_t function, void* data, StreamAt at) override {
        return within(at, [&] { return m_f.hostFunction(at.stream, function, data); });
    }
    // The driver's callbacks get a CUresult where the runtime's get a cudaError_t of the same value.
    cudaError_t callback(cudaStreamCallback_t function, void* data, StreamAt at) override {
        return within(at, [&] {
            return m_f.callback(at.stream, reinterpret_cast<CUstreamCallback>(function), data, 0);
        });
    }
    cudaError_t record(cudaEvent_t event, StreamAt at) override {
        return within(at, [&] { return m_f.record(event, at.stream); });
    }
    cudaError_t wait(cudaEvent_t event, StreamAt at) override {
        return within(at, [&] { return m_f.wait(at.stream, event, 0); });
    }
    // The flags of both APIs have the same values, too.
    cudaError_t allocate(void** memory, std::size_t bytes, std::int32_t device) override {
        return address(memory, device, [&](CUdeviceptr* out) { return m_f.allocate(out, bytes); });
    }
    cudaError_t allocateManaged(void** memory, std::size_t bytes, std::int32_t device) override {
        return address(memory, device, [&](CUdeviceptr* out) {
            return m_f.allocateManaged(out, bytes, CU_MEM_ATTACH_GLOBAL);
        });
    }
    cudaError_t allocateHost(void** memory, std::size_t bytes, unsigned flags, std::int32_t device) override {
        return within({nullptr, device}, [&] { return m_f.allocateHost(memory, bytes, flags); });
    }
    cudaError_t registerHost(void* memory, std::size_t bytes, unsigned flags, std::int32_t device) override {
        return within({nullptr, device}, [&] { return m_f.registerHost(memory, bytes, flags); });
    }
    cudaError_t deviceView(void** view, void* memory, std::int32_t device) override {
        return address(view, device, [&](CUdeviceptr* out) { return m_f.deviceView(out, memory, 0); });
    }
    cudaError_t free(void* memory, std::int32_t device) override {
        return within({nullptr, device}, [&] { return m_f.free(pointer(memory)); });
    }
    cudaError_t freeHost(void* memory, std::int32_t device) override {
        return within({nullptr, device}, [&] { return m_f.freeHost(memory); });
    }
    cudaError_t unregisterHost(void* memory, std::int32_t device) override {
        return within({nullptr, device}, [&] { return m_f.unregisterHost(memory); });
    }

private:
    template <typename Call>
    cudaError_t within(StreamAt at, const Call& call) {
        if (const CUresult pushed = m_f.push(m_contexts[at.device]); pushed != CUDA_SUCCESS)
            return statusOf(pushed);
        const CUresult result = call();
        CUcontext popped = nullptr;
        const CUresult after = m_f.pop(&popped);
        return statusOf(result != CUDA_SUCCESS ? result : after);
    }

    /// A call that returns a device address.
    template <typename Call>
    cudaError_t address(void** memory, std::int32_t device, const Call& call) {
        CUdeviceptr found = 0;
        const cudaError_t status = within({nullptr, device}, [&] { return call(&found); });
        if (status == cudaSuccess)
            *memory = reinterpret_cast<void*>(static_cast<std::uintptr_t>(found));
        return status;
    }

    // Looked up at the launch, not before: a kernel must be loaded by its first launch. Released before the
    // call: it may load code, which may wait for the device.
    cudaError_t functionOf(const void* kernel, std::int32_t device, CUfunction& out) {
        const std::pair key{kernel, device};
        {
            const std::lock_guard lock(m_mutex);
            if (const auto found = m_functions.find(key); found != m_functions.end()) {
                out = found->second;
                return cudaSuccess;
            }
        }
        cudaFunction_t function = nullptr;
        const cudaError_t status = cudaGetFuncBySymbol(&function, kernel);
        if (status != cudaSuccess)
            return status;
        out = function;
        const std::lock_guard lock(m_mutex);
        m_functions.emplace(key, out);
        return cudaSuccess;
    }

    Functions m_f;
    Contexts m_contexts;
    std::mutex m_mutex;
    std::map<std::pair<const void*, std::int32_t>, CUfunction> m_functions;
};

} // namespace

CUctx_st* currentContext() {
    PFN_cuCtxGetCurrent_v4000 current{};
    resolve("cuCtxGetCurrent", current);
    CUcontext context = nullptr;
    return current(&context) == CUDA_SUCCESS ? context : nullptr;
}

std::unique_ptr<Calls> makeDriverCalls(const Devices& devices) {
    return std::make_unique<DriverCalls>(devices);
}

} // namespace olab::cuda
