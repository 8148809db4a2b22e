// All activities of one recording: immutable, self-contained, columnar, sorted by (begin, end, correlation).
// Only TraceBuilder makes one. Safe to read from any number of threads. 13 bytes per activity if it has few
// queues and few kinds of activities, 2 more if some belong to an op: what many share (ActivityKind) is a
// number of 1 byte, 2 if there are more than 256, 4 if there are more than 65536. Passes over all rows should
// read the columns they need, not whole rows.
//
// Most sources include it, so it must be cheap to compile: a span constructed from a vector costs compile
// time in each of them, one from a pointer and a size hardly any, and what is not needed in loops is defined
// in trace.cpp.
#pragma once

#include <olab/trace/columns.h>
#include <olab/trace/interval_set.h>
#include <olab/trace/records.h>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab {

/// What many activities share, regardless of queue: millions of activities usually have some dozens; ranges
/// with unique names have one each.
struct ActivityKind {
    std::int64_t bytes = 0;
    StringId name{};
    std::uint32_t geometry = kNoNumber; ///< into Trace::geometries()
    ChannelId channel = kNoChannel;
    ActivityClass cls{};
    EngineKind engine = EngineKind::None;
    std::uint8_t device = 0, flags = 0;
    std::uint8_t memory = 0; ///< source kind in the low half, target kind in the high half
    friend bool operator==(const ActivityKind&, const ActivityKind&) = default;
};

/// One row, gathered from the columns; cheap to make, not stored.
struct Activity {
    ActivityClass cls{};
    EngineKind engine = EngineKind::None;
    std::uint8_t device = 0; ///< index into Trace::devices(); meaningless for host classes
    std::uint8_t flags = 0;
    QueueId queue{}; ///< index into Trace::queues()
    ChannelId channel = kNoChannel;
    Ns begin = 0, end = 0;
    std::int64_t bytes = 0;
    StringId name{};
    std::uint32_t correlation = 0;
    OpId op = kNoOp;
    MemoryKind source = MemoryKind::Unknown, target = MemoryKind::Unknown;
    Interval time() const { return {begin, end}; }
    Ns duration() const { return end - begin; }
};

/// A CUDA queue, or a host thread that made calls.
struct Queue {
    enum class Kind : std::uint8_t { Stream, HostThread } kind = Kind::Stream;
    std::uint8_t device = 0; ///< streams: index into Trace::devices()
    std::uint32_t context = kNoNumber;
    std::uint32_t number = 0; ///< CUPTI stream id or gettid
    StreamKind streamKind = StreamKind::Unknown;
    std::int32_t priority = 0;
    std::uint32_t process = 0; ///< as in the records; described by Trace::processes() if known
    friend bool operator==(const Queue&, const Queue&) = default;
};

struct Channel {
    std::uint8_t device = 0;
    std::uint32_t number = 0;
    ChannelType type = ChannelType::Unknown;
    friend bool operator==(const Channel&, const Channel&) = default;
};

/// What a call did to a queue besides device work (StreamCallRecord). Event and recording are numbers within
/// the whole trace: equal ones of two processes were made distinct.
struct StreamCall {
    StreamCallKind kind{};
    ActivityIndex api = kNoActivity; ///< the call; kNoActivity: it was not recorded
    QueueId queue = kNoQueue;        ///< of the stream; kNoQueue: unknown, or none (EventSync, DeviceSync)
    std::uint32_t event = kNoNumber;
    std::uint64_t recording = 0; ///< 0: not known
    std::uint32_t process = 0;
    friend auto operator<=>(const StreamCall&, const StreamCall&) = default;
};

struct RecordCounts {
    std::uint64_t read = 0, kept = 0, refused = 0; ///< read == kept + refused, always
    friend bool operator==(const RecordCounts&, const RecordCounts&) = default;
};

