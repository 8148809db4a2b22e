// What producers pass to a RecordSink (TraceBuilder, or the writer of an .olab file), in any order. A record
// is unchecked plain data from its source. Unknown numbers are kNoNumber, unknown times 0.
//
// Numbers of devices, contexts, streams, threads and correlations are relative to a process, times to a
// clock. The producer assigns small numbers to both. A producer that records one process with one clock, the
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

/// A process that other records refer to by `process`.
struct ProcessRecord {
    std::uint32_t process = 0;
    std::uint32_t pid = kNoNumber;
    Ns start = 0; ///< by the wall clock, because pids are reused
    std::string name;
    std::uint32_t rank = kNoNumber; ///< RankRecord
    friend bool operator==(const ProcessRecord&, const ProcessRecord&) = default;
};

/// How the times of a merged recording were aligned. Files hold these numbers: append.
enum class RankAlignment : std::uint8_t {
    Unaligned,   ///< no information: it begins where the others do
    Reference,   ///< the others were aligned with it
    Clocks,      ///< by wall time
    Collectives, ///< by the ends of the collectives that it shares with the reference
};
std::string_view rankAlignmentName(RankAlignment a); ///< "none", "reference", "clocks", "collectives"

/// One of several merged recordings: usually a rank of a distributed program.
struct RankRecord {
    std::uint32_t rank = 0; ///< its place among them; ProcessRecord and DeviceRecord name it
    std::string name;       ///< "rank 3"
    std::string file;
    RankAlignment alignment{};
    Ns shift = 0;             ///< what was added to its times
    Ns correction = 0;        ///< the part of it that corrects its clock
    std::int64_t error = -1;  ///< ns: possible error, from shared collectives; -1: not known
    std::uint64_t shared = 0; ///< number of collectives it is based on
    std::string leftOut;      ///< what a merged recording cannot contain
    friend bool operator==(const RankRecord&, const RankRecord&) = default;
};

/// One reading of a clock and of the wall clock (nanoseconds since 1970, UTC) at the same moment. Two
/// readings of one clock also give its speed.
struct ClockRecord {
    std::uint32_t clock = 0;
    Ns at = 0, wall = 0;
    friend bool operator==(const ClockRecord&, const ClockRecord&) = default;
};

struct DeviceRecord {
    std::uint32_t device = 0;
    std::string name;
    std::string uuid{};
    std::uint32_t smCount = 0, copyEngines = 0, maxThreadsPerSm = 0, maxBlocksPerSm = 0, registersPerSm = 0;
    std::uint64_t sharedPerSm = 0, memoryBytes = 0;
    std::uint32_t computeMajor = 0, computeMinor = 0;
    std::uint32_t process = 0;
    std::uint32_t rank = kNoNumber; ///< RankRecord; devices of different ranks differ, whatever their uuid
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
    /// Records may come from files: a product that overflows becomes the largest number.
    static std::uint64_t product(const std::array<std::uint32_t, 3>& sizes) {
        std::uint64_t all = std::uint64_t{sizes[0]} * sizes[1];
        return __builtin_mul_overflow(all, std::uint64_t{sizes[2]}, &all) ? ~std::uint64_t{0} : all;
    }
    friend bool operator==(const KernelGeometry&, const KernelGeometry&) = default;
};

/// One timed activity. Device work has device, context and stream; host activities (HostFn, Api, Sync,
/// Overhead, Nvtx) have `thread`.
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

/// What a call did to a queue besides issuing device work: recorded an event, made a stream wait for one, put
/// a host function into a stream, made a thread wait. Files hold these numbers: append.
enum class StreamCallKind : std::uint8_t {
    Unknown,
    EventRecord,
    StreamWait,   ///< of a stream for an event
    HostFunction, ///< put into a stream
    StreamSync,   ///< the thread waits for a stream
    EventSync,    ///< ... for an event
    DeviceSync    ///< ... for all streams of a context
};

/// Linked to its API call, and to a host function's activity, by the correlation.
struct StreamCallRecord {
    StreamCallKind kind{};
    std::uint32_t correlation = 0, context = kNoNumber;
    std::uint32_t stream = kNoNumber; ///< StreamWait: the waiting stream; EventSync: unknown
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

/// States that stream calls were recorded, even if there were none: older recordings have no such line, and
/// do not show which work waited for events and host functions.
inline constexpr std::string_view kStreamCallsKey = "stream_calls", kStreamCallsRecorded = "recorded";

/// Importers number streams whose ids in the file are large (handles) from kLargeIds on; the environment has
/// their ids, by this key and the number.
inline constexpr std::uint32_t kLargeIds = 0x80000000u;
inline constexpr std::string_view kStreamIdKey = "import.stream_id.";

/// One entry about the environment of the trace: "driver" = "580.82", "cupti" = "130001", "platform",
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

/// Receives records of every kind. TraceBuilder is one; the writer of record chunks another.
class RecordSink {
public:
    virtual ~RecordSink() = default;
    /// The id of a text in this sink, for use in records. Equal texts have equal ids.
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

    /// False: only the numbers of devices are wanted. A producer may then omit names, geometry, correlations
    /// and kinds of memory, but no record: the counts of read, kept and refused records, and every defect,
    /// stay the same.
    virtual bool wantsDetails() const { return true; }

    /// For bulk producers: registers the part that many activities share, which is all of a record except its
    /// times and its correlation, and returns its number. Call once per distinct shape, not per activity.
    virtual std::uint32_t shape(const ActivityRecord& shared) {
        m_shapes.push_back(shared);
        return static_cast<std::uint32_t>(m_shapes.size() - 1);
    }
    /// The same as adding the records of all rows, but possibly faster.
    virtual void addRows(std::span<const ActivityRow> rows) {
        for (const ActivityRow& row : rows) {
            ActivityRecord record = m_shapes[row.shape];
            record.begin = row.begin, record.end = row.end, record.correlation = row.correlation;
            add(record);
        }
    }

    /// The builder that accepts results of parallel decoding, one builder per part, instead of single
    /// records. Null: this sink needs each record in order.
    virtual TraceBuilder* builderOfStretches() { return nullptr; }

    /// A defect other than a refused record: a notice, an early gate, missing ops.
    void addDefect(DefectCode code, std::uint64_t count, ClassMask classes = kAllClasses,
                   std::string detail = {}) {
        add(RefusedRecord{code, count, classes, std::move(detail), false});
    }

private:
    std::vector<ActivityRecord> m_shapes;
};

/// Passes everything to another sink, which must outlive it; for sinks that inspect only some records.
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
