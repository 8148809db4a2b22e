#include "cuda_factory.h"

#include <olab/cuda/cuda_backend.h>
#include <olab/cuda/probe.h>

namespace olab::cli {

CudaProbe probeCuda() {
    cuda::CudaMachine machine = cuda::probeMachine();
    CudaProbe probe;
    probe.usable = machine.usable;
    probe.driver = std::move(machine.driver);
    probe.driverCuda = std::move(machine.driverCuda);
    probe.runtime = std::move(machine.runtime);
    probe.cupti = std::move(machine.cupti);
    probe.cuptiFile = std::move(machine.cuptiFile);
    probe.why = std::move(machine.why);
    probe.devices = std::move(machine.devices);
    return probe;
}

std::unique_ptr<experiment::Backend> makeCudaBackend(bool traced, const std::filesystem::path& rawCupti,
                                                     bool serialKernels) {
    cuda::CudaConfig config;
    config.traced = traced;
    config.rawCuptiFile = rawCupti;
    config.serialKernels = serialKernels;
    return std::make_unique<cuda::CudaBackend>(std::move(config));
}

} // namespace olab::cli
