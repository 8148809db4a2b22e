#include "host_functions.h"

#include "clock.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>

namespace olab::cuda {
namespace {

constexpr Ns kSlice = 20'000'000; // how long a stop may go unnoticed

} // namespace

Mailbox::Mailbox(std::size_t capacity)
    : m_capacity(capacity)
    , m_posts(std::make_unique<std::atomic<std::uint32_t>[]>(capacity))
    , m_event(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    for (std::size_t i = 0; i < capacity; ++i)
        m_posts[i].store(kNoOp.value, std::memory_order_relaxed);
}

Mailbox::~Mailbox() {
    if (m_event >= 0)
        close(m_event);
}

void Mailbox::post(OpId op) noexcept {
    const std::size_t place = m_posted.fetch_add(1, std::memory_order_relaxed);
    if (place >= m_capacity)
        return;
    m_posts[place].store(op.value, std::memory_order_release);
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(m_event, &one, sizeof one);
}

bool Mailbox::takeNow(OpId& op) {
    if (m_taken >= m_capacity)
        return false;
    op.value = m_posts[m_taken].load(std::memory_order_acquire);
    if (op == kNoOp)
        return false;
    ++m_taken;
    return true;
}

// A wake-up that finds nothing (an earlier one took it) just checks again.
Mailbox::Wake Mailbox::take(OpId& op, Ns patience, const std::stop_token& stop) {
    const Ns until = steadyNow() + patience;
    while (!takeNow(op)) {
        if (stop.stop_requested())
            return Wake::Stop;
        const Ns left = until - steadyNow();
        if (left <= 0)
            return Wake::Time;
        pollfd waiting{m_event, POLLIN, 0};
        poll(&waiting, 1, static_cast<int>(std::min(left, kSlice) / 1'000'000 + 1));
        std::uint64_t count = 0;
        [[maybe_unused]] const ssize_t got = read(m_event, &count, sizeof count);
    }
    return Wake::Post;
}

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

namespace {

/// Work, not sleep: it occupies its thread, as a user's function would.
void work(Ns length) {
    for (const Ns until = steadyNow() + length; steadyNow() < until;)
        ;
}

} // namespace

HostFunctions::HostFunctions(const experiment::Schedule& schedule, Calls& calls, const Devices& devices)
    : m_calls(calls) {
    std::vector<std::size_t> counts(static_cast<std::size_t>(schedule.threads), 0);
    const Ns each = schedule.hostWork;
    std::vector<std::pair<OpId, std::size_t>> found; // with the issuing thread
    for (const experiment::IssueUnit& unit : schedule.units)
        for (std::uint32_t i = unit.first; i < unit.first + unit.count; ++i)
            if (schedule.ops[i].kind == experiment::OpKind::HostFn) {
                found.emplace_back(OpId{i}, static_cast<std::size_t>(unit.thread));
                ++counts[found.back().second];
            }
    for (const std::size_t count : counts)
        m_mailboxes.push_back(std::make_unique<Mailbox>(count));
    std::sort(found.begin(), found.end());
    for (const auto& [op, thread] : found)
        m_slots.push_back(
            {op, m_mailboxes[thread].get(), each + schedule.ops[op.value].bytes, 0, 0, 0, {}, {}});
    m_warmup.work = each;
    const auto watched = std::ranges::find_if(schedule.ops, experiment::leavesStreamFree);
    if (watched != schedule.ops.end())
        m_watcher.emplace(watched->callback, devices);
}

void CUDART_CB HostFunctions::ran(void* data) {
    Slot& slot = *static_cast<Slot*>(data);
    slot.begin = traceNow();
    slot.thread = static_cast<std::uint32_t>(gettid());
    work(slot.work);
    slot.end = traceNow();
    if (slot.mailbox)
        slot.mailbox->post(slot.op);
}

// Also called with an error once the context has failed: the next call of an issuing thread reports it.
void CUDART_CB HostFunctions::called(cudaStream_t, cudaError_t, void* slot) {
    ran(slot);
}

HostFunctions::Slot& HostFunctions::slotOf(const experiment::Op& op) {
    if (op.id == kNoOp)
        return m_warmup;
    return *std::lower_bound(m_slots.begin(), m_slots.end(), op.id,
                             [](const Slot& slot, OpId id) { return slot.op < id; });
}

cudaError_t HostFunctions::launch(const experiment::Op& op, StreamAt at) {
    Slot& slot = slotOf(op);
    slot.method = op.callback;
    slot.at = at;
    switch (op.callback) {
    case experiment::CallbackMethod::HostFn:
        return m_calls.hostFunction(ran, &slot, at);
    case experiment::CallbackMethod::StreamCallback:
        return m_calls.callback(called, &slot, at);
    case experiment::CallbackMethod::Poll:
    case experiment::CallbackMethod::BlockingEvent:
        break;
    }
    return m_watcher->watch(m_calls, at, ran, &slot);
}

void HostFunctions::finish(const std::stop_token& stop) {
    if (m_watcher)
        m_watcher->finish(stop);
}

void HostFunctions::handOver(RecordSink& out, const CallOf& callOf, const NumbersOf& numbersOf) const {
    const TextId name = out.intern("host function");
    std::map<std::pair<std::int32_t, cudaStream_t>, cupti::StreamNumbers> known;
    for (const Slot& slot : m_slots) {
        if (slot.begin == 0)
            continue; // never ran: analysis notices by the expected count
        ActivityRecord a;
        a.cls = ActivityClass::HostFn;
        a.begin = slot.begin;
        a.end = slot.end;
        a.thread = slot.thread;
        a.op = slot.op;
        a.name = name;
        a.correlation = callOf(slot.op);
        out.add(a);
        // One that watches an event is in no stream; CUPTI's record of the event says what its call did.
        if (a.correlation == 0 || experiment::watchesEvent(slot.method))
            continue;
        const auto [at, isNew] = known.try_emplace({slot.at.device, slot.at.stream});
        if (isNew)
            at->second = numbersOf(slot.at);
        out.add(StreamCallRecord{StreamCallKind::HostFunction, a.correlation, at->second.context,
                                 at->second.stream});
    }
}

} // namespace olab::cuda
