#include "handles.h"

#include "machine.h"

#include <sys/resource.h>

#include <string>

namespace olab::cuda {
namespace {

struct Advice {
    cudaError_t status;
    const char* code;
    const char* hint;
};

constexpr const char* kFreshProcess = "Run again: the next run gets a fresh process.";
constexpr const char* kBroken = "See dmesg for an Xid message; the device may need a reset or a repair.";

constexpr Advice kAdvice[] = {
    {cudaErrorMemoryAllocation, "out-of-memory",
     "Not enough memory: smaller *.bytes or fewer streams, or end other programs on the device."},
    {cudaErrorIllegalAddress, "kernel-fault", kFreshProcess},
    {cudaErrorMisalignedAddress, "kernel-fault", kFreshProcess},
    {cudaErrorInvalidAddressSpace, "kernel-fault", kFreshProcess},
    {cudaErrorInvalidPc, "kernel-fault", kFreshProcess},
    {cudaErrorIllegalInstruction, "kernel-fault", kFreshProcess},
    {cudaErrorHardwareStackError, "kernel-fault", kFreshProcess},
    {cudaErrorLaunchFailure, "kernel-fault", kFreshProcess},
    {cudaErrorNoKernelImageForDevice, "no-kernel-image",
     "This program was built for other devices: build it with CMAKE_CUDA_ARCHITECTURES of this one."},
    {cudaErrorLaunchTimeout, "launch-timeout",
     "The display watchdog ended a kernel: a shorter kernel.us, or a device without a display."},
    {cudaErrorECCUncorrectable, "device-broken", kBroken},
    {cudaErrorContained, "device-broken", kBroken},
};

/// Drivers may or may not count pinned memory as locked: mentioned if there is such a limit.
std::string lockLimit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return {};
    return " This process may lock " + std::to_string(limit.rlim_cur >> 20) + " MiB (ulimit -l).";
}

} // namespace

std::string cudaMessage(cudaError_t status, const char* doing) {
    return std::string("CUDA failed to ") + doing + ": " + cudaGetErrorString(status) + " (" +
           cudaGetErrorName(status) + ").";
}

void check(cudaError_t status, const char* doing) {
    if (status == cudaSuccess)
        return;
    const std::string message = cudaMessage(status, doing);
    if (meansNoDevice(status))
        throw noDeviceError(status, message, machineFacts());
    for (const Advice& advice : kAdvice)
        if (advice.status == status)
            throw Error(ErrorKind::DeviceFailed, advice.code, message, advice.hint);
    throw Error(ErrorKind::DeviceFailed, "cuda-error", message,
                "Run again; if it stays, look at nvidia-smi and dmesg.");
}

void checkAllocation(cudaError_t status, MemoryPlace place, std::size_t bytes) {
    const bool onDevice = place == MemoryPlace::Device;
    if (status != cudaErrorMemoryAllocation)
        return check(status, onDevice ? "allocate device memory" : "allocate pinned host memory");
    const std::string size = std::to_string(bytes >> 20) + " MiB";
    cudaGetLastError(); // not sticky: the next call must not report it again
    if (onDevice)
        throw Error(
            ErrorKind::DeviceFailed, "out-of-device-memory",
            "The device has no room for a buffer of " + size + ".",
            "Lower h2d.bytes, d2h.bytes, memset.bytes or streams, or end other programs on the device "
            "(nvidia-smi lists them).");
    throw Error(ErrorKind::DeviceFailed, "out-of-pinned-memory",
                "The driver could not pin " + size + " of host memory.",
                "Lower h2d.bytes, d2h.bytes or streams, or set h2d.memory and d2h.memory to pageable." +
                    lockLimit());
}

std::string cudaVersionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Devices::Devices(int first, int count) {
    int there = 0;
    check(cudaGetDeviceCount(&there), "find a device");
    if (first >= there)
        throw Error(ErrorKind::Usage, "no-such-device",
                    "There is no device " + std::to_string(first) + ": this machine has " +
                        std::to_string(there) + ", numbered from 0.",
                    "Set device to one that 'olab devices' lists.");
    if (count > there)
        throw Error(ErrorKind::Usage, "no-such-device",
                    "The plan wants " + std::to_string(count) + " devices; this machine has " +
                        std::to_string(there) + ".",
                    "Set devices=one, or use a machine with more GPUs.");
    for (int i = 0; i < count; ++i)
        m_ordinals.push_back((first + i) % there);
}

void Devices::synchronize(const char* doing) const {
    for (std::size_t d = m_ordinals.size(); d-- > 0;) {
        use(static_cast<std::int32_t>(d));
        check(cudaDeviceSynchronize(), doing);
    }
}

void Devices::synchronizeQuietly() const noexcept {
    for (std::size_t d = m_ordinals.size(); d-- > 0;) {
        cudaSetDevice(m_ordinals[d]);
        cudaDeviceSynchronize();
    }
}

} // namespace olab::cuda
