#include "check.h"

#include <string>

namespace olab {
namespace {

struct Advice {
    cudaError_t status;
    ErrorKind kind;
    const char* code;
    const char* hint;
};

constexpr Advice kAdvice[] = {
    {cudaErrorInsufficientDriver, ErrorKind::NoDevice, "no-driver",
     "No NVIDIA driver for this CUDA version is loaded. Install driver 580 or later, or use --backend sim."},
    {cudaErrorStubLibrary, ErrorKind::NoDevice, "no-driver",
     "libcuda is the toolkit's stub, not a driver. Remove the stub folder from the library path."},
    {cudaErrorNoDevice, ErrorKind::NoDevice, "no-device",
     "The driver sees no GPU: check nvidia-smi and CUDA_VISIBLE_DEVICES, or use --backend sim."},
    {cudaErrorSystemNotReady, ErrorKind::NoDevice, "not-ready",
     "The driver is not ready: check that its services run."},
    {cudaErrorDevicesUnavailable, ErrorKind::NoDevice, "device-busy",
     "Another process holds the device exclusively: end it, or change the compute mode (nvidia-smi -c 0)."},
    {cudaErrorMemoryAllocation, ErrorKind::DeviceFailed, "out-of-memory",
     "Not enough memory: smaller *.bytes or fewer streams, or end other programs on the device."},
    {cudaErrorIllegalAddress, ErrorKind::DeviceFailed, "kernel-fault",
     "A kernel touched memory it may not. Run again: the next run gets a fresh process."},
    {cudaErrorLaunchTimeout, ErrorKind::DeviceFailed, "launch-timeout",
     "The display watchdog ended a kernel: a shorter kernel.us, or a device without a display."},
};

} // namespace

void check(cudaError_t status, const char* doing) {
    if (status == cudaSuccess)
        return;
    const std::string message = std::string("CUDA failed to ") + doing + ": " + cudaGetErrorString(status) +
                                " (" + cudaGetErrorName(status) + ").";
    for (const Advice& advice : kAdvice)
        if (advice.status == status)
            throw Error(advice.kind, advice.code, message, advice.hint);
    throw Error(ErrorKind::DeviceFailed, "cuda-error", message,
                "Run again; if it stays, look at nvidia-smi and dmesg.");
}

std::string cudaVersionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

} // namespace olab
