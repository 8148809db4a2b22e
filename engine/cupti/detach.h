// Takes CUPTI out of the process, which then is as fast as without: where kinds are only switched off, tiny
// launches stayed up to 1.5 times as slow on an H100 (driver 580, CUPTI 13.0), in contexts that were there
// when a kind of device work was switched on; no way of switching it off helped. There cuptiFinalize at the
// end of just any call, as NVIDIA describes it, crashed programs that launch graphs, and one of eight
// threads. So it is done only at the end of a call that waits for the whole device: the second such call
// after which nobody but this one thread made calls of CUDA, and no graph was launched. Other programs keep
// CUPTI, with all kinds off. Private to cupti.
#pragma once

#include "records.h"
#include <olab/cupti/host_process.h>

#include <atomic>
#include <chrono>

namespace olab::cupti {

class Detach {
public:
    /// Detaches as soon as it is safe. `subscriber`'s callback must call onCall(), and does not exist
    /// afterwards. CUPTI must not be called until cancel(). @returns false: not supported by this CUPTI
    bool arm(CUpti_SubscriberHandle subscriber) noexcept;
    /// @returns whether CUPTI and the subscriber still exist. Waits while CUPTI is being removed.
    bool cancel() noexcept;
    void onCall(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call) noexcept;

private:
    /// Armed: waits for a first call that waits for the device. Watching: checks all calls until the second
    /// such call. Working: detaching now.
    enum class Phase : int { Idle, Armed, Watching, Working, Gone };
    void waitForCall(bool on) noexcept;
    void watch(bool on) noexcept;
    void watchFrom(int thread) noexcept;
    void watchNoMore() noexcept;
    void giveUp(Phase phase) noexcept;
    bool change(Phase from, Phase to) noexcept { return m_phase.compare_exchange_strong(from, to); }
    OwnProcess m_owner;
    std::atomic<Phase> m_phase{Phase::Idle};
    CUpti_SubscriberHandle m_subscriber = nullptr;
    std::atomic<int> m_thread{0}; ///< the one that waited first
    std::chrono::steady_clock::time_point m_since{};
    int m_triesLeft = 0;
};

} // namespace olab::cupti
