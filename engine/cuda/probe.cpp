#include <olab/cuda/probe.h>

#include "check.h"
#include "machine.h"

#include <olab/cupti/collector.h>
#include <olab/trace/uuid.h>

namespace olab::cuda {

DeviceRecord deviceRecord(int number) {
    cudaDeviceProp p{};
    check(cudaGetDeviceProperties(&p, number), "read the device's properties");
    DeviceRecord d;
    d.device = static_cast<std::uint32_t>(number);
    d.name = p.name;
    d.uuid = uuidText(p.uuid.bytes);
    d.smCount = static_cast<std::uint32_t>(p.multiProcessorCount);
    d.copyEngines = static_cast<std::uint32_t>(p.asyncEngineCount);
    d.maxThreadsPerSm = static_cast<std::uint32_t>(p.maxThreadsPerMultiProcessor);
    d.maxBlocksPerSm = static_cast<std::uint32_t>(p.maxBlocksPerMultiProcessor);
    d.registersPerSm = static_cast<std::uint32_t>(p.regsPerMultiprocessor);
    d.sharedPerSm = p.sharedMemPerMultiprocessor;
    d.memoryBytes = p.totalGlobalMem;
    d.computeMajor = static_cast<std::uint32_t>(p.major);
    d.computeMinor = static_cast<std::uint32_t>(p.minor);
    return d;
}

std::string driverModuleVersion() {
    return moduleVersion();
}

CudaMachine probeMachine() {
    CudaMachine machine;
    machine.driver = driverModuleVersion();
    int version = 0;
    if (cudaRuntimeGetVersion(&version) == cudaSuccess)
        machine.runtime = cudaVersionText(version);
    if (cudaDriverGetVersion(&version) == cudaSuccess && version > 0)
        machine.driverCuda = cudaVersionText(version);
    const cupti::CuptiProbe cupti = cupti::probeCupti();
    machine.cupti = cupti.version ? std::to_string(cupti.version) : "";
    machine.cuptiFile = cupti.file;
    machine.why = cupti.why;
    try {
        const int count = countDevices();
        for (int i = 0; i < count; ++i)
            machine.devices.push_back(deviceRecord(i));
    } catch (const Error& error) {
        machine.why =
            std::string(error.what()) + " " + error.hint() + (cupti.why.empty() ? "" : " " + cupti.why);
        return machine;
    }
    machine.usable = !machine.devices.empty();
    return machine;
}

} // namespace olab::cuda
