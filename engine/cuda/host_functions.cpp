#include "host_functions.h"

#include "clock.h"

#include <sys/eventfd.h>
#include <unistd.h>

namespace olab {

HostFunctions::HostFunctions(std::size_t count)
    : m_slots(count)
    , m_event(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    m_warmup.owner = this;
}

HostFunctions::~HostFunctions() {
    if (m_event >= 0)
        close(m_event);
}

void CUDART_CB HostFunctions::ran(void* data) {
    Slot& slot = *static_cast<Slot*>(data);
    slot.begin = traceNow();
    slot.thread = static_cast<std::uint32_t>(gettid());
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t signalled = write(slot.owner->m_event, &one, sizeof one);
    slot.end = traceNow();
}

void HostFunctions::launch(OpId op, cudaStream_t stream) {
    Slot& slot = op == kNoOp ? m_warmup : m_slots.at(m_used++);
    slot.owner = this;
    slot.op = op;
    check(cudaLaunchHostFunc(stream, ran, &slot), "enqueue a host function");
}

void HostFunctions::clear() {
    m_used = 0;
}

void HostFunctions::handOver(RecordSink& out) const {
    for (std::size_t i = 0; i < m_used; ++i) {
        const Slot& slot = m_slots[i];
        if (slot.begin == 0)
            continue; // never ran: analysis misses it by the expected count
        ActivityRecord a;
        a.cls = ActivityClass::HostFn;
        a.begin = slot.begin;
        a.end = slot.end;
        a.thread = slot.thread;
        a.op = slot.op;
        a.name = "host function";
        out.add(a);
    }
}

} // namespace olab
