// The ops of an experiment in issue order, with the memory and the settings that they work with: what every
// backend executes and what analysis may expect. Made by plan(), a pure function.
#pragma once

#include <olab/experiment/option_choices.h>
#include <olab/trace/activity_classes.h>
#include <olab/trace/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace olab::experiment {

// The kinds of operations in a schedule. Each has a row in schedule.cpp.

enum class OpKind : std::uint8_t {
    CopyH2D,
    Memset,
    Kernel,
    CopyD2H,
    HostFn, ///< notifies the host that a pass is done, by Op::callback
    NullMemset,
    NullKernel,
    NullEvent,
    FillKernel,      ///< memset.method=kernel
    FillCopy,        ///< memset.method=copy: device to device, from a zeroed buffer
    PeerCopy,        ///< p2p: the output to the next device
    EventRecord,     ///< Op::event, in Op::stream
    EventWait,       ///< Op::stream waits for Op::event (recorded earlier in the schedule)
    HostSync,        ///< the issuing thread waits for Op::stream (or all), by Op::sync
    InterfereCall,   ///< Schedule::interfere, for calls that leave no activity
    InterfereMemset, ///< cudaMemset on the legacy NULL stream
    InterfereCopy,   ///< cudaMemcpy device to device on the legacy NULL stream
    InterfereKernel, ///< the first launch of a kernel, in Op::stream
    HostWork         ///< the issuing thread works for Op::bytes ns before it continues: recorded work only
};
inline constexpr std::size_t kOpKinds = 19;
std::string_view opKindName(OpKind kind); ///< "H2D copy", "memset", ... for people
/// The class of its activity; HostFn for host functions. Nothing if it leaves no activity.
std::optional<ActivityClass> classOf(OpKind kind);

// The memory that a schedule works on, one row per buffer: a backend allocates what the rows say and needs no
// options. Sizes in bytes; devices 0-based among those used.

/// What a buffer is for. A pipeline has at most one of each of the first six, a device one of each of the
/// others.
enum class BufferRole : std::uint8_t {
    Source,     ///< host: read by H2D copies, or by kernels in place
    Input,      ///< H2D's target
    Scratch,    ///< memset's target
    Output,     ///< D2H's source
    Target,     ///< host: written by D2H copies, or by kernels in place
    Peer,       ///< on the next device: target of peer copies
    Zeros,      ///< source of memset.method=copy
    NullScratch ///< target of memsets on the NULL stream
};
inline constexpr std::size_t kBufferRoles = 8;

/// Constant: a slice of the one `__constant__` array of its device, which takes no memory.
enum class BufferPlace : std::uint8_t { Device, Constant, Host };

struct Buffer {
    std::int64_t bytes = 0;
    std::int64_t offset = 0;   ///< Constant: where in the array
    std::int32_t device = 0;   ///< that has the memory; for host memory the device of its pipeline
    std::int32_t pipeline = 0; ///< its owner; the first of those that share it
    BufferRole role{};
    BufferPlace place{};
    HostMemory memory{};   ///< Host: how it was allocated
    bool portable = false; ///< Host: page-locked for all devices
    bool shared = false;   ///< used by all pipelines of its device
    friend bool operator==(const Buffer&, const Buffer&) = default;
};

class BufferTable {
public:
    const std::vector<Buffer>& rows() const { return m_rows; }
    /// The row of a pipeline's buffer (of a device's, for Zeros and NullScratch); kNoNumber: it has none.
    std::uint32_t find(std::int32_t owner, BufferRole role) const {
        const auto at = static_cast<std::size_t>(owner);
        return at < m_of.size() ? m_of[at][static_cast<std::size_t>(role)] : kNoNumber;
    }
    /// All streams of a device use the same buffer for that role.
    bool isShared(BufferRole role) const {
        const std::uint32_t row = find(0, role);
        return row != kNoNumber && m_rows[row].shared;
    }
    bool sharesAny() const;
    /// The total of all rows in such a place.
    std::int64_t bytesIn(BufferPlace place) const;

    void add(const Buffer& buffer, std::int32_t owner);
    /// `owner` uses a row that belongs to another one.
    void share(std::uint32_t row, std::int32_t owner);
    friend bool operator==(const BufferTable&, const BufferTable&) = default;

private:
    using Rows = std::array<std::uint32_t, kBufferRoles>;
    std::vector<Buffer> m_rows;
    std::vector<Rows> m_of; ///< per pipeline; the roles of a device per device
};

// The results of plan() besides streams, ops and buffers, for code that executes a schedule.

/// Host memory that kernels use in place, without a copy.
struct InPlace {
    std::int64_t bytes = 0;
    bool managed = false; ///< migrates at its first use and stays on the device
    friend bool operator==(const InPlace&, const InPlace&) = default;
};

