// Runs one program on one device model: dispatches each event to its part and notifies the others. Fills in
// the times of the program's ops.
#pragma once

#include "compute_engine.h"
#include "copy_engines.h"
#include "host_threads.h"
#include "host_workers.h"
#include "program.h"

#include <olab/trace/run_control.h>

namespace olab::sim {

/// Devices before Hyper-Q try to run kernels that were issued back to back in different streams at the same
/// time, and signal the end of each only when all of them have ended: work that waits for the first waits for
/// the last.
class KernelSignals {
public:
    explicit KernelSignals(const Context& context);
    bool inUse() const { return !m_rowOf.empty(); }
    /// `op` has ended. @returns the ops whose end is now signalled: only this one, none, or its whole row
    std::vector<std::uint32_t> ended(std::uint32_t op);

private:
    struct Row {
        std::uint32_t first = 0, count = 0, left = 0;
    };
    std::vector<Row> m_rows;
    std::vector<std::uint32_t> m_rowOf; ///< per op; empty if the device has no such rows
};

struct Outcome {
    Ns windowBegin = 0, windowEnd = 0;    ///< opening of the gate (or first call) to return of the last wait
    std::uint32_t gateOpenedAtOp = kNone; ///< the op whose call opened it early
};

class Simulator {
public:
    Simulator(const DeviceModel& model, Program& program, std::uint64_t seed, Ns start);
    /// @throws Error Cancelled; Internal (sim-stuck) if nothing can proceed although ops are left, which is a
    /// bug in the model
    Outcome run(const RunControl& control);

private:
    void handle(const Event& event);
    void ready(std::uint32_t op);
    void granted(std::uint32_t op);
    void submit(std::uint32_t op);
    void dispatched(std::uint32_t op);
    void finish(std::uint32_t op);
    void complete(std::uint32_t op);
    void lockGranted(std::uint32_t who);
    void hostFnDone(std::uint32_t op);
    void watchDone(std::uint32_t op);
    void computeDone(std::uint32_t device, std::optional<std::uint32_t> op);
    void flowDone(const Event& event);
    void copyDone(std::uint32_t engine);
    void check(const RunControl& control) const;
    Outcome outcome() const;

    Program& m_program;
    EventQueue m_events;
    Jitter m_jitter;
    Context m_context;
    ChannelPools m_channels;
    IssueQueues m_queues;
    StreamSet m_streams;
    Submitter m_submitter;
    DriverLock m_lock;
    HostLinks m_links;
    CopyEngines m_copies;
    KernelSignals m_signals;
    Watcher m_watcher;
    std::vector<ComputeEngine> m_compute; ///< per device, as are the workers
    std::vector<HostFnWorker> m_workers;
    HostThreads m_host;
    std::uint64_t m_finished = 0;
    Ns m_start;
};

} // namespace olab::sim
