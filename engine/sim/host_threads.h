// The issuing threads: each takes its units in order, or as callbacks free them. A call costs host time and
// holds the driver's lock; it blocks while its stream's ring is full, while a pageable copy is staged (H2D)
// or not done (D2H), and if the call itself waits for the device. When everything is issued, the gate is
// opened.
#pragma once

#include "calls.h"
#include "host_workers.h"

#include <functional>

namespace olab::sim {

/// A call that lasts longer than this opens the gate, or the run would deadlock.
inline constexpr Ns kGatePatience = 2'000'000;

class HostThreads {
public:
    HostThreads(Context& context, StreamSet& streams, Submitter& submitter, DriverLock& lock);
    void start();
    /// Handle HostStep, HostEnqueue and LockGranted of a thread.
    void step(std::uint32_t thread);
    void enqueue(std::uint32_t thread);
    void lockGranted(std::uint32_t thread);
    /// Handles GateTimer: opens the gate if the call for `op` still blocks.
    void gateTimer(std::uint32_t op);
    void dispatched(std::uint32_t op);
    void staged(std::uint32_t op);
    void done(std::uint32_t op);
    /// The host has been notified that the pass of `op` is done.
    void reported(std::uint32_t op);
    /// The call that records the event of a watched callback has returned.
    template <typename Watch>
    void onWatched(Watch watch) {
        m_watch = std::move(watch);
    }

    bool finished() const { return m_running == 0; }
    Ns end() const { return m_end; }
    /// The op whose call made the gate open early; kNone if none did.
    std::uint32_t gateOpenedAtOp() const { return m_gateOpenedAtOp; }

private:
    enum class Block : std::uint8_t { No, Unit, Ring, Copy, Functions, Gate, Wait };
    struct Thread {
        std::vector<std::uint32_t> units; ///< all of its units, in order
        std::deque<std::uint32_t> freed;  ///< units whose callback has reported, in that order
        std::size_t frontier = 0;         ///< into units: the first that is not issued
        std::uint32_t op = 0, last = 0;   ///< the op it issues; end of its unit
        std::uint32_t awaited = 0;        ///< streams that it still waits for
        Ns waitBegin = 0;
        Block block = Block::No;
        bool rested = false; ///< the device has become idle for the current call
    };
    struct Target { ///< a thread waits until this many ops of a stream are done
        std::uint64_t count = 0;
        std::uint32_t thread = 0;
    };
    SimOp& current(std::uint32_t thread) const { return m_context.op(m_threads[thread].op); }
    bool takeUnit(std::uint32_t thread);
    void begin(std::uint32_t thread);
    void call(std::uint32_t thread);
    void launchNext(std::uint32_t thread);
    void release(std::uint32_t thread, Ns wake);
    void functionDone(const SimOp& op);
    void put(std::uint32_t op);
    void block(std::uint32_t thread, Block why);
    void returnAt(std::uint32_t thread, Ns time);
    void sync(std::uint32_t thread);
    void openGateWhenAllIssued();
    void openGate();
    void wait(std::uint32_t thread);
    void waitFor(std::uint32_t thread, std::uint32_t stream);
    void waitForDevice(std::uint32_t thread, std::uint32_t device);
    void waited(std::uint32_t thread);
    void stop();

    Context& m_context;
    StreamSet& m_streams;
    Submitter& m_submitter;
    DriverLock& m_lock;
    std::vector<Thread> m_threads;
    std::vector<bool> m_taken;                  ///< per unit
    std::vector<std::uint32_t> m_unitFreedBy;   ///< per op; empty when no unit awaits any
    std::vector<std::vector<Target>> m_targets; ///< per stream
    std::function<void(std::uint32_t)> m_watch;
    std::uint32_t m_running = 0, m_atGate = 0, m_atRing = 0;
    std::uint32_t m_lastStream = kNone; ///< that a call was for
    std::uint32_t m_functions = 0;      ///< host functions issued and not done
    std::uint32_t m_launched = 0;       ///< submitted nodes of the graph
    bool m_graphLaunched = false;
    Ns m_end = 0;
    std::uint32_t m_gateOpenedAtOp = kNone;
};

} // namespace olab::sim
