// What options choose from and a schedule contains unchanged, and limits: for code that sees a choice in a
// plan but not the experiment. Choices that plan() turns into ops are in experiment.h.
#pragma once

#include <cstdint>

namespace olab::experiment {

/// WriteCombined is for H2D sources only. Mapped and Managed: the kernel uses the memory in place; there is
/// no copy.
enum class HostMemory : std::uint8_t { Pinned, Pageable, Registered, Mapped, Managed, WriteCombined };
enum class KernelKind : std::uint8_t { Compute, Memory };
enum class CallbackMethod : std::uint8_t { HostFn, StreamCallback, Poll, BlockingEvent };
enum class Api : std::uint8_t { Runtime, Driver };
enum class PlannedStreamKind : std::uint8_t { NonBlocking, Blocking, Legacy, PerThread };
enum class SyncMode : std::uint8_t { Device, Stream, Event, Poll };
/// An API call between iterations that may or may not disturb the streams.
enum class Interfere : std::uint8_t {
    None,
    GetLastError,
    StreamQuery,
    Malloc,
    Free,
    MallocHost,
    FreeHost,
    HostRegister,
    MallocAsync,
    MemsetSync,
    D2d,
    FirstLaunch
};
enum class ModuleLoading : std::uint8_t { Default, Lazy, Eager };
enum class LaunchQueues : std::uint8_t { Default, Quarter, Half, Twice, FourTimes };
/// How the simulated operating system hands work to the device.
enum class Submission : std::uint8_t { Linux, Wddm, WddmHags };

/// Either a fixed number of blocks, or `fill` times as many as the device holds at once (the backend resolves
/// it).
struct BlockCount {
    std::uint32_t blocks = 64;
    std::uint32_t fill = 0; ///< 0: use `blocks`
    friend bool operator==(const BlockCount&, const BlockCount&) = default;
};

/// The kernel uses such memory in place: there is no copy op.
constexpr bool usedInPlace(HostMemory memory) {
    return memory == HostMemory::Mapped || memory == HostMemory::Managed;
}
/// More planned ops than this in one window are refused: they would only fill the host's memory with records.
inline constexpr std::int64_t kMaxPlannedOps = 2'000'000;
/// More buffers than this (device and host together) are refused by plan(); the backend checks against the
/// device's free memory.
inline constexpr std::int64_t kMaxBufferBytes = std::int64_t{1} << 40;
/// The `__constant__` array that h2d.target=constant copies into, shared by the streams of a device.
inline constexpr std::int64_t kConstantBytes = 48 << 10;
inline constexpr std::int64_t kConstantUnit = 4;          ///< each stream's slice of it starts at a multiple
inline constexpr std::int64_t kMaxGraphOps = 20'000;      ///< submit=graph
inline constexpr std::int64_t kMaxInterferences = 10'000; ///< each may hold memory until the end
inline constexpr std::int64_t kFirstLaunchKernels =
    64;                                             ///< interfere=first-launch: kernels never launched before
inline constexpr std::int64_t kMaxEvents = 100'000; ///< deps, stream.roles

} // namespace olab::experiment
