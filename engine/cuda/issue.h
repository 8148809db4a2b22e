// Issues the ops of a schedule, and the calls that interfere with them.
#pragma once

#include "calls.h"
#include "gate.h"
#include "handles.h"
#include "host_functions.h"
#include "pipelines.h"

#include <olab/cupti/collector.h>
#include <olab/experiment/schedule.h>

#include <span>
#include <stop_token>
#include <vector>

namespace olab::cuda {

/// The calls that interfere=... puts between passes. What they free is allocated before the window; what they
/// allocate is freed after it.
class Interference {
public:
    /// Allocates what the calls will free. `devices` must outlive it.
    Interference(const experiment::Schedule& schedule, const Devices& devices);
    ~Interference();
    Interference(const Interference&) = delete;
    Interference& operator=(const Interference&) = delete;

    /// The call of `op` (an InterfereCall). The device of `at` must be current. Any thread.
    cudaError_t call(const experiment::Op& op, StreamAt at);
    /// The kernel of `op` (an InterfereKernel) among those that nothing else launches.
    std::uint32_t firstLaunchOf(const experiment::Op& op);
    /// Frees everything. Call with the devices idle.
    void release() noexcept;

private:
    /// What one op works on.
    struct Piece {
        OpId op = kNoOp;
        std::int32_t device = 0;
        void* memory = nullptr;
        bool done = false; ///< the call was made
    };
    void prepare(Piece& piece);
    void release(Piece& piece) noexcept;
    Piece& pieceOf(const experiment::Op& op);
    experiment::Interfere m_kind;
    const Devices& m_devices;
    std::vector<Piece> m_pieces; ///< in order of their ops
};

// Issues one op of a schedule: the single place that knows which CUDA call an op kind is. One per issuing
// thread.

/// The events that deps=... names, each on the device of the op that records it.
class Events {
public:
    Events(const experiment::Schedule& schedule, const Devices& devices);
    cudaEvent_t operator[](std::uint32_t event) const { return m_events[event].get(); }

private:
    std::vector<EventHandle> m_events;
};

/// What all issuing threads of a run share.
struct RunParts {
    const experiment::Schedule& schedule;
    const Devices& devices;
    Pipelines& pipelines;
    Calls& calls;
    HostFunctions& functions;
    Interference& interference;
    const Events& events;
    Gate& gate;
    cupti::Collector* collector = nullptr; ///< null: an untraced run
    std::int64_t loops = 0;
    std::span<const std::int64_t> gridLoops{}; ///< of recorded work, by Schedule::grids
};

/// While one exists, nothing else may change its thread's current device.
class Issuer {
public:
    /// `thread`: 0-based issuing thread. `stop`: gives up host waits that poll.
    Issuer(const RunParts& parts, std::int32_t thread, std::stop_token stop);
    /// Enqueues `op`, or waits (HostSync), tagged with `tag`. @throws Error
    void issue(const experiment::Op& op, OpId tag, KernelUse use);

private:
    void useDevice(std::int32_t device);
    cudaError_t enqueue(const experiment::Op& op, KernelUse use);
    cudaError_t step(const experiment::Op& op, KernelUse use, StreamAt at);
    cudaError_t between(const experiment::Op& op, StreamAt at);
    cudaError_t kernel(const experiment::Op& op, KernelUse use, StreamAt at);
    cudaError_t fillKernel(const experiment::Op& op, StreamAt at);
    void hostWork(Ns length) const;
    cudaError_t hostSync(const experiment::Op& op);
    cudaError_t poll(cudaEvent_t event) const;

    RunParts m_parts;
    std::size_t m_thread;
    std::stop_token m_stop;
    std::int32_t m_device = -1;            ///< current in this thread; -1: not known
    std::vector<EventHandle> m_syncEvents; ///< per device: what host waits record
};

} // namespace olab::cuda
