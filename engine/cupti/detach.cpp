#include "detach.h"

#include "api.h"

#include <algorithm>
#include <iterator>
#include <thread>
#include <unistd.h>

namespace olab::cupti {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kWatchAtLeast{100}, kWatchAtMost{2000}; // checking all calls slows them
constexpr int kTries = 5;

struct Call {
    CUpti_CallbackDomain domain;
    CUpti_CallbackId id;
    friend bool operator==(const Call&, const Call&) = default;
};
constexpr Call kWaits{CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020};
constexpr Call kGraphs[] = {
    {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000},
    {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_ptsz_v10000},
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch},
    {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz},
};

} // namespace

bool Detach::arm(CUpti_SubscriberHandle subscriber) noexcept {
    if (!subscriber || !api().cuptiFinalize || !api().cuptiUnsubscribe || !api().cuptiEnableDomain)
        return false;
    m_subscriber = subscriber;
    m_triesLeft = kTries;
    m_phase = Phase::Armed;
    waitForCall(true);
    return true;
}

void Detach::waitForCall(bool on) noexcept {
    const auto enable = [this, on](const Call& call) {
        api().cuptiEnableCallback(on ? 1 : 0, m_subscriber, call.domain, call.id);
    };
    enable(kWaits);
    std::ranges::for_each(kGraphs, enable);
}

void Detach::watch(bool on) noexcept {
    for (const CUpti_CallbackDomain domain : {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API})
        api().cuptiEnableDomain(on ? 1 : 0, m_subscriber, domain);
}

bool Detach::cancel() noexcept {
    for (Phase phase = m_phase; phase != Phase::Idle; phase = m_phase) {
        if (phase == Phase::Working)
            std::this_thread::sleep_for(milliseconds(1));
        else if (change(phase, Phase::Idle)) {
            if (phase == Phase::Armed)
                waitForCall(false);
            else if (phase == Phase::Watching)
                watch(false);
            return phase != Phase::Gone;
        }
    }
    return true;
}

/// The subscriber is no longer informed of calls.
void Detach::giveUp(Phase phase) noexcept {
    if (change(phase, Phase::Working)) {
        phase == Phase::Armed ? waitForCall(false) : watch(false);
        m_phase = Phase::Idle;
    }
}

/// Starts checking all calls.
void Detach::watchFrom(int thread) noexcept {
    if (change(Phase::Armed, Phase::Working)) {
        m_thread = thread, m_since = Clock::now();
        waitForCall(false);
        watch(true);
        m_phase = Phase::Watching;
    }
}

/// The next call that waits for the device may be the first again.
void Detach::watchNoMore() noexcept {
    if (--m_triesLeft <= 0)
        return giveUp(Phase::Watching);
    if (change(Phase::Watching, Phase::Working)) {
        watch(false);
        waitForCall(true);
        m_phase = Phase::Armed;
    }
}

void Detach::onCall(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                    const CUpti_CallbackData& data) noexcept {
    const Phase phase = m_phase;
    if ((phase != Phase::Armed && phase != Phase::Watching) || !m_owner.isThis())
        return;
    const Call call{domain, id};
    const bool hasWaited = call == kWaits && data.callbackSite == CUPTI_API_EXIT;
    const int thread = ::gettid();
    if (std::ranges::find(kGraphs, call) != std::end(kGraphs) ||
        (phase == Phase::Watching && thread != m_thread))
        return giveUp(phase);
    if (phase == Phase::Armed)
        return hasWaited ? watchFrom(thread) : void();
    const auto watched = Clock::now() - m_since;
    if (watched > kWatchAtMost)
        return watchNoMore();
    if (hasWaited && watched >= kWatchAtLeast && change(Phase::Watching, Phase::Working)) {
        api().cuptiUnsubscribe(m_subscriber);
        api().cuptiFinalize();
        m_phase = Phase::Gone;
    }
}

} // namespace olab::cupti
