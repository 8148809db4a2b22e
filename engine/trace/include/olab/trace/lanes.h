// The kinds of rows of the view, as one table: a kind of lane is a name here and a row of kLaneKindRows.
// Counting, opening and filling lanes (lanes.cpp), and all code that names, sizes, describes or omits rows,
// loops over it. A new kind needs a name, at its place in the view, a row, and a producer of its content. A
// lane shows when its activities ran, or a value over time that they add up to.
#pragma once

#include <olab/trace/activity_classes.h>
#include <olab/trace/trace.h>

#include <array>
#include <memory>
#include <stop_token>

namespace olab {

/// In view order: per device engines, values over time, then streams; then the host, then its threads.
enum class LaneKind : std::uint8_t {
    Engine,
    Channel,    ///< what one channel of an engine did; never in a LaneSet
    Throughput, ///< of the copies of one direction; never in a LaneSet
    Stream,
    HostFn,
    HostThread,   ///< API calls, and waits where they do not cross them
    HostRanges,   ///< NVTX ranges of a thread
    HostWaits,    ///< synchronisations of a thread that cross its API calls
    HostOverhead, ///< of the tool, in a thread
    Count_
};
inline constexpr auto kLaneKindCount = static_cast<std::size_t>(LaneKind::Count_);

/// What gets a lane each. Class: each class of the kind, on each device.
enum class LaneScope : std::uint8_t { Engine, Class, Stream, Host, Thread };
constexpr bool isOfDevice(LaneScope scope) {
    return scope <= LaneScope::Stream;
}

/// What a lane shows over time. A value is the sum of what its activities contribute, each spread evenly over
/// its own time (view/value_series.h).
enum class LaneValue : std::uint8_t {
    Coverage,      ///< no value: shows that something runs
    BytesPerSecond ///< of what copies and memsets move
};

struct LaneKindRow {
    LaneKind kind;
    LaneScope scope;
    ClassMask holds;        ///< activities of these classes; 0: host activities that no other kind contains
    LaneKind beneath;       ///< the kind whose lane it is a part of; itself: none
    LaneKind sharedWith;    ///< its activities go into that lane if the two do not cross; itself: never
    bool onDemand;          ///< created on request
    std::string_view label; ///< Host: the whole label; Thread: the part after the thread's name
    std::string_view
        brief; ///< replaces the first word of its label, if it is beneath another lane and space is short
    std::string_view thing; ///< the noun for one of its activities
    int height;             ///< logical pixels, at the normal text size
    bool large;             ///< its name uses the larger font
    int worth;              ///< if a picture has too little space, the rows worth least are dropped first
    std::string_view help;  ///< what it shows
    LaneValue value = LaneValue::Coverage;
    std::string_view group{}; ///< of values: the heading of these lanes, collapsed until opened
};

inline constexpr std::array<LaneKindRow, kLaneKindCount> kLaneKindRows = [] {
    using enum LaneKind;
    using S = LaneScope;
    using C = ActivityClass;
    constexpr int kEngine = 27, kWork = 20, kHost = 18, kValue = 36; // heights
    std::array<LaneKindRow, kLaneKindCount> rows{{
        {Engine, S::Engine, kDeviceClasses, Engine, Engine, false, "", "", "operation", kEngine, true, 8,
         "A hardware engine of the GPU: what really executed, whatever stream it came from"},
        {Channel, S::Engine, kDeviceClasses, Engine, Channel, true, "", "ch.", "operation", kWork, false, 2,
         "A channel: one of the hardware queues that feed the engine"},
        {Throughput, S::Class, kCopyClasses, Throughput, Throughput, true, " throughput", "", "copy", kValue,
         false, 7,
         "How many bytes per second the copies of one direction moved, from their own sizes and times",
         LaneValue::BytesPerSecond, "Copy throughput"},
        {Stream, S::Stream, kDeviceClasses, Stream, Stream, false, "", "", "operation", kWork, false, 6,
         "A CUDA stream: its work runs in order"},
        {HostFn, S::Host, maskOf(C::HostFn), HostFn, HostFn, false, "host callbacks", "", "call", kHost,
         false, 3, "Host functions that streams called when they reached them"},
        {HostThread, S::Thread, 0, HostThread, HostThread, false, "", "", "call", kHost, false, 5,
         "A host thread: its CUDA API calls, and its waits where they do not cross them"},
        {HostRanges, S::Thread, maskOf(C::Nvtx), HostThread, HostRanges, false, " · NVTX", "", "call", kHost,
         false, 4, "What the thread was doing, in its own words: ranges and marks of NVTX"},
        {HostWaits, S::Thread, maskOf(C::Sync), HostThread, HostThread, false, " · waits", "", "call", kHost,
         false, 1, "Where the thread waited for the GPU, inside its calls"},
        {HostOverhead, S::Thread, maskOf(C::Overhead), HostThread, HostOverhead, false, " · tool overhead",
         "", "call", kHost, false, 0,
         "What the tracing tool itself did in the thread: no part of the program"},
    }};
    ClassMask rest = kAllClasses;
    for (const LaneKindRow& row : rows)
        rest &= ~row.holds;
    for (LaneKindRow& row : rows)
        row.holds = row.holds == 0 ? rest : row.holds;
    return rows;
}();

constexpr const LaneKindRow& laneKindRow(LaneKind kind) {
    return kLaneKindRows[static_cast<std::size_t>(kind)];
}
constexpr LaneScope scopeOf(LaneKind kind) {
    return laneKindRow(kind).scope;
}
constexpr bool isOfDevice(LaneKind kind) {
    return isOfDevice(scopeOf(kind));
}
/// Whether it shows a value over time instead of activities.
constexpr bool showsValue(LaneKind kind) {
    return laneKindRow(kind).value != LaneValue::Coverage;
}
constexpr bool isBeneath(LaneKind kind) {
    return laneKindRow(kind).beneath != kind;
}

static_assert(
    [] {
        ClassMask seen = 0;
        for (std::size_t k = 0; k < kLaneKindCount; ++k) {
            const LaneKindRow& row = kLaneKindRows[k];
            const LaneKindRow &parent = laneKindRow(row.beneath), &shared = laneKindRow(row.sharedWith);
            const bool sameKind = isOfDevice(row.scope) == ((row.holds & kDeviceClasses) != 0) &&
                                  ((row.holds & kDeviceClasses) == 0 || (row.holds & ~kDeviceClasses) == 0);
            if (static_cast<std::size_t>(row.kind) != k || row.holds == 0 || !sameKind || row.height <= 0 ||
                row.thing.empty() || row.help.empty())
                return false;
            // a value belongs to classes, is created on demand, and has its own group
            const bool isValue = row.value != LaneValue::Coverage;
            if (isValue != (row.scope == LaneScope::Class) || isValue == row.group.empty() ||
                (isValue && !row.onDemand))
                return false;
            // a lane comes after the one that it is a part of or merges into
            if (parent.scope != row.scope || static_cast<std::size_t>(row.beneath) > k ||
                parent.beneath != parent.kind || shared.scope != row.scope ||
                static_cast<std::size_t>(row.sharedWith) > k || shared.sharedWith != shared.kind)
                return false;
            if (k > 0 && kLaneKindRows[k - 1].scope > row.scope)
                return false;
            seen |= row.onDemand ? 0 : row.holds;
        }
        return seen == kAllClasses; // everything that was recorded has a row
    }(),
    "kinds of lanes stand in the order of the view, behind what they belong to; each class has a lane");

/// The rows of the view, and the coverage used for drawing and for verdicts: one IntervalSet per (lane,
/// class). Order: per device its engines, then its streams; then host callbacks and host threads, each
/// followed by the rows beneath it. Built once per trace; immutable. The lanes of an engine's channels are
/// created on request.
struct Lane {
    LaneId id{};
    LaneKind kind{};
    std::uint8_t device = 0;              ///< index into Trace::devices(); host lanes: 0
    EngineKind engine = EngineKind::None; ///< Engine lanes
    ActivityClass cls{};                  ///< lanes of a class: which class
    QueueId queue{};                      ///< Stream lanes, and those of a host thread
    std::vector<ChannelId> channels; ///< Engine lanes: those its work ran on, by number; Channel lanes: one
    std::string label; ///< "copy H2D", "stream 14", "thread 4711", "thread 4711 · waits", "channel 3 · copy"
    NearColumn activities; ///< sorted by begin
    NumberColumn depth;    ///< sub-lane of each: crossing activities have different ones. Empty: all in one
    std::uint16_t depthCount = 1;
    std::array<IntervalSet, kClassCount> coverage; ///< union per class
    IntervalSet busy;                              ///< union of all classes
    std::uint16_t depthOf(std::size_t at) const {
        return static_cast<std::uint16_t>(depth.empty() ? 0 : depth[at]);
    }
};
/// Whether it is shown beneath `whole` as a part of it.
inline bool isPartOf(const Lane& part, const Lane& whole) {
    return isBeneath(part.kind) && laneKindRow(part.kind).beneath == whole.kind &&
           part.device == whole.device && part.engine == whole.engine && part.queue == whole.queue;
}

class LaneSet {
public:
    static LaneSet of(const Trace& trace);
    static LaneSet forNumbers(const Trace& trace); ///< see lanesForNumbers()
    std::span<const Lane> lanes() const { return {m_lanes.data(), m_lanes.size()}; }
    const Lane& operator[](LaneId id) const { return m_lanes[id.value]; }
    const Lane* engine(std::uint8_t device, EngineKind kind) const; ///< null if it did nothing
    /// Its engines, then its streams.
    std::span<const Lane> ofDevice(std::uint8_t device) const;
    /// The lane of a stream; the lanes of a host thread, calls first. Empty for a queue without work.
    std::span<const Lane> ofQueue(QueueId queue) const;
    /// Union over the device's lanes of the time covered by `cls`, as the overlap numbers use it. Unspecified
    /// copies (MemcpyOther) may have no engine lane and are counted from their streams.
    IntervalSet classCoverage(std::uint8_t device, ActivityClass cls) const;
    std::size_t memoryBytes() const;

private:
    static LaneSet made(const Trace& trace, bool fillsAll);
    /// Lanes [first, last).
    struct Range {
        std::uint32_t first = 0, last = 0;
        void add(LaneId id) {
            first = first == last ? id.value : first;
            last = id.value + 1;
        }
    };
    std::span<const Lane> lanesIn(Range range) const {
        return {m_lanes.data() + range.first, range.last - range.first};
    }
    std::vector<Lane> m_lanes;
    std::vector<std::array<std::uint32_t, kEngineCount>>
        m_engines; ///< per device: its lanes; kNoNumber: none
    std::vector<Range> m_ofDevice, m_ofQueue;
};

/// One lane for each channel of an engine lane, in order, with ids from `first` on. Empty if `stop` is
/// requested before the end.
std::vector<Lane> channelLanes(const Trace& trace, const Lane& engine, LaneId first,
                               std::stop_token stop = {});

} // namespace olab
