// The numbers in record chunks: LEB128, signed ones zigzag.
#pragma once

#include <olab/trace/records.h>
#include <olab/trace/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace olab::record_detail {

inline constexpr std::size_t kMaxVarint = 10;

// Writes at `at`, where there must be room, and returns the position after it.
inline std::byte* putVarint(std::byte* at, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        *at++ = static_cast<std::byte>(value | 0x80);
    *at++ = static_cast<std::byte>(value);
    return at;
}

inline void putVarint(std::vector<std::byte>& out, std::uint64_t value) {
    std::array<std::byte, kMaxVarint> bytes;
    out.insert(out.end(), bytes.data(), putVarint(bytes.data(), value));
}

// Small magnitudes of either sign become small numbers.
constexpr std::uint64_t zigzag(std::int64_t v) {
    return (static_cast<std::uint64_t>(v) << 1) ^ (v < 0 ? ~std::uint64_t{0} : 0);
}
constexpr std::int64_t unzigzag(std::uint64_t v) {
    return static_cast<std::int64_t>((v >> 1) ^ ((v & 1) != 0 ? ~std::uint64_t{0} : 0));
}
// Differences wrap around, so that any two times have one.
constexpr std::int64_t difference(Ns a, Ns b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
constexpr Ns sum(Ns a, std::int64_t d) {
    return static_cast<Ns>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(d));
}

// Record chunk: one byte with the form's number, then records {varint type, varint length, body}. Form 2 may
// name processes and clocks: an Origin gives those of the records after it, until the next one or the end of
// the chunk; a chunk without any is written in form 1, as in older versions. Numbers are LEB128 varints,
// signed ones zigzag; an activity's begin is the difference to the one before. Text is written once per chunk
// as a separate record and then referred to by its number, so every chunk can be read alone. Of a body longer
// than this version expects, the known part is read; an unknown record type is skipped. A text longer than
// kMaxTextBytes is cut, and an additional Refused record says so.
//
// Here: what writer and reader must agree on.

inline constexpr std::byte kForm{1}, kFormWithOrigins{2};

enum class Tag : std::uint8_t {
    Text = 1,
    Device,
    Context,
    Stream,
    Activity,
    Correlation,
    Solo,
    Window,
    Environment,
    Provenance,
    Refused,
    Process,
    Clock,
    Origin,
    StreamCall,
    Rank,
};

// Common to the records after it.
struct Origin {
    std::uint32_t process = 0, clock = 0;
    friend bool operator==(const Origin&, const Origin&) = default;
};

// --- the fields of each record, once for both directions

template <typename A>
void fields(A& a, typename A::template Ref<ProcessRecord> r) {
    a(r.process), a(r.pid), a(r.start), a(r.name);
    a.since(r.rank);
}

template <typename A>
void fields(A& a, typename A::template Ref<ClockRecord> r) {
    a(r.clock), a(r.at), a(r.wall);
}

template <typename A>
void fields(A& a, typename A::template Ref<RankRecord> r) {
    a(r.rank), a(r.name), a(r.file), a(r.alignment);
    a(r.shift), a(r.correction), a(r.error), a(r.shared), a(r.leftOut);
}

template <typename A>
void fields(A& a, typename A::template Ref<Origin> r) {
    a(r.process), a(r.clock);
}

template <typename A>
void fields(A& a, typename A::template Ref<DeviceRecord> r) {
    a(r.device), a(r.name), a(r.uuid);
    a(r.smCount), a(r.copyEngines), a(r.maxThreadsPerSm), a(r.maxBlocksPerSm), a(r.registersPerSm);
    a(r.sharedPerSm), a(r.memoryBytes), a(r.computeMajor), a(r.computeMinor);
    a.since(r.rank);
}

template <typename A>
void fields(A& a, typename A::template Ref<ContextRecord> r) {
    a(r.context), a(r.device), a(r.nullStream);
}

template <typename A>
void fields(A& a, typename A::template Ref<StreamRecord> r) {
    a(r.context), a(r.stream), a(r.kind), a(r.priority);
}

template <typename A>
void fields(A& a, typename A::template Ref<KernelGeometry> g) {
    for (std::size_t i = 0; i < 3; ++i)
        a(g.grid[i]), a(g.block[i]);
    a(g.registersPerThread), a(g.staticShared), a(g.dynamicShared);
}

