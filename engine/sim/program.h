// A schedule prepared for the simulator: streams numbered as by CUPTI, kernels with their blocks resolved for
// the device, and for each op the times that the simulation fills in.
#pragma once

#include "event_queue.h"

#include <olab/experiment/schedule.h>
#include <olab/sim/device_model.h>
#include <olab/trace/types.h>

namespace olab::sim {

// Small variations from op to op, from a fixed generator: the standard library's distributions may differ
// between implementations, but a simulated trace must not.

/// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class Jitter {
public:
    explicit Jitter(std::uint64_t seed)
        : m_state(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (m_state += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }

    /// `value` plus or minus up to `permille` thousandths of it, never below 0. A time of months stays
    /// unchanged.
    Ns around(Ns value, std::uint32_t permille) {
        constexpr Ns kMonths = 9'000'000'000'000'000; // a thousand times this still fits
        if (value > kMonths)
            return value;
        const auto spread = static_cast<std::int64_t>(permille) * 1000;
        const auto part = static_cast<std::int64_t>(next() >> 33) % (2 * spread + 1) - spread;
        const Ns moved = value + value / 1000 * part / 1000 + value % 1000 * part / 1'000'000;
        return moved < 0 ? 0 : moved;
    }

private:
    std::uint64_t m_state;
};

inline constexpr std::uint32_t kNone = 0xffffffffu;
inline constexpr std::uint32_t kNullStreamNumber = 7, kFirstStreamNumber = 13; ///< as CUPTI numbers them

/// What executes an op. The first kEngineUnits are the engines of a device.
enum class Unit : std::uint8_t { Compute, H2d, D2h, D2d, P2p, Worker, Nothing };
inline constexpr std::uint32_t kEngineUnits = 5;
constexpr bool isEngine(Unit unit) {
    return static_cast<std::uint32_t>(unit) < kEngineUnits;
}
constexpr bool isCopyUnit(Unit unit) {
    return isEngine(unit) && unit != Unit::Compute;
}

/// Until when the call that issues an op blocks.
enum class Hold : std::uint8_t { No, Staged, Done };

struct SimOp {
    Ns apiBegin = 0, apiEnd = 0; ///< the call that issues it
    Ns issued = 0, ready = 0;    ///< submitted; free to start. HostSync: the begin of the wait
    Ns begin = 0, end = 0;       ///< what a device record would show
    std::int64_t bytes = 0;
    std::uint32_t stream = 0;
    std::uint32_t next = kNone; ///< the op issued after it in its stream
    std::uint32_t epoch = 0;    ///< NULL-stream ops issued before it
    std::uint32_t channel = kNoNumber;
    std::uint32_t event = kNone;
    std::uint32_t grid = kNone; ///< kernels of recorded work: into Program::grids
    std::uint16_t thread = 0, device = 0;
    experiment::OpKind kind{};
    Unit unit = Unit::Nothing;
    Hold hold = Hold::No;
    experiment::CallbackMethod callback{};
    experiment::SyncMode sync{};
    bool pageable = false;
    bool migrates = false;   ///< the first use of managed memory
    bool awaitsTurn = false; ///< free to start except for the order of its engine's queue
};

struct SimStream {
    std::uint32_t number = 0;
    StreamKind kind = StreamKind::NonBlocking;
    std::uint32_t device = 0;
    std::uint32_t level = 0;   ///< 0: served first
    std::int32_t priority = 0; ///< as CUDA numbers it
};

struct Grid {
    std::uint32_t blocks = 1, threads = 1;
    std::uint32_t resident = 1; ///< blocks of it that the device holds at once
    std::uint32_t slots = 1;    ///< its size in blocks of the experiment's kernel
    Ns solo = 0;                ///< of the whole grid alone, without its transfers over the bus
    bool memoryBound = false, computeBound = false; ///< the resource that it shares: memory, or SMs
    std::uint32_t shared = 0;                       ///< dynamic shared memory per block
};

/// The order in which engines take ops: as they become ready, or as issued.
enum class QueueMode : std::uint8_t { Ready, PerEngine, Single };

struct Program {
    std::vector<SimStream> streams; ///< after those of the schedule one NULL stream per device
    std::uint32_t devices = 1, threads = 1, events = 0;
    std::vector<SimOp> ops;
    std::vector<experiment::IssueUnit> units;
    Grid kernel, nullKernel, fillKernel;
    std::vector<Grid> grids; ///< of recorded work
    experiment::InPlace reads, writes;
    std::int64_t pageableBytes[2] = {}; ///< of all streams' pageable buffers: H2D, D2H
    Ns hostWork = 0;                    ///< of each host function
    experiment::Api api = experiment::Api::Runtime;
    experiment::Interfere interfere = experiment::Interfere::None;
    experiment::ProcessSettings process;
    std::uint32_t firstDevice = 0; ///< number of device 0 in the records
    MemoryKind h2dTarget = MemoryKind::Device;
    QueueMode queues = QueueMode::Ready;
    experiment::Submission submission = experiment::Submission::Linux;
    bool gate = false;
    bool graph = false;
    Ns launchBegin = 0, launchEnd = 0; ///< the call that launched the graph
    std::uint32_t nullStream(std::uint32_t device) const {
        return static_cast<std::uint32_t>(streams.size()) - devices + device;
    }
    bool isNull(std::uint32_t stream) const { return stream + devices >= streams.size(); }
    const Grid& gridOf(const SimOp& op) const { return op.grid != kNone ? grids[op.grid] : gridOf(op.kind); }
    const Grid& gridOf(experiment::OpKind kind) const {
        return kind == experiment::OpKind::Kernel       ? kernel
               : kind == experiment::OpKind::FillKernel ? fillKernel
                                                        : nullKernel;
    }
};

/// State shared by all parts of a simulation.
struct Context {
    const DeviceModel& model;
    Program& program;
    EventQueue& events;
    Jitter& jitter;
    SimOp& op(std::uint32_t i) const { return program.ops[i]; }
    Ns now() const { return events.now(); }
    Ns latency(Ns value) const { return jitter.around(value, model.latencyJitter); }
    Ns duration(Ns value) const { return jitter.around(value, model.durationJitter); }
};

constexpr bool isCopy(experiment::OpKind k) {
    return k == experiment::OpKind::CopyH2D || k == experiment::OpKind::CopyD2H;
}
constexpr bool isMemset(experiment::OpKind k) {
    return k == experiment::OpKind::Memset || k == experiment::OpKind::NullMemset ||
           k == experiment::OpKind::InterfereMemset;
}
constexpr bool isKernel(experiment::OpKind k) {
    return k == experiment::OpKind::Kernel || k == experiment::OpKind::NullKernel ||
           k == experiment::OpKind::FillKernel || k == experiment::OpKind::InterfereKernel;
}
constexpr bool isCompute(experiment::OpKind k) {
    return isMemset(k) || isKernel(k);
}
/// Host only: nothing is put into a stream.
constexpr bool isHostOnly(experiment::OpKind k) {
    return k == experiment::OpKind::HostSync || k == experiment::OpKind::InterfereCall ||
           k == experiment::OpKind::HostWork;
}

/// The model with the effect of the environment variables of the process.
DeviceModel modelFor(const experiment::ProcessSettings& process, DeviceModel model);
/// The model with the known rates of the machine on which recorded work was recorded.
DeviceModel withRates(DeviceModel model, const experiment::HostRates& rates);
/// The measured window. @throws Error kind Usage if a grid or a block is too large.
Program windowProgram(const experiment::Schedule& schedule, const DeviceModel& model);
/// One op alone in its own stream. @throws as windowProgram
Program soloProgram(const experiment::Schedule& schedule, const experiment::SoloOp& solo,
                    const DeviceModel& model);

} // namespace olab::sim
