#include "record_names.h"

#include <array>

namespace olab::sim {
namespace {

struct Names {
    const char *runtime, *driver;
    const char* of(experiment::Api api) const { return api == experiment::Api::Driver ? driver : runtime; }
};

constexpr Names kEventRecord{"cudaEventRecord", "cuEventRecord"};

/// In the order of OpKind (a slice of a constant array is addressed directly); empty if the kind alone does
/// not decide.
constexpr std::array<Names, experiment::kOpKinds> kCalls{{
    {"cudaMemcpyAsync", "cuMemcpyHtoDAsync"},
    {"cudaMemsetAsync", "cuMemsetD8Async"},
    {"cudaLaunchKernel", "cuLaunchKernel"},
    {"cudaMemcpyAsync", "cuMemcpyDtoHAsync"},
    {"", ""}, // HostFn
    {"cudaMemsetAsync", "cuMemsetD8Async"},
    {"cudaLaunchKernel", "cuLaunchKernel"},
    kEventRecord,
    {"cudaLaunchKernel", "cuLaunchKernel"},
    {"cudaMemcpyAsync", "cuMemcpyDtoDAsync"},
    {"cudaMemcpyPeerAsync", "cuMemcpyPeerAsync"},
    kEventRecord,
    {"cudaStreamWaitEvent", "cuStreamWaitEvent"},
    {"", ""}, // HostSync
    {"", ""}, // InterfereCall
    {"cudaMemset", "cudaMemset"},
    {"cudaMemcpy", "cudaMemcpy"},
    {"cudaLaunchKernel", "cuLaunchKernel"},
    {"", ""}, // HostWork
}};

/// In the order of CallbackMethod.
constexpr std::array<Names, 4> kCallbacks{{
    {"cudaLaunchHostFunc", "cuLaunchHostFunc"},
    {"cudaStreamAddCallback", "cuStreamAddCallback"},
    kEventRecord,
    kEventRecord,
}};

/// In the order of SyncMode.
constexpr std::array<Names, 4> kWaits{{
    {"cudaDeviceSynchronize", "cuCtxSynchronize"},
    {"cudaStreamSynchronize", "cuStreamSynchronize"},
    {"cudaEventSynchronize", "cuEventSynchronize"},
    {"cudaEventQuery", "cuEventQuery"},
}};

/// In the order of Interfere: the calls of the runtime, whatever API the ops use.
constexpr std::array<const char*, 12> kInterfering{"",
                                                   "cudaGetLastError",
                                                   "cudaStreamQuery",
                                                   "cudaMalloc",
                                                   "cudaFree",
                                                   "cudaMallocHost",
                                                   "cudaFreeHost",
                                                   "cudaHostRegister",
                                                   "cudaMallocAsync",
                                                   "cudaMemset",
                                                   "cudaMemcpy",
                                                   "cudaLaunchKernel"};

} // namespace

const char* callName(const Program& program, const SimOp& op) {
    switch (op.kind) {
    case experiment::OpKind::HostFn:
        return kCallbacks[static_cast<std::size_t>(op.callback)].of(program.api);
    case experiment::OpKind::HostSync:
        return kWaits[static_cast<std::size_t>(op.sync)].of(program.api);
    case experiment::OpKind::InterfereCall:
        return kInterfering[static_cast<std::size_t>(program.interfere)];
    default:
        return kCalls[static_cast<std::size_t>(op.kind)].of(program.api);
    }
}

const char* eventRecordName(experiment::Api api) {
    return kEventRecord.of(api);
}

const char* graphLaunchName(experiment::Api api) {
    return Names{"cudaGraphLaunch", "cuGraphLaunch"}.of(api);
}

const char* syncName(experiment::SyncMode mode) {
    constexpr std::array<const char*, 4> kNames{"context synchronize", "stream synchronize",
                                                "event synchronize", nullptr};
    return kNames[static_cast<std::size_t>(mode)];
}

const char* kernelName(const Program& program, experiment::OpKind kind) {
    switch (kind) {
    case experiment::OpKind::Kernel:
        return program.kernel.memoryBound ? "olab_stream_kernel" : "olab_fma_kernel";
    case experiment::OpKind::FillKernel:
        return "olab_fill_kernel";
    case experiment::OpKind::InterfereKernel:
        return "olab_first_kernel";
    default:
        return "olab_null_kernel";
    }
}

} // namespace olab::sim
