// Basic types shared by all modules: time, ids and small enumerations. Time is int64 nanoseconds; never a
// double.
#pragma once

#include <olab/trace/activity_classes.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace olab {

/// Nanoseconds. A point in time (CUPTI: CLOCK_REALTIME) or a length; always exact.
using Ns = std::int64_t;

/// An index type that cannot be mixed up with other kinds of index.
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
inline constexpr QueueId kNoQueue{0xffffu};
inline constexpr ActivityIndex kNoActivity = 0xffffffffu;
inline constexpr std::uint32_t kNoNumber =
    0xffffffffu; ///< "the producer did not say": device, context, stream, channel

std::string_view className(ActivityClass c);  ///< "kernel", "memcpy_h2d", ...: the contract's names
std::string_view classLabel(ActivityClass c); ///< "kernel", "H2D", "D2H", "memset", ...: for people
/// Accepts the contract's names and the short forms: h2d, d2h, d2d, p2p.
std::optional<ActivityClass> classFromName(std::string_view name);

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

/// Where a trace comes from. Everything but Cuda is labelled wherever it is shown.
enum class SourceKind : std::uint8_t { Cuda, Simulated, Imported, Traced };
std::string_view sourceKindName(SourceKind k); ///< "cuda", "simulated", "imported", "traced"

/// Activity flags.
inline constexpr std::uint8_t kFlagAsync = 1; ///< issued by an asynchronous API call
inline constexpr std::uint8_t kFlagUnified =
    2; ///< a unified-memory migration (copyKind 11..13), also counted separately
inline constexpr std::uint8_t kFlagFailed = 4; ///< API call that returned an error

/// A half-open interval of time: [begin, end), int64 ns.
struct Interval {
    Ns begin = 0;
    Ns end = 0;
    constexpr Ns length() const { return end - begin; }
    constexpr bool contains(Ns t) const { return begin <= t && t < end; }
    friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

} // namespace olab