/// The launch of each Kernel op, and of the fill kernel of memset.method=kernel.
struct PlannedKernel {
    bool launched = false; ///< there are such ops; the shape must be valid in any case
    KernelKind kind{};
    Ns duration = 0; ///< of the whole grid alone
    BlockCount blocks;
    std::uint32_t threads = 1;    ///< per block
    std::int64_t sharedBytes = 0; ///< dynamic shared memory per block
    InPlace reads, writes;
    std::int64_t fillBytes = 0; ///< what the fill kernel writes
    friend bool operator==(const PlannedKernel&, const PlannedKernel&) = default;
};

/// A kernel of recorded work.
struct PlannedGrid {
    Ns duration = 0; ///< of the whole grid alone
    std::uint32_t blocks = 1, threads = 1;
    std::int64_t sharedBytes = 0; ///< dynamic shared memory per block
    friend bool operator==(const PlannedGrid&, const PlannedGrid&) = default;
};

/// Bytes per microsecond; 0: not known.
struct HostRates {
    std::int64_t h2dPinned = 0, h2dPageable = 0, d2hPinned = 0, d2hPageable = 0, onDevice = 0, memset = 0;
    friend bool operator==(const HostRates&, const HostRates&) = default;
};

/// What CUDA reads from the environment of the process.
struct ProcessSettings {
    int maxConnections = 0; ///< 0: not set
    bool launchBlocking = false;
    ModuleLoading moduleLoading = ModuleLoading::Default;
    LaunchQueues launchQueues = LaunchQueues::Default;
    std::vector<std::string> environment{}; ///< "NAME=value": everything it must be started with
    friend bool operator==(const ProcessSettings&, const ProcessSettings&) = default;
};

/// For the simulator alone.
struct SimulatorSettings {
    std::string device; ///< as Experiment::simDevice
    Submission submission = Submission::Linux;
    HostRates rates{}; ///< of recorded work: replace those of the model
    friend bool operator==(const SimulatorSettings&, const SimulatorSettings&) = default;
};

/// NullMemset: small, so that it costs nothing but its place in the order. Also the size that interfering
/// calls allocate, clear or copy.
inline constexpr std::int64_t kNullMemsetBytes = 4096;
inline constexpr std::int64_t kInterfereBytes = 64 << 10;
inline constexpr std::int32_t kNullStream = -1; ///< Op::stream: the legacy NULL stream of the op's device
inline constexpr std::int32_t kAllStreams = -2; ///< HostSync: every stream of the op's device

struct Op {
    OpId id{}; ///< index into Schedule::ops
    OpKind kind{};
    HostMemory memory{};       ///< copies between host and device: the host side
    CallbackMethod callback{}; ///< HostFn
    SyncMode sync{};           ///< HostSync
    /// The pipeline whose buffers it uses (0-based over all devices); kNullStream for a NULL-stream op; for
    /// other ops between passes the pipeline of the preceding pass.
    std::int32_t pipeline = 0;
    std::int32_t iteration = 0; ///< op between passes: the iteration it follows
    std::int64_t bytes = 0;     ///< copies and memsets; HostWork, and HostFn of recorded work: ns
    std::uint32_t solo =
        kNoNumber;           ///< index into Schedule::solos; kNoNumber if it has no activity on a device
    std::int32_t stream = 0; ///< the stream it is enqueued in: index into Schedule::streams, or kNullStream
    std::int32_t device = 0; ///< 0-based among the devices used
    std::uint32_t event = kNoNumber; ///< EventRecord, EventWait: 0-based
    friend bool operator==(const Op&, const Op&) = default;
};
static_assert(sizeof(Op) == 40, "a schedule may have two million");

/// One distinct op, run alone to learn its solo duration.
struct SoloOp {
    OpKind kind{};
    std::int64_t bytes = 0;
    HostMemory memory{};            ///< as Op::memory
    std::uint32_t grid = kNoNumber; ///< kernels of recorded work: into Schedule::grids
    friend bool operator==(const SoloOp&, const SoloOp&) = default;
};

struct PlannedStream {
    PlannedStreamKind kind{}; ///< Legacy: this pipeline runs in the legacy NULL stream
    std::int32_t device = 0;  ///< 0-based among the devices used
    /// 0: the highest priority of the device, 1 the one below ... clamped to its lowest; kNoNumber: default.
    std::uint32_t priorityRank = kNoNumber;
    friend bool operator==(const PlannedStream&, const PlannedStream&) = default;
};

/// Ops issued together, in order, by one host thread.
struct IssueUnit {
    std::uint32_t first = 0, count = 0; ///< range of Schedule::ops
    std::int32_t thread = 0;            ///< 0-based issuing thread
    OpId awaits = kNoOp; ///< a HostFn: the unit is issued once that has reported; kNoOp: immediately
    friend bool operator==(const IssueUnit&, const IssueUnit&) = default;
};

