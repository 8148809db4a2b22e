// The state of TraceBuilder between the first record and finish(): the first pass (trace_builder.cpp) fills
// it, the second (trace_assembly.cpp) makes the Trace from it.
#pragma once

#include <olab/trace/limits.h>
#include <olab/trace/trace_builder.h>

#include "builder_tables.h"

#include <array>
#include <compare>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace olab::trace_detail { // other modules have rows and keys of their own

inline constexpr std::uint32_t kNoId = 0xffffffffu; // of a geometry or a channel
inline constexpr std::size_t kMaxDevices = 255;
inline constexpr std::size_t kMaxQueues = 65535;
/// Entries of the environment: beyond kMaxEnvironment only short ones, as the numbers that a probe leaves.
inline constexpr std::size_t kMostEnvironment = 4096;
inline constexpr std::size_t kMaxRows = std::numeric_limits<ActivityIndex>::max() - 1;
inline constexpr const char* kTooManyRows = "more activities than a trace can hold";
// Counts may come from files: absurd sums saturate here instead of wrapping.
inline constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 62;

// The shared part of many records, unprocessed. Without the queue: otherwise each of ten thousand would have
// its own kinds.
struct RawKind {
    std::int64_t bytes = 0;
    std::uint32_t place = kNoId;                               // of device work
    std::uint32_t channel = kNoId, geometry = kNoId, name = 0; // also into State's tables
    std::uint8_t cls = 0, memory = 0, flags = 0;
    bool onHost() const { return !isDeviceClass(static_cast<ActivityClass>(cls)); }
    friend bool operator==(const RawKind&, const RawKind&) = default;
};

// An ActivityRecord: 32 bytes, so that ten million fit.
struct Row {
    Ns begin, end;
    std::uint32_t kind; // kNoId: refused in the second pass
    std::uint32_t correlation, op, queue;
    bool gone() const { return kind == kNoId; }
};
static_assert(sizeof(Row) == 32);

// The queue of a row as recorded: its device may be known only by its context, at the end.
struct RawQueue {
    bool host = false;
    std::uint32_t device = kNoNumber, context = kNoNumber;
    std::uint32_t number = kNoNumber; // stream, or thread of host classes
    std::uint32_t process = 0, clock = 0;
    friend bool operator==(const RawQueue&, const RawQueue&) = default;
};
// Its device: the context only if the record has no device.
struct RawPlace {
    std::uint32_t process = 0, device = kNoNumber, context = kNoNumber;
    friend bool operator==(const RawPlace&, const RawPlace&) = default;
};
// The shared part of bulk rows.
struct RawShape {
    std::uint32_t kind = 0, queue = 0, op = kNoOp.value;
    ActivityClass cls{};
    bool isBad = false; // none of its rows can be kept
};
struct RawChannel {
    std::uint32_t place = 0, number = kNoNumber;
    std::uint8_t type = 0;
    friend bool operator==(const RawChannel&, const RawChannel&) = default;
};
struct RawHash {
    std::size_t operator()(const RawQueue& q) const {
        return mixed(mixed(mixed(q.host, q.device), std::uint64_t{q.process} << 32 | q.clock),
                     std::uint64_t{q.context} << 32 | q.number);
    }
    std::size_t operator()(const RawKind& k) const {
        return mixed(
            mixed(mixed(std::uint64_t{k.place} << 32 | k.name, std::uint64_t{k.channel} << 32 | k.geometry),
                  static_cast<std::uint64_t>(k.bytes)),
            std::uint64_t{k.cls} << 16 | std::uint64_t{k.memory} << 8 | k.flags);
    }
    std::size_t operator()(const RawPlace& p) const { return mixed(mixed(p.process, p.device), p.context); }
    std::size_t operator()(const RawChannel& c) const { return mixed(mixed(c.type, c.place), c.number); }
    std::size_t operator()(const KernelGeometry& g) const {
        std::uint64_t hash =
            mixed(g.registersPerThread, std::uint64_t{g.staticShared} << 32 | g.dynamicShared);
        for (std::size_t i = 0; i < 3; ++i)
            hash = mixed(hash, std::uint64_t{g.grid[i]} << 32 | g.block[i]);
        return hash;
    }
};

