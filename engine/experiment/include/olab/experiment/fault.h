// A failure that the environment variable OLAB_FAULT requests from an engine process, to test how the program
// handles failures of the machine. Each is as real as possible: a kernel that writes to an invalid address,
// an allocation larger than the device, a limit on file sizes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace olab::experiment {

enum class Fault : std::uint8_t {
    None,
    IllegalAddress, ///< a kernel writes through a bad pointer
    Hang,           ///< a kernel never ends
    DeviceMemory,   ///< more device memory is requested than available
    PinnedMemory,   ///< more pinned host memory is requested than available
    Die,            ///< the process is aborted
    Silent,         ///< the process stops responding
    DiskFull        ///< the recording file reaches a size limit
};

struct FaultName {
    Fault fault;
    std::string_view name;
};
inline constexpr std::array<FaultName, 7> kFaultNames{{{Fault::IllegalAddress, "illegal-address"},
                                                       {Fault::Hang, "hang"},
                                                       {Fault::DeviceMemory, "device-memory"},
                                                       {Fault::PinnedMemory, "pinned-memory"},
                                                       {Fault::Die, "die"},
                                                       {Fault::Silent, "silent"},
                                                       {Fault::DiskFull, "disk-full"}}};

/// "" for None.
constexpr std::string_view faultName(Fault fault) {
    for (const FaultName& row : kFaultNames)
        if (row.fault == fault)
            return row.name;
    return {};
}
/// None for ""; nullopt for an unknown name.
constexpr std::optional<Fault> faultNamed(std::string_view name) {
    for (const FaultName& row : kFaultNames)
        if (row.name == name)
            return row.fault;
    return name.empty() ? std::optional(Fault::None) : std::nullopt;
}

} // namespace olab::experiment
