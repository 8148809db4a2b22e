// What producers hand to TraceBuilder, and what the record chunks of an .olab file hold, in any order. A
// record is plain data as its source gave it: nothing here has been checked. Unknown numbers are kNoNumber,
// unknown times 0.
#pragma once

#include <olab/trace/defect.h>
#include <olab/trace/types.h>

#include <array>
#include <optional>
#include <string>

namespace olab {

struct DeviceRecord {
    std::uint32_t device = 0;
    std::string name;
    std::string uuid;
    std::uint32_t smCount = 0, copyEngines = 0, maxThreadsPerSm = 0, maxBlocksPerSm = 0, registersPerSm = 0;
    std::uint64_t sharedPerSm = 0, memoryBytes = 0;
    std::uint32_t computeMajor = 0, computeMinor = 0;
    friend bool operator==(const DeviceRecord&, const DeviceRecord&) = default;
};

struct ContextRecord {
    std::uint32_t context = 0, device = 0;
    std::uint32_t nullStream = kNoNumber; ///< stream id of the legacy default stream
    friend bool operator==(const ContextRecord&, const ContextRecord&) = default;
};

struct StreamRecord {
    std::uint32_t context = 0, stream = 0;
    StreamKind kind = StreamKind::Unknown;
    std::int32_t priority = 0;
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
    std::string
        name; ///< kernel name (mangled as recorded), API name, overhead kind, text of a range; may be empty
    std::optional<KernelGeometry> geometry; ///< kernels only
    friend bool operator==(const ActivityRecord&, const ActivityRecord&) = default;
};

/// External correlation: the device work and API call of `correlation` belong to planned op `op`.
struct CorrelationRecord {
    std::uint32_t correlation = 0;
    OpId op = kNoOp;
    friend bool operator==(const CorrelationRecord&, const CorrelationRecord&) = default;
};

/// The duration of one distinct op run alone in the same job (CLI.md, Bounds). `solo` indexes
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
    friend bool operator==(const WindowRecord&, const WindowRecord&) = default;
};

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

/// Takes records of every kind. TraceBuilder is one; the writer of record chunks another.
class RecordSink {
public:
    virtual ~RecordSink() = default;
    virtual void add(const DeviceRecord&) = 0;
    virtual void add(const ContextRecord&) = 0;
    virtual void add(const StreamRecord&) = 0;
    virtual void add(const ActivityRecord&) = 0;
    virtual void add(const CorrelationRecord&) = 0;
    virtual void add(const SoloRecord&) = 0;
    virtual void add(const WindowRecord&) = 0;
    virtual void add(const EnvironmentRecord&) = 0;
    virtual void add(const ProvenanceRecord&) = 0;
    virtual void add(const RefusedRecord&) = 0;
};

} // namespace olab