template <typename A>
void fields(A& a, typename A::template Ref<ActivityRecord> r) {
    a(r.cls), a.time(r.begin, r.end), a(r.bytes);
    a(r.device), a(r.context), a(r.stream), a(r.channel), a(r.channelType), a(r.thread);
    a(r.correlation), a(r.op.value), a(r.source), a(r.target), a(r.flags), a(r.name);
    a.optional(r.geometry);
}

template <typename A>
void fields(A& a, typename A::template Ref<CorrelationRecord> r) {
    a(r.correlation), a(r.op.value);
}

template <typename A>
void fields(A& a, typename A::template Ref<StreamCallRecord> r) {
    a(r.kind), a(r.correlation), a(r.context), a(r.stream), a(r.event), a(r.recording);
}

template <typename A>
void fields(A& a, typename A::template Ref<SoloRecord> r) {
    a(r.solo), a(r.cls), a(r.bytes), a(r.duration), a(r.samples), a(r.blocks), a(r.residentBlocks);
}

template <typename A>
void fields(A& a, typename A::template Ref<WindowRecord> r) {
    a(r.begin), a(r.end), a(r.traced);
}

template <typename A>
void fields(A& a, typename A::template Ref<EnvironmentRecord> r) {
    a(r.key), a(r.value);
}

template <typename A>
void fields(A& a, typename A::template Ref<ProvenanceRecord> r) {
    a(r.source), a(r.tool), a(r.toolVersion), a(r.recordedAt);
}

template <typename A>
void fields(A& a, typename A::template Ref<RefusedRecord> r) {
    a(r.code), a(r.count), a(r.classes), a(r.detail), a(r.countsAsRead);
}

template <typename Record>
constexpr Tag tagOf() {
    if constexpr (std::is_same_v<Record, DeviceRecord>)
        return Tag::Device;
    else if constexpr (std::is_same_v<Record, ContextRecord>)
        return Tag::Context;
    else if constexpr (std::is_same_v<Record, StreamRecord>)
        return Tag::Stream;
    else if constexpr (std::is_same_v<Record, ActivityRecord>)
        return Tag::Activity;
    else if constexpr (std::is_same_v<Record, CorrelationRecord>)
        return Tag::Correlation;
    else if constexpr (std::is_same_v<Record, SoloRecord>)
        return Tag::Solo;
    else if constexpr (std::is_same_v<Record, WindowRecord>)
        return Tag::Window;
    else if constexpr (std::is_same_v<Record, EnvironmentRecord>)
        return Tag::Environment;
    else if constexpr (std::is_same_v<Record, ProvenanceRecord>)
        return Tag::Provenance;
    else if constexpr (std::is_same_v<Record, ProcessRecord>)
        return Tag::Process;
    else if constexpr (std::is_same_v<Record, ClockRecord>)
        return Tag::Clock;
    else if constexpr (std::is_same_v<Record, Origin>)
        return Tag::Origin;
    else if constexpr (std::is_same_v<Record, StreamCallRecord>)
        return Tag::StreamCall;
    else if constexpr (std::is_same_v<Record, RankRecord>)
        return Tag::Rank;
    else
        return Tag::Refused;
}

template <typename Record>
constexpr bool hasProcess =
    std::is_same_v<Record, ActivityRecord> || std::is_same_v<Record, DeviceRecord> ||
    std::is_same_v<Record, ContextRecord> || std::is_same_v<Record, StreamRecord> ||
    std::is_same_v<Record, CorrelationRecord> || std::is_same_v<Record, StreamCallRecord>;
/// Only in chunks of the form that names them.
template <typename Record>
constexpr bool isOfOrigins = std::is_same_v<Record, ProcessRecord> || std::is_same_v<Record, ClockRecord> ||
                             std::is_same_v<Record, Origin>;
template <typename Record>
constexpr bool hasClock = std::is_same_v<Record, ActivityRecord> || std::is_same_v<Record, WindowRecord>;

/// Reads the fields present in a record; the rest stays unchanged.
template <typename Record>
Origin originOf(const Record& record, Origin origin) {
    if constexpr (hasProcess<Record>)
        origin.process = record.process;
    if constexpr (hasClock<Record>)
        origin.clock = record.clock;
    return origin;
}

template <typename Record>
void setOrigin(Record& record, Origin origin) {
    if constexpr (hasProcess<Record>)
        record.process = origin.process;
    if constexpr (hasClock<Record>)
        record.clock = origin.clock;
}

} // namespace olab::record_detail
