// Finds out why there is no device, more precisely than CUDA's error, which is the same for many reasons.
#pragma once

#include <olab/trace/error.h>

#include <cuda_runtime_api.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace olab::cuda {

struct MachineFacts {
    enum class Nodes : std::uint8_t { Absent, Forbidden, Usable };
    int driverCuda = 0;          ///< CUDA version of libcuda; 0: there is none
    int runtimeCuda = 0;         ///< CUDA version of the runtime built in
    std::string module{};        ///< version of the loaded kernel module; empty: none
    Nodes nodes = Nodes::Absent; ///< /dev/nvidiactl, nvidia-uvm and the device nodes
    std::string closedNode{};    ///< Forbidden: the one that cannot be opened
    std::string visible{};       ///< CUDA_VISIBLE_DEVICES; empty: not set
};
/// `root`: where dev and proc are. Calls CUDA only for the two versions.
MachineFacts machineFacts(const std::filesystem::path& root = "/");
std::string moduleVersion(const std::filesystem::path& root = "/"); ///< of the kernel module; empty: none

/// How many devices there are. @throws Error of kind NoDevice
int countDevices();

/// Whether `status` is one of those that mean that no device can be used at all.
bool meansNoDevice(cudaError_t status);
/// The error of kind NoDevice for such a status. `message` is CUDA's own.
Error noDeviceError(cudaError_t status, const std::string& message, const MachineFacts& facts);

} // namespace olab::cuda
