// The start gate: holds streams until all ops are queued, so that the host's issue time does not look like
// missing overlap (the idea is nvbandwidth's). The streams wait on a word of mapped host memory; only a store
// by a thread that makes no CUDA call opens it, so a call that blocks while the gate is closed cannot
// deadlock: a watchdog opens it if an issuing call has not returned for 2 ms.
#pragma once

#include "handles.h"

#include <olab/trace/types.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

namespace olab::cuda {

class Gate {
public:
    static constexpr Ns kIssueLimit = 2'000'000;

    /// `threads`: the number of issuing threads.
    explicit Gate(std::size_t threads = 1);
    ~Gate(); ///< opens it: no stream stays blocked
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    /// Closes the gate (the devices must be idle) and starts the watchdog.
    void close();
    /// Holds everything enqueued into `stream` from now on until the gate opens. Its device must be current.
    /// Any thread.
    void hold(cudaStream_t stream);
    /// Opens it, unless the watchdog has. @returns when it opened, on the trace's clock
    Ns open();
    /// The op whose call made the watchdog open the gate; nullopt if it did not.
    std::optional<OpId> openedEarlyAt() const;
    /// "stream wait" or "kernel": how streams are held on this device.
    const char* method() const { return m_wait ? "stream wait" : "kernel"; }

    /// Around each issuing call of thread `thread`.
    void enterCall(std::size_t thread, OpId op) {
        m_calls[thread].op.store(op.value, std::memory_order_relaxed);
        m_calls[thread].since.store(steadyCall(), std::memory_order_release);
    }
    void leaveCall(std::size_t thread) { m_calls[thread].since.store(0, std::memory_order_release); }

private:
    /// One cache line each: threads issue in parallel.
    struct alignas(64) Call {
        std::atomic<Ns> since{0}; ///< 0: in no call
        std::atomic<std::uint32_t> op{0};
    };
    static Ns steadyCall();
    const Call* blockedCall() const;
    void watch(const std::stop_token& stop);
    void release(const Call* blocked);

    using WaitValue = int (*)(cudaStream_t, unsigned long long address, std::uint32_t value, unsigned flags);
    Memory m_flag; ///< mapped; 0 closed, 1 open
    std::uint32_t* m_deviceFlag = nullptr;
    std::atomic<WaitValue> m_wait{nullptr}; ///< cuStreamWaitValue32, or null if the device has none
    std::vector<Call> m_calls;              ///< per issuing thread
    std::atomic<bool> m_open{true};
    std::atomic<Ns> m_openedAt{0};
    std::atomic<bool> m_early{false};
    std::atomic<std::uint32_t> m_earlyOp{0};
    std::jthread m_watchdog;
};

} // namespace olab::cuda
