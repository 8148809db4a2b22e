// Takes CUPTI out of the process, which then is as fast as without: where kinds are only switched off, graphs
// that were made while they were on stay slow. It is done at the end of a call that the program makes, as
// NVIDIA asks for; while it makes none, CUPTI stays. Private to cupti.
#pragma once

#include "records.h"
#include <olab/cupti/own_process.h>

#include <atomic>

namespace olab::cupti {

class Detach {
public:
    /// At the end of the next call, on whichever thread; `subscriber`'s callback must call onCall(), and is
    /// no more afterwards. Nothing of CUPTI may be called until cancel(). @returns false: this CUPTI cannot
    bool arm(CUpti_SubscriberHandle subscriber) noexcept;
    /// @returns whether CUPTI and the subscriber are still there. Waits while it is being taken out.
    bool cancel() noexcept;
    void onCall(const CUpti_CallbackData& call) noexcept;

private:
    enum class Phase : int { Idle, Armed, Working, Gone };
    void follow(bool on) noexcept;
    OwnProcess m_owner;
    std::atomic<Phase> m_phase{Phase::Idle};
    CUpti_SubscriberHandle m_subscriber = nullptr;
};

} // namespace olab::cupti
