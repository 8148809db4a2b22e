// The words of the house as types: time, ids and the small enumerations every module shares. Time is int64
// nanoseconds; never a double.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace olab {

/// Nanoseconds. A point in time (CUPTI: CLOCK_REALTIME) or a length; always exact.
using Ns = std::int64_t;

/// An index that cannot be passed where another kind of index is meant.
template <typename Tag, typename Value = std::uint32_t>
struct StrongId {
    Value value{};
    friend constexpr bool operator==(StrongId, StrongId) = default;
    friend constexpr auto operator<=>(StrongId, StrongId) = default;
};

using StringId = StrongId<struct StringTag>;              ///< into Trace::text(); 0 is the empty string
using TextId = StrongId<struct TextTag>;                  ///< of RecordSink::intern(); 0 is the empty string
using OpId = StrongId<struct OpTag>;                      ///< planned operation; into Schedule::ops
using QueueId = StrongId<struct QueueTag, std::uint16_t>; ///< into Trace::queues(): a stream or a host thread
using ChannelId = StrongId<struct ChannelTag, std::uint16_t>; ///< into Trace::channels()
using LaneId = StrongId<struct LaneTag>;                      ///< into LaneSet::lanes()
using ActivityIndex = std::uint32_t;                          ///< row of a Trace, sorted by begin

inline constexpr OpId kNoOp{0xffffffffu};
inline constexpr ChannelId kNoChannel{0xffffu};
inline constexpr std::uint32_t kNoNumber =
    0xffffffffu; ///< "the producer did not say": device, context, stream, channel

/// What an activity is for the overlap numbers. Files hold these numbers: append, never reorder. The first
/// kDeviceClassCount are GPU work and, in this order, the classes of the counting contract
/// (reference_overlap.py CLASSES); the rest is host side and never in the contract's numbers.
enum class ActivityClass : std::uint8_t {
    Kernel,
    MemcpyH2D,
    MemcpyD2H,
    MemcpyD2D,
    MemcpyP2P,
    Memset,
    MemcpyOther,
    HostFn,
    Api,
    Sync,
    Overhead,
    Nvtx, ///< a range that the program named, or a mark: of zero length
};
inline constexpr std::size_t kDeviceClassCount = 7;
inline constexpr std::size_t kClassCount = 12;
constexpr bool isDeviceClass(ActivityClass c) {
    return static_cast<std::size_t>(c) < kDeviceClassCount;
}
constexpr bool isCopyClass(ActivityClass c) {
    return isDeviceClass(c) && c != ActivityClass::Kernel && c != ActivityClass::Memset;
}
std::string_view className(ActivityClass c);  ///< "kernel", "memcpy_h2d", ...: the contract's names
std::string_view classLabel(ActivityClass c); ///< "kernel", "H2D", "D2H", "memset", ...: for people
/// Accepts the contract's names and the short ones: h2d, d2h, d2d, p2p.
std::optional<ActivityClass> classFromName(std::string_view name);

/// A hardware unit that executes. MEMSET and SM copies run on Compute (facts: channelType decides, then
/// copyKind).
enum class EngineKind : std::uint8_t { None, Compute, CopyH2D, CopyD2H, CopyD2D, CopyP2P };
inline constexpr std::size_t kEngineCount = 6;
std::string_view engineName(EngineKind e);  ///< "compute", "copy_h2d", ...: report keys
std::string_view engineLabel(EngineKind e); ///< "compute", "copy H2D", ...: for people

enum class ChannelType : std::uint8_t {
    Unknown,
    Compute,
    AsyncCopy,
    Decompress
}; ///< CUpti_ChannelType, same values
/// CUpti_ActivityMemoryKind, same values.
enum class MemoryKind : std::uint8_t {
    Unknown,
    Pageable,
    Pinned,
    Device,
    Array,
    Managed,
    DeviceStatic,
    ManagedStatic
};
std::string_view memoryKindName(MemoryKind m); ///< "pageable", "pinned", ...
enum class StreamKind : std::uint8_t {
    Unknown,
    Blocking,
    NonBlocking,
    Null
}; ///< CUpti_ActivityStreamFlag, same values
std::string_view streamKindName(StreamKind k);

/// Where a trace comes from. Everything but Cuda is marked wherever it is shown.
enum class SourceKind : std::uint8_t { Cuda, Simulated, Imported, Traced };
std::string_view sourceKindName(SourceKind k); ///< "cuda", "simulated", "imported", "traced"

/// Activity flags.
inline constexpr std::uint8_t kFlagAsync = 1; ///< issued by an asynchronous API call
inline constexpr std::uint8_t kFlagUnified =
    2; ///< a unified-memory migration (copyKind 11..13), counted apart too
inline constexpr std::uint8_t kFlagFailed = 4; ///< API call that returned an error

} // namespace olab