// A number is only valid within its process.
struct Local {
    std::uint32_t process = 0, number = 0;
    friend auto operator<=>(const Local&, const Local&) = default;
};
struct LocalStream {
    Local context;
    std::uint32_t stream = 0;
    friend auto operator<=>(const LocalStream&, const LocalStream&) = default;
};
struct CorrelatedOp { // a correlation, and whose it is
    Local correlation;
    std::uint32_t op = 0;
};

// The result of the second pass; the sorted order is that of the trace's tables.
struct QueueKey {
    bool host = false;
    std::uint32_t device = kNoNumber, process = 0, context = kNoNumber, number = kNoNumber;
    friend auto operator<=>(const QueueKey&, const QueueKey&) = default;
};
using ChannelKey = std::tuple<std::uint32_t, std::uint32_t, std::uint8_t>; // device, number, type

// Of a row: its begin, relative to the first one, and its number. Packed into one number if both fit, which
// fails only for days with millions of rows: half the memory to move in each pass of the sort.
struct PackedKey {
    std::uint64_t number;
    static PackedKey of(std::uint64_t since, std::uint32_t row, unsigned rowBits) {
        return {since << rowBits | row};
    }
    std::uint64_t since(unsigned rowBits) const { return number >> rowBits; }
    std::uint32_t row(unsigned rowBits) const {
        return static_cast<std::uint32_t>(number & ((std::uint64_t{1} << rowBits) - 1));
    }
};
struct WideKey {
    std::uint64_t begin;
    std::uint32_t number;
    static WideKey of(std::uint64_t since, std::uint32_t row, unsigned) { return {since, row}; }
    std::uint64_t since(unsigned) const { return begin; }
    std::uint32_t row(unsigned) const { return number; }
};

// Enumerators come from CUPTI and from files; unknown ones become Unknown, not a crash.
template <typename Enum>
std::uint8_t knownOr(Enum value, Enum last, Enum otherwise) {
    return static_cast<std::uint8_t>(value <= last ? value : otherwise);
}

inline bool longerThanTime(Ns begin, Ns end) {
    return begin < 0 && end > std::numeric_limits<Ns>::max() + begin;
}

} // namespace olab::trace_detail

namespace olab {

using namespace trace_detail;

struct TraceBuilder::State {
    StringTable names;
    BlockList<Row> rows;
    KeyTable<RawKind, RawHash> kinds;
    KeyTable<RawQueue, RawHash> queues;
    KeyTable<RawPlace, RawHash> places;
    std::vector<std::uint32_t> placeOf; // per raw queue; kNoId: a thread
    KeyTable<RawChannel, RawHash> channels;
    KeyTable<KernelGeometry, RawHash> geometry;
    std::vector<RawShape> shapes;
    Ns first = 0, last = 0; // of all rows, and 0
    bool falling = false;   // some row begins before the one that came before it
    Ns latestBegin = std::numeric_limits<Ns>::min();
    std::map<std::uint32_t, ProcessRecord> processes;
    std::map<std::uint32_t, RankRecord> ranks;
    std::map<std::uint32_t, std::vector<ClockRecord>> clocks;
    std::map<Local, DeviceRecord> devices;
    std::map<Local, ContextRecord> contexts;
    std::map<LocalStream, StreamRecord> streams;
    std::vector<CorrelatedOp> correlations; // as they came
    std::vector<StreamCallRecord> streamCalls;
    std::vector<SoloRecord> solos;
    std::vector<WindowRecord> windows;
    std::map<std::string, std::string> environment;
    std::optional<ProvenanceRecord> provenance; // the last one
    std::map<std::pair<DefectCode, std::string>, Defect> defects;
    std::array<std::uint64_t, kClassCount> kept{};
    std::uint64_t refused = 0;
    bool numbersOnly = false;
    std::uint64_t counted = 0; // host activities of which only the count was kept