class Trace {
public:
    std::size_t size() const { return m_cls.size(); }
    bool empty() const { return m_cls.empty(); }
    Activity operator[](ActivityIndex i) const;
    [[gnu::always_inline]] Interval time(ActivityIndex i) const {
        const Ns begin = m_begin[i];
        return {begin, begin + m_length[i]};
    }
    /// Prefetches its time and its class.
    void prefetch(ActivityIndex i) const {
        m_begin.prefetch(i), m_length.prefetch(i);
        __builtin_prefetch(m_cls.data() + i);
    }
    Ns begin(ActivityIndex i) const { return m_begin[i]; }
    Ns end(ActivityIndex i) const { return time(i).end; }
    ActivityClass cls(ActivityIndex i) const { return m_cls[i]; }
    std::span<const ActivityClass> classes() const { return {m_cls.data(), m_cls.size()}; }
    // Single columns, for passes over all rows.
    EngineKind engine(ActivityIndex i) const { return kind(i).engine; }
    std::uint8_t device(ActivityIndex i) const { return kind(i).device; }
    QueueId queueOf(ActivityIndex i) const { return QueueId{static_cast<std::uint16_t>(m_queue[i])}; }
    ChannelId channelOf(ActivityIndex i) const { return kind(i).channel; }
    Ns duration(ActivityIndex i) const { return m_length[i]; }
    std::int64_t bytes(ActivityIndex i) const { return kind(i).bytes; }
    StringId nameOf(ActivityIndex i) const { return kind(i).name; }
    std::uint32_t correlation(ActivityIndex i) const { return m_correlation[i] + 1; }
    OpId opOf(ActivityIndex i) const { return m_op.empty() ? kNoOp : OpId{m_op[i]}; }
    std::uint8_t flags(ActivityIndex i) const { return kind(i).flags; }
    MemoryKind source(ActivityIndex i) const { return static_cast<MemoryKind>(kind(i).memory & 0xf); }
    MemoryKind target(ActivityIndex i) const { return static_cast<MemoryKind>(kind(i).memory >> 4); }
    /// Index into geometries(); kNoNumber unless a kernel with known geometry.
    std::uint32_t geometryOf(ActivityIndex i) const { return kind(i).geometry; }
    /// The shared kinds, each once, in order of first use.
    const ActivityKind& kind(ActivityIndex i) const { return m_kinds[m_kind[i]]; }
    std::uint32_t kindOf(ActivityIndex i) const { return m_kind[i]; } ///< into kinds()
    std::span<const ActivityKind> kinds() const { return {m_kinds.data(), m_kinds.size()}; }

