#include "host_functions.h"

#include "clock.h"

#include <algorithm>
#include <map>
#include <unistd.h>

namespace olab::cuda {
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