/// Contains no options: the choices are in its streams, ops, buffers and settings.
struct Schedule {
    std::vector<PlannedStream> streams; ///< device by device
    std::vector<Op> ops;                ///< the measured window, in nominal issue order
    /// All of `ops`, in their order. A thread issues its units in order; with issue=on-callback and one
    /// thread it takes, of the units whose `awaits` has reported, the one ready longest.
    std::vector<IssueUnit> units;
    std::int32_t threads = 1; ///< issuing threads
    std::int32_t devices = 1; ///< devices used
    /// One iteration of all streams, followed by a NULL-stream op (if any), run `warmups` times before the
    /// window by one thread; not counted. ids are kNoOp. Empty when `warmups` is 0.
    std::vector<Op> warmup;
    std::vector<SoloOp> solos;
    std::uint32_t events = 0; ///< the number of distinct events in EventRecord and EventWait
    /// Activities the window must leave, per class. Issued - recorded != 0 is a defect.
    std::array<std::uint64_t, kClassCount> expected{};
    bool useGate = true;
    std::string gateOffReason; ///< why the gate is off although requested; empty otherwise
    /// Each pipeline has its own (or all of a device share those on the device, buffers=shared): source
    /// (host) and input (device) of h2dBytesOf(), a memset target (device), output (device) and target (host)
    /// of d2h.bytes, each only if its step is on and copies; a zeroed buffer per device for
    /// memset.method=copy; a peer's buffer of d2h.bytes; and one small buffer for NULL-stream memsets. A
    /// kernel uses its pipeline's input and output; if those are missing, what it needs is small and not in
    /// the table.
    BufferTable buffers;
    std::int64_t deviceBytes = 0, hostBytes = 0; ///< all buffers together
    PlannedKernel kernel;
    std::vector<PlannedGrid> grids; ///< of recorded work: the launch of each of its kernels, by SoloOp::grid
    /// Kernels process the copied data and the result is checked. Not so in recorded work, whose data is
    /// unknown: its order is kept, but no op reads another one's data.
    bool checksData = true;
    std::int32_t iterations = 0; ///< passes of each pipeline in the window
    Ns hostWork = 0;             ///< duration of the host's work at each HostFn
    bool waitsByEvent = false;   ///< of its HostSync ops
    Interfere interfere = Interfere::None;
    Api api = Api::Runtime; ///< of all calls except the interfering ones
    bool graph = false;     ///< the window is captured into one graph and launched by one call
    int warmups = 0;        ///< how often `warmup` is run
    bool traced = true;     ///< false: no run is to be recorded (trace=off)
    int firstDevice = 0;    ///< CUDA's number of device 0
    std::int64_t seed = 1;  ///< for the data, and for all random numbers of the simulator
    ProcessSettings process;
    SimulatorSettings simulator;
    friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// The host watches an event, so the stream is not blocked.
constexpr bool watchesEvent(CallbackMethod method) {
    return method == CallbackMethod::Poll || method == CallbackMethod::BlockingEvent;
}
/// A wait that records an event first.
constexpr bool waitsByEvent(SyncMode mode) {
    return mode == SyncMode::Event || mode == SyncMode::Poll;
}
/// A host function that its stream does not wait for.
constexpr bool leavesStreamFree(const Op& op) {
    return op.kind == OpKind::HostFn && watchesEvent(op.callback);
}
/// The launch of a kernel op of recorded work; null: Schedule::kernel.
const PlannedGrid* gridOf(const Schedule& schedule, const Op& op);
/// The number of a stream that work can be in: the planned ones, then the legacy NULL stream of each device
/// (a legacy pipeline and the NULL stream are one). Not for kAllStreams.
std::size_t streamPlace(const Schedule& schedule, const Op& op);
std::size_t streamPlaces(const Schedule& schedule); ///< how many

/// Why an op cannot start (or a call cannot be made) before another has ended.
enum class EdgeKind : std::uint8_t { Stream, Event, NullStream, HostSync, Callback };
struct Edge {
    OpId before{}, after{};
    EdgeKind kind{};
    friend bool operator==(const Edge&, const Edge&) = default;
};
/// The direct dependencies a schedule creates, in order of `after`. EventRecord, EventWait and HostSync are
/// separate nodes: an op after a wait depends on the wait, the wait on the record, the record on the op
/// before it in its stream. HostFn by poll or blocking-event does not block its stream: nothing in the stream
/// depends on it. A barrier (a wait for a whole device, an op on the NULL stream) has edges only from what
/// was issued since the previous barrier, through which it depends on all earlier work: so there are never
/// more than a few edges per op.
std::vector<Edge> dependencies(const Schedule& schedule);

// How much memory the buffers of an experiment may take: the same rule for a real device, a simulated one and
// the host. Bytes; any thread.

/// @param free the free memory; @param where "device" or "host"
/// @throws Error kind Usage (too-big) when `wanted` is more than 80 % of it
void refuseIfTooBig(std::uint64_t wanted, std::uint64_t free, const char* where);

} // namespace olab::experiment
