// A schedule made ready for the simulator: streams numbered as CUPTI would, kernels with their blocks
// resolved for the device, and for each op the times that the simulation fills in.
#pragma once

#include "event_queue.h"
#include "jitter.h"

#include <olab/experiment/schedule.h>
#include <olab/sim/device_model.h>

namespace olab::sim {

inline constexpr std::uint32_t kNone = 0xffffffffu;
inline constexpr std::uint32_t kNullStreamNumber = 7, kFirstStreamNumber = 13; ///< as CUPTI numbers them

struct SimOp {
    Ns apiBegin = 0, apiEnd = 0; ///< the call that issues it
    Ns issued = 0, ready = 0;    ///< handed over; free to go
    Ns begin = 0, end = 0;       ///< what a device record would show
    std::int64_t bytes = 0;
    std::uint32_t stream = 0;
    std::uint32_t next = kNone; ///< the op issued after it in its stream
    std::uint32_t epoch = 0;    ///< NULL-stream ops issued before it
    std::uint32_t channel = kNoNumber;
    OpKind kind{};
    bool pageable = false;
    bool blocksHost = false; ///< the call returns only when the copy is staged (H2D) or done (D2H)
};

struct SimStream {
    std::uint32_t number = 0;
    StreamKind kind = StreamKind::NonBlocking;
};

struct Grid {
    std::uint32_t blocks = 1, threads = 1;
    std::uint32_t resident = 1; ///< blocks of it that the device holds at once
    Ns solo = 0;                ///< of the whole grid alone
    bool memoryBound = false;
};

struct Program {
    std::vector<SimStream> streams; ///< the last one is the NULL stream
    std::vector<SimOp> ops;
    Grid kernel, nullKernel;
    bool gate = false;
    std::uint32_t nullStream() const { return static_cast<std::uint32_t>(streams.size() - 1); }
};

/// What all parts of one simulation share.
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

constexpr bool isCopy(OpKind k) {
    return k == OpKind::CopyH2D || k == OpKind::CopyD2H;
}
constexpr bool isMemset(OpKind k) {
    return k == OpKind::Memset || k == OpKind::NullMemset;
}
constexpr bool isKernel(OpKind k) {
    return k == OpKind::Kernel || k == OpKind::NullKernel;
}
constexpr bool isCompute(OpKind k) {
    return isMemset(k) || isKernel(k);
}

/// The measured window. @throws Error kind Usage when a grid is too large.
Program windowProgram(const Schedule& schedule, const DeviceModel& model);
/// One op alone in a stream of its own.
Program soloProgram(const Schedule& schedule, const SoloOp& solo, const DeviceModel& model);

} // namespace olab::sim
