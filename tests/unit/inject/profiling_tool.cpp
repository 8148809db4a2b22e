// Another client of CUPTI, which works as torch.profiler does: first of all it gives CUPTI a clock of its
// own, it subscribes once and for good, and records for a while now and then. A library of its own, bound to
// CUPTI as it is loaded.
#include "../cupti/stream_cupti.h"

#include <cupti.h>

#include <cstdlib>
#include <ctime>
#include <map>
#include <mutex>

namespace {

constexpr std::size_t kBytes = 64 << 10;
std::mutex g_mutex;
std::map<std::uint8_t*, std::size_t> g_buffers; ///< given to CUPTI, and what came back
std::size_t g_strange = 0;

void CUPTIAPI requested(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
    *buffer = static_cast<std::uint8_t*>(std::calloc(kBytes, 1));
    *size = kBytes;
    *records = 0;
    const std::lock_guard lock(g_mutex);
    g_buffers[*buffer] = 0;
}

void CUPTIAPI completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    const std::lock_guard lock(g_mutex);
    const auto found = g_buffers.find(buffer);
    if (found == g_buffers.end())
        ++g_strange;
    else
        found->second = valid;
}

/// Time since the system started.
std::uint64_t ticks() {
    timespec t{};
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

void CUPTIAPI onCallback(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}

/// Those of calls with times of its clock.
std::size_t countCalls() {
    std::size_t count = 0;
    const std::uint64_t now = ticks();
    const std::lock_guard lock(g_mutex);
    for (const auto& [buffer, valid] : g_buffers) {
        CUpti_Activity* record = nullptr;
        while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
            count += record->kind == CUPTI_ACTIVITY_KIND_RUNTIME &&
                             reinterpret_cast<CUpti_ActivityAPI*>(record)->start <= now
                         ? 1
                         : 0;
    }
    return count;
}

} // namespace

extern "C" {

/// `clock`: it gives CUPTI its clock, anew. @returns whether it could
__attribute__((visibility("default"))) bool toolBegin(bool clock) {
    static CUpti_SubscriberHandle subscriber = nullptr;
    if (clock && cuptiActivityRegisterTimestampCallback(ticks) != CUPTI_SUCCESS)
        return false;
    if (!subscriber && cuptiSubscribe(&subscriber, onCallback, nullptr) != CUPTI_SUCCESS)
        return false;
    return cuptiActivityRegisterCallbacks(requested, completed) == CUPTI_SUCCESS &&
           cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_SUCCESS &&
           cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME) == CUPTI_SUCCESS;
}

/// @returns how many calls it has seen; none if buffers came to it that are not its own
__attribute__((visibility("default"))) std::size_t toolEnd() {
    cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    cuptiActivityDisable(CUPTI_ACTIVITY_KIND_RUNTIME);
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    const std::size_t seen = g_strange == 0 ? countCalls() : 0;
    const std::lock_guard lock(g_mutex);
    for (const auto& [buffer, valid] : g_buffers)
        std::free(buffer);
    g_buffers.clear();
    return seen;
}
}
