// The one place where the command line meets CUDA. A build without CUDA has cuda_factory_none.cpp behind it,
// one with CUDA cuda_factory_cuda.cpp.
#pragma once

#include <olab/experiment/backend.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace olab::cli {

struct CudaProbe {
    bool usable = false;    ///< an experiment could run here
    std::string driver;     ///< "580.82"; empty: none
    std::string driverCuda; ///< the CUDA version the driver supports
    std::string runtime;    ///< the CUDA runtime built in; empty: a build without CUDA
    std::string cupti;      ///< empty: not found
    std::string cuptiFile;  ///< where it was found
    std::string why;        ///< what is missing and what to do; empty when nothing is
    std::vector<DeviceRecord> devices;
};
/// Never throws for lack of a device; creates no context.
CudaProbe probeCuda();
/// @throws Error kind NoDevice when this build or machine cannot
std::unique_ptr<experiment::Backend> makeCudaBackend(bool traced, const std::filesystem::path& rawCupti,
                                                     bool serialKernels = false);

} // namespace olab::cli
