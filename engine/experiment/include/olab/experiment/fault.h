// A failure that the environment variable OLAB_FAULT asks an engine process for, so that what the program
// does when the machine fails can be tried at will. Each is as real as it can be: a kernel that writes where
// it may not, an allocation larger than the device, a limit on the size of files.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace olab {

enum class Fault : std::uint8_t {
    None,
    IllegalAddress, ///< a kernel writes through a bad pointer
    Hang,           ///< a kernel never ends
    DeviceMemory,   ///< more device memory is asked for than there is
    PinnedMemory,   ///< more pinned host memory is asked for than there is
    Die,            ///< the process is aborted
    Silent,         ///< the process stops answering
    DiskFull        ///< the recording's file meets a limit
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
/// None for ""; nullopt for what is no name of a fault.
constexpr std::optional<Fault> faultNamed(std::string_view name) {
    for (const FaultName& row : kFaultNames)
        if (row.name == name)
            return row.fault;
    return name.empty() ? std::optional(Fault::None) : std::nullopt;
}

} // namespace olab
