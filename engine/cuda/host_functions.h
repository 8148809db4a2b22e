// Notifies the host that a pass is done, and does the host's work.
#pragma once

#include "calls.h"
#include "handles.h"

#include <olab/cupti/collector.h>
#include <olab/experiment/schedule.h>
#include <olab/trace/records.h>
#include <olab/trace/types.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace olab::cuda {

/// How an issuing thread is notified of finished passes. CUDA's host-function threads may post at any time
/// and must not wait, so there is no lock: posts go into slots of a fixed array, an eventfd wakes the reader.
class Mailbox {
public:
    /// Room for `capacity` posts in total.
    explicit Mailbox(std::size_t capacity);
    ~Mailbox();
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    /// Any thread; never waits.
    void post(OpId op) noexcept;
    enum class Wake : std::uint8_t { Post, Time, Stop };
    /// The next post, in order of arrival. One thread only. Time: nothing arrived for `patience`.
    Wake take(OpId& op, Ns patience, const std::stop_token& stop);

private:
    bool takeNow(OpId& op);
    std::size_t m_capacity;
    std::unique_ptr<std::atomic<std::uint32_t>[]> m_posts;
    std::atomic<std::size_t> m_posted{0};
    std::size_t m_taken = 0;
    int m_event = -1;
};

/// callback.method=poll and blocking-event: a thread that waits for the events of finished passes, in order
/// of issue, and then does the host's work, while the streams continue.
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

/// Notifies the host that a pass is done, and does the host's work: by a function on a CUDA thread, or by an
/// event watched by our own thread. Each op has its own slot; the functions take no locks and make no CUDA
/// call.
class HostFunctions {
public:
    /// Room for those of the window; all of the warm-up share one extra slot.
    HostFunctions(const experiment::Schedule& schedule, Calls& calls, const Devices& devices);
    HostFunctions(const HostFunctions&) = delete;
    HostFunctions& operator=(const HostFunctions&) = delete;

    /// Enqueues the host function of `op` (id kNoOp: warm-up). The device of `at` must be current. Any
    /// thread.
    cudaError_t launch(const experiment::Op& op, StreamAt at);
    /// Waits for those that do not block their stream. Call with the devices idle.
    void finish(const std::stop_token& stop);
    /// Receives the reports of finished work that `thread` issued.
    Mailbox& mailbox(std::int32_t thread) { return *m_mailboxes[static_cast<std::size_t>(thread)]; }
    /// Outputs those that ran, each with its stream. `callOf`: the correlation of the issuing call, 0: not
    /// known; `numbersOf`: the numbers of a stream in records. Call with the devices idle, after finish().
    using CallOf = std::function<std::uint32_t(OpId op)>;
    using NumbersOf = std::function<cupti::StreamNumbers(StreamAt at)>;
    void handOver(RecordSink& out, const CallOf& callOf, const NumbersOf& numbersOf) const;

private:
    struct Slot {
        OpId op = kNoOp;
        Mailbox* mailbox = nullptr;
        Ns work = 0; ///< host work to do
        Ns begin = 0, end = 0;
        std::uint32_t thread = 0;
        experiment::CallbackMethod method{};
        StreamAt at{};
    };
    static void CUDART_CB ran(void* slot);
    static void CUDART_CB called(cudaStream_t, cudaError_t, void* slot);
    Slot& slotOf(const experiment::Op& op);

    Calls& m_calls;
    std::vector<std::unique_ptr<Mailbox>> m_mailboxes; ///< per issuing thread
    std::vector<Slot> m_slots; ///< in order of their ops; never resized: CUDA holds pointers into it
    Slot m_warmup;
    std::optional<EventWatcher> m_watcher; ///< last: its thread uses the slots
};

} // namespace olab::cuda
