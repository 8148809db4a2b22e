// What producers hand to a RecordSink (TraceBuilder, or the writer of an .olab file), in any order. A record
// is plain data as its source gave it: nothing here has been checked. Unknown numbers are kNoNumber, unknown
// times 0.
//
// Numbers of devices, contexts, streams, threads and correlations are those of a process, times those of a
// clock. Both are named by small numbers that the producer chooses; who records one process by one clock, the
// wall clock (CLOCK_REALTIME), leaves them 0 and describes neither.
#pragma once

#include <olab/trace/defect.h>
#include <olab/trace/types.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace olab {

/// A process that others name by `process`.
struct ProcessRecord {
    std::uint32_t process = 0;
    std::uint32_t pid = kNoNumber;
    Ns start = 0; ///< by the wall clock: a pid is used again
    std::string name;
    std::uint32_t rank = kNoNumber; ///< RankRecord
    friend bool operator==(const ProcessRecord&, const ProcessRecord&) = default;
};

/// How the times of one of several recordings that were put together found their place. Files hold these
/// numbers: append.
enum class RankAlignment : std::uint8_t {
    Unaligned,   ///< nothing told: it begins where the others do
    Reference,   ///< the others were aligned with it
    Clocks,      ///< by wall time
    Collectives, ///< by the ends of the collectives that it shares with the reference
};
std::string_view rankAlignmentName(RankAlignment a); ///< "none", "reference", "clocks", "collectives"

/// One of the recordings that were put together: mostly a rank of a distributed program.
struct RankRecord {
    std::uint32_t rank = 0; ///< its place among them; ProcessRecord and DeviceRecord name it
    std::string name;       ///< "rank 3"
    std::string file;
    RankAlignment alignment{};
    Ns shift = 0;             ///< what was added to its times
    Ns correction = 0;        ///< of that, what its clock was wrong by
    std::int64_t error = -1;  ///< ns: how far it may be off, as shared collectives show; -1: not known
    std::uint64_t shared = 0; ///< collectives that showed it
    std::string leftOut;      ///< what it has and a view of several cannot
    friend bool operator==(const RankRecord&, const RankRecord&) = default;
};

/// One reading of a clock and of the wall clock (nanoseconds since 1970, UTC) at the same moment. Two of one
/// clock also say how fast it goes.
struct ClockRecord {
    std::uint32_t clock = 0;
    Ns at = 0, wall = 0;
    friend bool operator==(const ClockRecord&, const ClockRecord&) = default;
};

struct DeviceRecord {
    std::uint32_t device = 0;
    std::string name;
    std::string uuid;
    std::uint32_t smCount = 0, copyEngines = 0, maxThreadsPerSm = 0, maxBlocksPerSm = 0, registersPerSm = 0;
    std::uint64_t sharedPerSm = 0, memoryBytes = 0;
    std::uint32_t computeMajor = 0, computeMinor = 0;
    std::uint32_t process = 0;
    std::uint32_t rank = kNoNumber; ///< RankRecord; a device of one is none of another, whatever its uuid
    friend bool operator==(const DeviceRecord&, const DeviceRecord&) = default;
};

struct ContextRecord {
    std::uint32_t context = 0, device = 0;
    std::uint32_t nullStream = kNoNumber; ///< stream id of the legacy default stream
    std::uint32_t process = 0;
    friend bool operator==(const ContextRecord&, const ContextRecord&) = default;
};

struct StreamRecord {
    std::uint32_t context = 0, stream = 0;
    StreamKind kind = StreamKind::Unknown;
    std::int32_t priority = 0;
    std::uint32_t process = 0;
    friend bool operator==(const StreamRecord&, const StreamRecord&) = default;
};

struct KernelGeometry {
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::uint32_t registersPerThread = 0, staticShared = 0, dynamicShared = 0;
    std::uint64_t blocks() const { return product(grid); }
    std::uint64_t threads() const { return product(block); } ///< of a block
    /// Records come from files too: what does not fit is the largest number there is.
    static std::uint64_t product(const std::array<std::uint32_t, 3>& sizes) {
        std::uint64_t all = std::uint64_t{sizes[0]} * sizes[1];
        return __builtin_mul_overflow(all, std::uint64_t{sizes[2]}, &all) ? ~std::uint64_t{0} : all;
    }
    friend bool operator==(const KernelGeometry&, const KernelGeometry&) = default;
};

