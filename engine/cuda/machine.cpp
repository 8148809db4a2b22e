#include "machine.h"

#include "handles.h"

#include <olab/cuda/probe.h>
#include <olab/cupti/collector.h>
#include <olab/trace/value_text.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

namespace olab::cuda {
namespace {

namespace fs = std::filesystem;

constexpr cudaError_t kNoDeviceStatuses[] = {
    cudaErrorInsufficientDriver,   cudaErrorStubLibrary,        cudaErrorNoDevice,
    cudaErrorSystemDriverMismatch, cudaErrorOperatingSystem,    cudaErrorInitializationError,
    cudaErrorSystemNotReady,       cudaErrorDevicesUnavailable, cudaErrorCompatNotSupportedOnDevice,
    cudaErrorInvalidDevice,        cudaErrorNotPermitted,       cudaErrorDeviceNotLicensed,
};

bool isDeviceNode(const fs::path& file) {
    const std::string name = file.filename().string();
    const std::string number = name.starts_with("nvidia") ? name.substr(6) : "";
    return !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
}

bool opens(const fs::path& file) {
    return ::faccessat(AT_FDCWD, file.c_str(), R_OK | W_OK, AT_EACCESS) == 0;
}

/// All of them are needed: two for control and memory, and at least one device.
void lookAtNodes(const fs::path& folder, MachineFacts& facts) {
    std::error_code failed;
    std::vector<fs::path> nodes{folder / "nvidiactl", folder / "nvidia-uvm"};
    for (const auto& entry : fs::directory_iterator(folder, failed))
        if (isDeviceNode(entry.path()))
            nodes.push_back(entry.path());
    facts.nodes = nodes.size() > 2 ? MachineFacts::Nodes::Usable : MachineFacts::Nodes::Absent;
    for (const fs::path& node : nodes) {
        if (!fs::exists(node, failed)) {
            facts.nodes = MachineFacts::Nodes::Absent;
        } else if (!opens(node) && facts.closedNode.empty()) {
            facts.closedNode = "/dev/" + node.filename().string();
        }
    }
    if (facts.nodes == MachineFacts::Nodes::Usable && !facts.closedNode.empty())
        facts.nodes = MachineFacts::Nodes::Forbidden;
}

Error make(const char* code, const std::string& message, const std::string& hint) {
    return {ErrorKind::NoDevice, code, message, hint};
}

Error noDriver(const MachineFacts& facts) {
    if (facts.module.empty())
        return make("no-driver", "No NVIDIA driver is loaded.",
                    "Install driver 580 or later and load it (nvidia-smi shows it).");
    return make("no-driver",
                "The NVIDIA kernel module " + facts.module + " is loaded, but libcuda.so.1 is not found.",
                "In a container: start it with the NVIDIA container toolkit (--gpus all). Else install the "
                "libraries of this driver.");
}

Error tooOld(const MachineFacts& facts) {
    return make("driver-too-old",
                "The NVIDIA driver" + (facts.module.empty() ? "" : " " + facts.module) + " supports CUDA " +
                    cudaVersionText(facts.driverCuda) + "; this program needs " +
                    cudaVersionText(facts.runtimeCuda) + ".",
                "Install driver 580 or later.");
}

/// Finds out why a loaded driver found no device.
Error noDevice(const std::string& message, const MachineFacts& facts) {
    if (facts.nodes == MachineFacts::Nodes::Forbidden)
        return make("no-permission", message + " This user may not open " + facts.closedNode + ".",
                    "Ask to be put into the group that owns it (ls -l /dev/nvidia*), usually video.");
    if (!facts.visible.empty())
        return make("no-device", message + " CUDA_VISIBLE_DEVICES is '" + facts.visible + "'.",
                    "Unset it, or name a device that nvidia-smi -L lists.");
    if (!facts.module.empty() && facts.nodes == MachineFacts::Nodes::Absent)
        return make(
            "no-device",
            message + " The kernel module " + facts.module +
                " is loaded, but its device files (/dev/nvidia0, nvidiactl, nvidia-uvm) are not all here.",
            "In a container: start it with the device (--gpus all). Else run nvidia-modprobe -c 0.");
    if (facts.module.empty())
        return make("no-device", message + " The NVIDIA kernel module is not loaded.",
                    "Load it (modprobe nvidia); dmesg says why if it does not stay.");
    return make("no-device", message, "Check nvidia-smi and dmesg.");
}

} // namespace

// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  ..." : the first word that looks like a
// version.
std::string moduleVersion(const fs::path& root) {
    std::ifstream file(root / "proc/driver/nvidia/version");
    std::string line, word;
    std::getline(file, line);
    std::istringstream words(line);
    while (words >> word)
        if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
            return word;
    return {};
}

MachineFacts machineFacts(const fs::path& root) {
    MachineFacts facts;
    if (cudaDriverGetVersion(&facts.driverCuda) != cudaSuccess)
        facts.driverCuda = 0;
    if (cudaRuntimeGetVersion(&facts.runtimeCuda) != cudaSuccess)
        facts.runtimeCuda = CUDART_VERSION;
    facts.module = moduleVersion(root);
    lookAtNodes(root / "dev", facts);
    if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES"))
        facts.visible = *visible ? visible : "(empty)";
    return facts;
}

int countDevices() {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess)
        throw noDeviceError(status, cudaMessage(status, "find a device"), machineFacts());
    return count;
}

bool meansNoDevice(cudaError_t status) {
    return std::find(std::begin(kNoDeviceStatuses), std::end(kNoDeviceStatuses), status) !=
           std::end(kNoDeviceStatuses);
}

Error noDeviceError(cudaError_t status, const std::string& message, const MachineFacts& facts) {
    switch (status) {
    case cudaErrorInsufficientDriver:
        return facts.driverCuda > 0 ? tooOld(facts) : noDriver(facts);
    case cudaErrorStubLibrary:
        return make("no-driver", message + " libcuda is the toolkit's stub, not a driver.",
                    "Remove the stub folder from the library path.");
    case cudaErrorSystemDriverMismatch:
        return make(
            "driver-mismatch",
            message + " The driver's libraries and its kernel module are of different versions.",
            "Restart the machine after an update of the driver; in a container, use the host's libraries.");
    case cudaErrorSystemNotReady:
        return make("not-ready", message,
                    "Check that the driver's services run (nvidia-fabricmanager, nvidia-persistenced).");
    case cudaErrorDevicesUnavailable:
        return make("device-busy", message + " Another process may hold the device exclusively.",
                    "End it, or change the compute mode (nvidia-smi -c 0).");
    default:
        return noDevice(message, facts);
    }
}

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