    // Maps the numbers of its tables to those of the builder to which it was appended.
    struct Renumbered {
        std::shared_ptr<const char> by; // its identity, unique while this is kept
        std::vector<std::uint32_t> names, places, queues, channels, geometry, kinds;
    } renumbered;
    std::shared_ptr<const char> identity = std::make_shared<const char>();

    // --- first pass: one record at a time
    void cut(std::string& text, std::size_t most = kMaxFactBytes);
    void note(DefectCode code, std::uint64_t count, ClassMask classes, const std::string& detail);
    void refuse(DefectCode code, std::uint64_t count, ClassMask classes, const std::string& detail = {});
    void refuseRow(Row& row, const std::string& detail);
    void keep(const ActivityRecord& r);
    void keepRow(const Row& row);
    bool isOnlyCounted(ActivityClass cls) const { return numbersOnly && !isDeviceClass(cls); }
    void count(ActivityClass cls, Ns begin, Ns end);
    std::size_t mostQueues() const;
    RawShape rawShapeOf(const ActivityRecord& shared);
    void add(const ActivityRow& row);
    const RawKind& kindOf(const Row& row) const { return kinds[row.kind]; } // of one that was not removed
    RawKind rawKindOf(const ActivityRecord& r, std::uint32_t place);
    std::uint32_t queueOf(const ActivityRecord& r);
    std::uint32_t channelOf(const ActivityRecord& r, std::uint32_t place);

    // --- the contents of another builder
    void takeTables(State& more);
    std::size_t makeRoom(const State& more);
    void copyRows(const State& more, std::size_t to);
    void takeFacts(const State& more);
    void forget();

    // --- second pass: everything that requires all records, in this order
    void resolveClocks();
    void separateCorrelations();
    void separateEvents();
    void resolveDevices();
    void resolveQueues();
    void resolveThreads();
    void resolveOps();
    void refuseUnspannable();
    template <typename Bad>
    void refuseWhere(Bad bad, const char* detail);
    template <typename Bad>
    void refuseKinds(Bad bad, const char* detail);
    std::vector<bool> usedQueues() const;
    std::vector<bool> usedChannels() const;
    void makeDevices(Trace& trace);
    void makeQueues(Trace& trace);
    void makeChannels(Trace& trace);
    std::optional<std::uint32_t> deviceOf(const Local& context) const;
    void findStreams(std::set<QueueKey>& keys);
    void makeStreamCalls(Trace& trace);
    Queue describe(const QueueKey& key) const;
    std::strong_ordering inAllButName(const Row& a, const Row& b) const;
    bool before(const Row& a, const Row& b) const;
    bool namedBefore(std::uint32_t a, std::uint32_t b) const;
    bool inOrder() const;
    Column<std::uint32_t> order() const;
    template <typename Key>
    Column<std::uint32_t> orderBy(Ns earliest, unsigned sinceBits, unsigned rowBits,
                                  std::span<const std::size_t> starts) const;
    template <typename Key>
    void sortTies(Column<Key>& keys, unsigned rowBits) const;
    void makeColumns(Trace& trace);
    class ColumnMaker;
    void makeFacts(Trace& trace);
    Trace finish();

    // per raw queue, raw channel and raw place, filled by the second pass
    std::vector<QueueKey> queueKeys;
    std::vector<std::uint32_t> placeDevices;
    std::vector<std::uint16_t> queueIds, channelIds;
    std::vector<std::uint16_t> streamIds; // per stream call
    std::vector<std::uint8_t> deviceIndex;
    std::vector<std::optional<QueueKey>> streamKeys; // per stream call; empty: its stream is not known
    std::map<Local, std::uint32_t> numberOfDevice;   // in the trace, by process and the device's number there
    std::map<std::uint32_t, DeviceRecord> described; // by that number
    std::vector<std::uint32_t> deviceNumbers;        // sorted
    bool someGone = false;                           // refused in the second pass
    bool someMoved = false;                          // given another queue in it
    mutable std::vector<std::uint32_t> nameRanks;    // alphabetical, computed on demand
};

} // namespace olab
