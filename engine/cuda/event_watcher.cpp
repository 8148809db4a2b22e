#include "event_watcher.h"

#include <chrono>

namespace olab::cuda {
namespace {

constexpr auto kPollEvery = std::chrono::microseconds(20);

} // namespace

EventWatcher::EventWatcher(experiment::CallbackMethod method, const Devices& devices)
    : m_method(method)
    , m_devices(devices)
    , m_free(devices.size())
    , m_thread([this](const std::stop_token& stop) { run(stop); }) {}

EventWatcher::~EventWatcher() {
    m_thread = {};
}

EventHandle EventWatcher::takeEvent(std::int32_t device) {
    {
        const std::lock_guard lock(m_mutex);
        auto& free = m_free[static_cast<std::size_t>(device)];
        if (!free.empty()) {
            EventHandle event = std::move(free.back());
            free.pop_back();
            return event;
        }
    }
    const bool blocking = m_method == experiment::CallbackMethod::BlockingEvent;
    return EventHandle(cudaEventDisableTiming | (blocking ? cudaEventBlockingSync : 0u));
}

cudaError_t EventWatcher::watch(Calls& calls, StreamAt at, Done done, void* data) {
    Item item{takeEvent(at.device), at.device, done, data};
    const cudaError_t status = calls.record(item.event.get(), at);
    if (status != cudaSuccess)
        return status;
    const std::lock_guard lock(m_mutex);
    m_items.push_back(std::move(item));
    m_changed.notify_all();
    return cudaSuccess;
}

std::optional<EventWatcher::Item> EventWatcher::take(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    if (!m_changed.wait(lock, stop, [this] { return !m_items.empty(); }))
        return std::nullopt;
    std::optional<Item> item(std::move(m_items.front()));
    m_items.pop_front();
    m_busy = true;
    return item;
}

bool EventWatcher::await(cudaEvent_t event, const std::stop_token& stop) const {
    if (m_method == experiment::CallbackMethod::BlockingEvent) {
        check(cudaEventSynchronize(event), "wait for an event");
        return true;
    }
    for (cudaError_t status = cudaErrorNotReady; !stop.stop_requested();) {
        status = cudaEventQuery(event);
        if (status == cudaSuccess)
            return true;
        if (status != cudaErrorNotReady)
            check(status, "ask for an event");
        std::this_thread::sleep_for(kPollEvery);
    }
    return false;
}

void EventWatcher::giveBack(Item item) {
    const std::lock_guard lock(m_mutex);
    m_free[static_cast<std::size_t>(item.device)].push_back(std::move(item.event));
    m_busy = false;
    m_changed.notify_all();
}

void EventWatcher::run(const std::stop_token& stop) {
    try {
        m_devices.use(0);
        while (std::optional<Item> item = take(stop)) {
            if (!await(item->event.get(), stop))
                return;
            item->done(item->data);
            giveBack(std::move(*item));
        }
    } catch (...) {
        const std::lock_guard lock(m_mutex);
        m_failure = std::current_exception();
        m_changed.notify_all();
    }
}

void EventWatcher::finish(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, stop, [this] { return m_failure || (m_items.empty() && !m_busy); });
    if (m_failure)
        std::rethrow_exception(m_failure);
}

} // namespace olab::cuda