/// One timed thing. Device work names device, context and stream; host things (HostFn, Api, Sync, Overhead,
/// Nvtx) name `thread`.
struct ActivityRecord {
    ActivityClass cls{};
    Ns begin = 0, end = 0;
    std::int64_t bytes = 0;
    std::uint32_t device = kNoNumber, context = kNoNumber, stream = kNoNumber;
    std::uint32_t channel = kNoNumber;
    ChannelType channelType = ChannelType::Unknown;
    std::uint32_t thread = kNoNumber; ///< host thread (gettid)
    std::uint32_t correlation = 0;    ///< links an API call with its device work; 0 = none
    OpId op = kNoOp; ///< known directly (host functions, simulator); else through a CorrelationRecord
    MemoryKind source = MemoryKind::Unknown, target = MemoryKind::Unknown; ///< memset: target only
    std::uint8_t flags = 0;
    TextId name{}; ///< kernel name (mangled as recorded), API name, overhead kind, text of a range
    std::optional<KernelGeometry> geometry; ///< kernels only
    std::uint32_t process = 0, clock = 0;
    friend bool operator==(const ActivityRecord&, const ActivityRecord&) = default;
};

/// One of many activities that share the rest of their record (RecordSink::shape).
struct ActivityRow {
    Ns begin = 0, end = 0;
    std::uint32_t shape = 0, correlation = 0;
};

/// What a call did to a queue beside the device work that it issued: an event recorded, a stream made to wait
/// for one, a host function put into a stream, a thread that waits. Files hold these numbers: append.
enum class StreamCallKind : std::uint8_t {
    Unknown,
    EventRecord,
    StreamWait,   ///< of a stream for an event
    HostFunction, ///< put into a stream
    StreamSync,   ///< the thread waits for a stream
    EventSync,    ///< ... for an event
    DeviceSync    ///< ... for all streams of a context
};

/// Tied to its API call, and a host function's activity, by the correlation.
struct StreamCallRecord {
    StreamCallKind kind{};
    std::uint32_t correlation = 0, context = kNoNumber;
    std::uint32_t stream = kNoNumber; ///< StreamWait: the one that is made to wait; EventSync: unknown
    std::uint32_t event = kNoNumber;  ///< its number in the process
    std::uint64_t recording = 0; ///< which recording of the event (CUPTI's cudaEventSyncId); 0: not known
    std::uint32_t process = 0;
    friend bool operator==(const StreamCallRecord&, const StreamCallRecord&) = default;
};

/// External correlation: the device work and API call of `correlation` belong to planned op `op`.
struct CorrelationRecord {
    std::uint32_t correlation = 0;
    OpId op = kNoOp;
    std::uint32_t process = 0;
    friend bool operator==(const CorrelationRecord&, const CorrelationRecord&) = default;
};

/// The duration of one distinct op run alone in the same job (cli.md, Bounds). `solo` indexes
/// Schedule::solos.
struct SoloRecord {
    std::uint32_t solo = 0;
    ActivityClass cls{};
    std::int64_t bytes = 0;
    Ns duration = 0; ///< median of `samples`, traced
    std::uint32_t samples = 0;
    std::uint64_t blocks = 0; ///< kernels: blocks of the grid, and how many the device holds at once
    std::uint64_t residentBlocks = 0;
    friend bool operator==(const SoloRecord&, const SoloRecord&) = default;
};

/// The measured window by the host clock: from the opening of the gate (or the first issue) to the return of
/// the last sync.
struct WindowRecord {
    Ns begin = 0, end = 0;
    bool traced = true; ///< false: measured in a child that never loaded CUPTI
    std::uint32_t clock = 0;
    friend bool operator==(const WindowRecord&, const WindowRecord&) = default;
};

/// What says that stream calls were recorded, also where none was made: recordings older than these have no
/// such line, and nothing in them tells what events and host functions held.
inline constexpr std::string_view kStreamCallsKey = "stream_calls", kStreamCallsRecorded = "recorded";

/// One line about where the trace was made: "driver" = "580.82", "cupti" = "130001", "platform",
/// "calibration.loops" ...
struct EnvironmentRecord {
    std::string key, value;
    friend bool operator==(const EnvironmentRecord&, const EnvironmentRecord&) = default;
};

struct ProvenanceRecord {
    SourceKind source = SourceKind::Imported;
    std::string tool, toolVersion; ///< what recorded it
    std::string recordedAt;        ///< ISO 8601, UTC; empty = unknown
    friend bool operator==(const ProvenanceRecord&, const ProvenanceRecord&) = default;
};

