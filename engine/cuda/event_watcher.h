// callback.method=poll and blocking-event: a thread that waits for the events of finished passes, in order of
// issue, and then does the host's work, while the streams continue.
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

namespace olab::cuda {

class EventWatcher {
public:
    using Done = void (*)(void* data);
    EventWatcher(experiment::CallbackMethod method, const Devices& devices);
    ~EventWatcher(); ///< abandons what is still awaited

    /// Records an event after the work in the stream; `done(data)` runs on the watcher's thread once it is
    /// reached. The device of `at` must be current. Any thread.
    cudaError_t watch(Calls& calls, StreamAt at, Done done, void* data);
    /// Waits until all are done. @throws Error if a device failed; returns early on a stop
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

    experiment::CallbackMethod m_method;
    const Devices& m_devices;
    std::mutex m_mutex; ///< never held across a CUDA call
    std::condition_variable_any m_changed;
    std::deque<Item> m_items;
    std::vector<std::vector<EventHandle>> m_free; ///< per device
    bool m_busy = false;
    std::exception_ptr m_failure;
    std::jthread m_thread; ///< last: it uses all of the above
};

} // namespace olab::cuda
