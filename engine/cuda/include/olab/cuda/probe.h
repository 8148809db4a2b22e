// What this machine has: never throws, never creates a context.
#pragma once

#include <olab/trace/records.h>

#include <string>
#include <vector>

namespace olab::cuda {

struct CudaMachine {
    bool usable = false;    ///< a driver and at least one device
    std::string driver;     ///< of the kernel module, "580.159.04"; empty: none loaded
    std::string driverCuda; ///< the CUDA version it supports, "13.0"
    std::string runtime;    ///< the CUDA runtime built in
    std::string cupti;      ///< version, or empty
    std::string cuptiFile;
    std::string why; ///< what is missing and what to do; empty when nothing is
    std::vector<DeviceRecord> devices;
};
CudaMachine probeMachine();
/// The runtime's properties of a device. @throws Error
DeviceRecord deviceRecord(int device);
std::string driverModuleVersion(); ///< of the loaded kernel module; empty: none

} // namespace olab::cuda
