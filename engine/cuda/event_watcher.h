// callback.method=poll and blocking-event: a thread of ours that learns of finished passes from events, in
// the order they were issued, and does the host's work then, while the streams go on.
#pragma once

#include "calls.h"
#include "handles.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace olab {

class EventWatcher {
public:
    using Done = void (*)(void* data);
    EventWatcher(CallbackMethod method, const Devices& devices);
    ~EventWatcher(); ///< gives up what is still awaited

    /// Records an event behind what is in the stream; `done(data)` runs on the watcher's thread once it has
    /// come. The device of `at` must be current. Any thread.
    cudaError_t watch(Calls& calls, StreamAt at, Done done, void* data);
    /// Waits until all are done. @throws Error when a device failed; returns early on a stop
    void finish(const std::stop_token& stop);

private:
    struct Item {
        EventHandle event;
        std::int32_t device = 0;
        Done done = nullptr;
        void* data = nullptr;
    };
    EventHandle takeEvent(std::int32_t device);
    void run(const std::stop_token& stop);
    std::optional<Item> take(const std::stop_token& stop);
    bool await(cudaEvent_t event, const std::stop_token& stop) const;
    void giveBack(Item item);

    CallbackMethod m_method;
    const Devices& m_devices;
    std::mutex m_mutex; ///< never held across a CUDA call
    std::condition_variable_any m_changed;
    std::deque<Item> m_items;
    std::vector<std::vector<EventHandle>> m_free; ///< per device
    bool m_busy = false;
    std::exception_ptr m_failure;
    std::jthread m_thread; ///< last: it uses all of the above
};

} // namespace olab
