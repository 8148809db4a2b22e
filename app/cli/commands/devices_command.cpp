#include "command.h"
#include "console.h"
#include "cuda_factory.h"
#include "engines.h"
#include "traced_program.h"

#include <nlohmann/json.hpp>

namespace olab::cli {
namespace {

constexpr OptionSpec kDevicesOptions[] = {{"--json", "", "", "print it as JSON"}, kOnOption};

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

/// What olab says there, as it says it.
int devicesOf(const std::string& host, const Arguments& arguments) {
    const run::Elsewhere elsewhere(host, run::Need::Olab, true, {});
    std::vector<std::string> words{"devices"};
    if (arguments.has("--json"))
        words.emplace_back("--json");
    return runProgram(elsewhere.olab(words), [](pid_t) { return Variables(); }).code;
}

int runDevices(const Arguments& arguments) {
    if (arguments.has("--on"))
        return devicesOf(arguments.value("--on"), arguments);
    const CudaProbe probe = probeCuda();
    arguments.has("--json") ? printJson(probeJson(probe)) : print(probeText(probe));
    return 0;
}

} // namespace

extern const Command kDevicesCommand{"devices",
                                     "[--json] [--on HOST]",
                                     "Shows driver, devices, copy engines and CUPTI, and what is missing.",
                                     "",
                                     kDevicesOptions,
                                     0,
                                     0,
                                     runDevices};

} // namespace olab::cli
