#include "managed_memory.h"

#include "api.h"

namespace olab::cupti {
namespace {

constexpr std::uint32_t kMostDevices = 64;

/// Of each device, in both directions; false: this one does not exist, or has no such counters.
bool countBytes(std::uint32_t device) {
    CUpti_ActivityUnifiedMemoryCounterConfig both[2] = {};
    for (CUpti_ActivityUnifiedMemoryCounterConfig& counter : both) {
        counter.scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE;
        counter.deviceId = device;
        counter.enable = 1;
    }
    both[0].kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD;
    both[1].kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH;
    return api().cuptiActivityConfigureUnifiedMemoryCounter(both, 2) == CUPTI_SUCCESS;
}

/// False: no device has any.
bool setUpCounters() {
    std::uint32_t device = 0;
    while (device < kMostDevices && countBytes(device))
        ++device;
    return device > 0;
}

} // namespace

void ManagedMemory::follow(CUpti_SubscriberHandle subscriber) {
    if (api().cuptiActivityConfigureUnifiedMemoryCounter)
        api().cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
                                  CUPTI_DRIVER_TRACE_CBID_cuMemAllocManaged);
    if (m_isKnown) // CUPTI was away since
        m_hasCounters = setUpCounters();
}

// At its end: the counters need an initialized driver.
void ManagedMemory::onCall(const CUpti_CallbackData& call) noexcept {
    if (call.callbackSite != CUPTI_API_EXIT || !m_owner.isThis() || m_isKnown.exchange(true))
        return;
    m_hasCounters = setUpCounters();
    if (m_on)
        enable();
}

void ManagedMemory::record(bool on) noexcept {
    m_on = on;
    if (on)
        enable();
}

/// It may have been turned off meanwhile, by another thread.
void ManagedMemory::enable() noexcept {
    if (!m_hasCounters)
        return;
    api().cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
    if (!m_on)
        api().cuptiActivityDisable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
}

} // namespace olab::cupti
