// What TraceBuilder holds between the first record and finish(): the first pass (trace_builder.cpp) fills it,
// the second (trace_assembly.cpp) makes the Trace of it.
#pragma once

#include <olab/trace/trace_builder.h>

#include "string_table.h"

#include <array>
#include <deque>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace olab::trace_detail { // other modules have rows and keys of their own

inline constexpr std::uint32_t kNoGeometry = 0xffffffffu;
inline constexpr std::uint8_t kGone = 0xff; // class of a row refused in the second pass

// An ActivityRecord without its strings and rare fields: 64 bytes, so ten million fit.
struct Row {
    Ns begin, end;
    std::int64_t bytes;
    std::uint32_t device, context;
    std::uint32_t number; // stream, or thread of host classes
    std::uint32_t channel, name, correlation, op, geometry;
    std::uint8_t cls, channelType, memory, flags;
    bool gone() const { return cls == kGone; }
    bool onHost() const { return !isDeviceClass(static_cast<ActivityClass>(cls)); }
};
static_assert(sizeof(Row) <= 64);

// A key by which the second pass finds a row's queue or channel among those of the trace.
using QueueKey =
    std::tuple<bool, std::uint32_t, std::uint32_t, std::uint32_t>;         // host?, device, context, number
using ChannelKey = std::tuple<std::uint32_t, std::uint32_t, std::uint8_t>; // device, number, type

struct SortKey {
    Ns begin;
    std::uint32_t row;
};

// Enumerators come from CUPTI and from files; one this version does not know is unknown, not a crash.
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
    RecordSink* tee = nullptr;
    StringTable names;
    std::deque<Row> rows; // a deque: growing it never holds everything twice
    std::vector<KernelGeometry> geometry;
    std::map<std::uint32_t, DeviceRecord> devices;
    std::map<std::uint32_t, ContextRecord> contexts;
    std::map<std::pair<std::uint32_t, std::uint32_t>, StreamRecord> streams; // by context and stream
    std::vector<std::pair<std::uint32_t, std::uint32_t>> correlations; // correlation and op, as they came
    std::vector<SoloRecord> solos;
    std::vector<WindowRecord> windows;
    std::map<std::string, std::string> environment;
    ProvenanceRecord provenance;
    std::map<std::pair<DefectCode, std::string>, Defect> defects;
    std::array<std::uint64_t, kClassCount> kept{};
    std::uint64_t refused = 0;

    // --- first pass: one record at a time
    void note(DefectCode code, std::uint64_t count, ClassMask classes, const std::string& detail);
    void refuse(DefectCode code, std::uint64_t count, ClassMask classes, const std::string& detail = {});
    void refuseRow(Row& row, const std::string& detail);
    void keep(const ActivityRecord& r);

    // --- second pass: what can only be known when all records are there, in this order
    void findDevices();
    void resolveOps();
    void refuseUnspannable();
    template <typename Key>
    void refuseWithout(const std::vector<Key>& known, bool (*has)(const Row&), Key (*keyOf)(const Row&),
                       const char* detail);
    void makeDevices(Trace& trace);
    void makeQueues(Trace& trace);
    void makeChannels(Trace& trace);
    Queue queueOf(const QueueKey& key) const;
    std::vector<SortKey> order() const;
    bool before(const SortKey& a, const SortKey& b) const;
    void reserve(Trace& t, std::size_t n) const;
    void append(Trace& t, const Row& row, std::uint32_t name) const;
    void makeColumns(Trace& trace);
    void makeSpans(Trace& trace) const;
    void makeFacts(Trace& trace);
    Trace finish();

    // the numbers that rows refer to, sorted; found once, used by makeColumns
    std::vector<std::uint32_t> deviceNumbers;
    std::vector<QueueKey> queueKeys;
    std::vector<ChannelKey> channelKeys;
};

} // namespace olab