    std::string_view text(StringId id) const { return m_strings[id.value]; }
    std::size_t texts() const { return m_strings.size(); } ///< ids of text() are below
    std::span<const KernelGeometry> geometries() const;    ///< each once
    /// Null unless a kernel with known geometry.
    const KernelGeometry* geometry(ActivityIndex i) const {
        const std::uint32_t id = geometryOf(i);
        return id == kNoNumber ? nullptr : &m_geometry[id];
    }
    std::span<const DeviceRecord> devices() const;
    /// The described processes, by number; empty if one unnamed process was recorded.
    std::span<const ProcessRecord> processes() const;
    /// The merged recordings, by number; empty if it is a single one.
    std::span<const RankRecord> ranks() const;
    /// Its name for people; "recording 3" if it has none.
    std::string rankText(std::uint32_t rank) const;
    /// "GPU 0", with its rank, if there are ranks: "rank 3 · GPU 0".
    std::string deviceText(std::uint8_t device) const;
    std::span<const Queue> queues() const { return {m_queues.data(), m_queues.size()}; }
    std::span<const Channel> channels() const { return {m_channels.data(), m_channels.size()}; }
    const Queue& queue(QueueId id) const { return m_queues[id.value]; }
    /// For people: "stream 14", "thread 4711", "unknown stream"; with processText().
    std::string queueText(const Queue& queue) const;
    /// "14"; of a stream its id in the file if that is large (kStreamIdKey).
    std::string queueNumberText(const Queue& queue) const;
    /// " of process 4711" if there are several processes, " of rank 3" if there are ranks, else empty.
    std::string processText(const Queue& queue) const;
    /// Sorted by call, thus by time; those without a recorded call are last.
    std::span<const StreamCall> streamCalls() const { return {m_streamCalls.data(), m_streamCalls.size()}; }
    /// False: the recording is too old for stream calls, or its producer does not record them; it is unknown
    /// whether there were any.
    bool recordsStreamCalls() const;
    /// Null if the call did nothing of that kind, or it was not recorded. O(log n).
    const StreamCall* streamCallOf(ActivityIndex api) const;
    std::span<const SoloRecord> solos() const;
    std::span<const WindowRecord> windows() const;
    /// Somebody measured and recorded a window of it: a run of the lab. Other programs have none.
    bool hasTracedWindow() const;
    std::span<const Defect> defects() const;
    /// The defects as records: a builder that receives them has the same defects and the same counts.
    std::vector<RefusedRecord> refusals() const;
    const std::map<std::string, std::string>& environment() const { return m_environment; }
    const ProvenanceRecord& provenance() const { return m_provenance; }
    RecordCounts counts() const { return m_counts; }
    /// [earliest begin, latest end) of all activities; of device work only. {0,0} if there is none.
    Interval span() const { return m_span; }
    Interval deviceSpan() const { return m_deviceSpan; }
    /// Memory of this trace in bytes.
    std::size_t memoryBytes() const;
    /// Passes every kept record, the defects and the other facts to `sink`: a builder that receives them
    /// makes an equal trace.
    void replay(RecordSink& sink) const;
    friend bool operator==(const Trace&, const Trace&) = default;

private:
    friend class TraceBuilder;
    ActivityRecord record(ActivityIndex i, std::span<const TextId> names) const;
    void replayStreamCalls(RecordSink& sink) const;
    AscendingColumn m_begin;
    LengthColumn m_length;
    NumberColumn m_kind, m_queue;
    NearColumn m_correlation;    ///< minus 1, so that none is kNoNumber
    NearColumn m_op;             ///< empty when none belongs to an op
    Column<ActivityClass> m_cls; ///< also in the kind, but needed most often
    std::vector<ActivityKind> m_kinds;
    std::vector<KernelGeometry> m_geometry; ///< each once, in order of first use
    std::vector<std::string> m_strings{std::string()};
    std::vector<DeviceRecord> m_devices;
    std::vector<ProcessRecord> m_processes;
    std::vector<RankRecord> m_ranks;
    bool m_severalProcesses = false; ///< among the queues
    std::vector<Queue> m_queues;
    std::vector<Channel> m_channels;
    std::vector<StreamCall> m_streamCalls; ///< sorted
    std::vector<SoloRecord> m_solos;
    std::vector<WindowRecord> m_windows;
    std::vector<Defect> m_defects;
    std::map<std::string, std::string> m_environment;
    ProvenanceRecord m_provenance;
    RecordCounts m_counts;
    Interval m_span, m_deviceSpan;
};

inline Activity Trace::operator[](ActivityIndex i) const {
    const ActivityKind& shared = kind(i);
    Activity a;
    a.cls = shared.cls;
    a.engine = shared.engine;
    a.device = shared.device;
    a.flags = shared.flags;
    a.queue = queueOf(i);
    a.channel = shared.channel;
    a.begin = m_begin[i];
    a.end = a.begin + m_length[i];
    a.bytes = shared.bytes;
    a.name = shared.name;
    a.correlation = correlation(i);
    a.op = opOf(i);
    a.source = source(i);
    a.target = target(i);
    return a;
}

// A part of a trace, by time. Any thread.

/// The complete activities that touch `range`: cutting them would invent durations. The measured windows are
/// left out, because they belong to the whole trace, as are stream calls whose API call is not in it.
Trace sliceOf(const Trace& trace, Interval range);
/// With the API calls before it that begin from `since` on: those of work that was issued well ahead.
Trace sliceOf(const Trace& trace, Interval range, Ns since);
/// Whether an activity is in the slice.
constexpr bool touches(Interval activity, Interval range) {
    return activity.begin == activity.end ? range.contains(activity.begin)
                                          : activity.begin < range.end && activity.end > range.begin;
}

} // namespace olab
