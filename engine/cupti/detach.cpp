#include "detach.h"

#include "api.h"

#include <chrono>
#include <thread>

namespace olab::cupti {

bool Detach::arm(CUpti_SubscriberHandle subscriber) noexcept {
    if (!subscriber || !api().cuptiFinalize || !api().cuptiUnsubscribe || !api().cuptiEnableDomain)
        return false;
    m_subscriber = subscriber;
    m_phase = Phase::Armed;
    follow(true);
    return true;
}

void Detach::follow(bool on) noexcept {
    for (const CUpti_CallbackDomain domain : {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API})
        api().cuptiEnableDomain(on ? 1 : 0, m_subscriber, domain);
}

bool Detach::cancel() noexcept {
    Phase phase = Phase::Armed;
    if (m_phase.compare_exchange_strong(phase, Phase::Idle)) {
        follow(false);
        return true;
    }
    while (m_phase == Phase::Working)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    phase = Phase::Gone;
    return !m_phase.compare_exchange_strong(phase, Phase::Idle);
}

void Detach::onCall(const CUpti_CallbackData& call) noexcept {
    Phase phase = Phase::Armed;
    if (call.callbackSite != CUPTI_API_EXIT || m_phase != phase || !m_owner.isThis() ||
        !m_phase.compare_exchange_strong(phase, Phase::Working))
        return;
    api().cuptiUnsubscribe(m_subscriber);
    api().cuptiFinalize();
    m_phase = Phase::Gone;
}

} // namespace olab::cupti
