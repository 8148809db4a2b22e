#include "command.h"
#include "cuda_factory.h"

#include <nlohmann/json.hpp>

namespace olab::cli {
namespace {

constexpr OptionSpec kDevicesOptions[] = {{"--json", "", "", "print it as JSON"}};

using Json = nlohmann::ordered_json;

Json deviceJson(const DeviceRecord& d) {
    return {{"device", d.device},
            {"name", d.name},
            {"uuid", d.uuid},
            {"compute_capability", std::to_string(d.computeMajor) + "." + std::to_string(d.computeMinor)},
            {"sm_count", d.smCount},
            {"copy_engines", d.copyEngines},
            {"max_threads_per_sm", d.maxThreadsPerSm},
            {"max_blocks_per_sm", d.maxBlocksPerSm},
            {"memory_bytes", d.memoryBytes}};
}

std::string probeJson(const CudaProbe& probe) {
    Json devices = Json::array();
    for (const DeviceRecord& device : probe.devices)
        devices.push_back(deviceJson(device));
    const Json json{{"usable", probe.usable},   {"driver", probe.driver}, {"driver_cuda", probe.driverCuda},
                    {"runtime", probe.runtime}, {"cupti", probe.cupti},   {"missing", probe.why},
                    {"devices", devices}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string orNone(const std::string& text) {
    return text.empty() ? "none" : text;
}

Printed probeText(const CudaProbe& probe) {
    Printed text;
    text << "driver " << orNone(probe.driver);
    if (!probe.driverCuda.empty())
        text << " (CUDA " << probe.driverCuda << ")";
    text << ", CUDA runtime " << orNone(probe.runtime) << ", CUPTI " << orNone(probe.cupti) << "\n";
    for (const DeviceRecord& d : probe.devices)
        text << "device " << d.device << ": " << d.name << ", compute capability " << d.computeMajor << "."
             << d.computeMinor << ", " << d.smCount << " SMs, " << d.copyEngines << " copy engines, "
             << (d.memoryBytes >> 20) << " MiB\n";
    if (probe.devices.empty())
        text << "no device\n";
    if (!probe.why.empty())
        text << probe.why << "\n";
    return text;
}

int runDevices(const Arguments& arguments) {
    const CudaProbe probe = probeCuda();
    arguments.has("--json") ? printJson(probeJson(probe)) : print(probeText(probe));
    return 0;
}

} // namespace

extern const Command kDevicesCommand{
    "devices", "[--json]",      "Shows driver, devices, copy engines and CUPTI, and what is missing.",
    "",        kDevicesOptions, 0,
    0,         runDevices};

} // namespace olab::cli