/// A producer's own count of records it read, kept and refused *before* TraceBuilder saw them (a decoder that
/// refuses a kind).
struct RefusedRecord {
    DefectCode code{};
    std::uint64_t count = 0;
    ClassMask classes = kAllClasses;
    std::string detail;
    bool countsAsRead = true; ///< false: nothing was read (dropped by CUPTI, a cap): a defect only
    friend bool operator==(const RefusedRecord&, const RefusedRecord&) = default;
};

class TraceBuilder;

/// Takes records of every kind. TraceBuilder is one; the writer of record chunks another.
class RecordSink {
public:
    virtual ~RecordSink() = default;
    /// The id of a text in this sink, for records to name it by. Equal texts have equal ids.
    virtual TextId intern(std::string_view text) = 0;
    virtual void add(const ProcessRecord&) = 0;
    virtual void add(const ClockRecord&) = 0;
    virtual void add(const RankRecord&) = 0;
    virtual void add(const DeviceRecord&) = 0;
    virtual void add(const ContextRecord&) = 0;
    virtual void add(const StreamRecord&) = 0;
    virtual void add(const ActivityRecord&) = 0;
    virtual void add(const CorrelationRecord&) = 0;
    virtual void add(const StreamCallRecord&) = 0;
    virtual void add(const SoloRecord&) = 0;
    virtual void add(const WindowRecord&) = 0;
    virtual void add(const EnvironmentRecord&) = 0;
    virtual void add(const ProvenanceRecord&) = 0;
    virtual void add(const RefusedRecord&) = 0;

    /// False: only the numbers of devices are wanted. A producer may then leave out names, geometry,
    /// correlations and kinds of memory, but no record: what counts as read, kept and refused, and every
    /// defect, stays the same.
    virtual bool wantsDetails() const { return true; }

    /// For producers of millions: the number of what many activities share, which is all of a record but its
    /// times and its correlation. Make one for each different one, not for each activity.
    virtual std::uint32_t shape(const ActivityRecord& shared) {
        m_shapes.push_back(shared);
        return static_cast<std::uint32_t>(m_shapes.size() - 1);
    }
    /// The same as adding the records of all rows; a sink that can do it faster does.
    virtual void addRows(std::span<const ActivityRow> rows) {
        for (const ActivityRow& row : rows) {
            ActivityRecord record = m_shapes[row.shape];
            record.begin = row.begin, record.end = row.end, record.correlation = row.correlation;
            add(record);
        }
    }

    /// The builder that takes what was decoded side by side, a builder for each stretch of it, in place of
    /// records one after the other. Null: this sink wants to see each record in its order.
    virtual TraceBuilder* builderOfStretches() { return nullptr; }

    /// A defect that is not a refused record: a notice, an early gate, missing ops.
    void addDefect(DefectCode code, std::uint64_t count, ClassMask classes = kAllClasses,
                   std::string detail = {}) {
        add(RefusedRecord{code, count, classes, std::move(detail), false});
    }

private:
    std::vector<ActivityRecord> m_shapes;
};

/// Hands everything to another sink, which outlives it; for sinks that look at some records only.
class ForwardingSink : public RecordSink {
public:
    explicit ForwardingSink(RecordSink& target)
        : m_target(target) {}
    TextId intern(std::string_view text) override { return m_target.intern(text); }
    bool wantsDetails() const override { return m_target.wantsDetails(); }
    void add(const ProcessRecord& r) override { m_target.add(r); }
    void add(const ClockRecord& r) override { m_target.add(r); }
    void add(const RankRecord& r) override { m_target.add(r); }
    void add(const DeviceRecord& r) override { m_target.add(r); }
    void add(const ContextRecord& r) override { m_target.add(r); }
    void add(const StreamRecord& r) override { m_target.add(r); }
    void add(const ActivityRecord& r) override { m_target.add(r); }
    void add(const CorrelationRecord& r) override { m_target.add(r); }
    void add(const StreamCallRecord& r) override { m_target.add(r); }
    void add(const SoloRecord& r) override { m_target.add(r); }
    void add(const WindowRecord& r) override { m_target.add(r); }
    void add(const EnvironmentRecord& r) override { m_target.add(r); }
    void add(const ProvenanceRecord& r) override { m_target.add(r); }
    void add(const RefusedRecord& r) override { m_target.add(r); }

protected:
    RecordSink& target() const { return m_target; }

private:
    RecordSink& m_target;
};

} // namespace olab
