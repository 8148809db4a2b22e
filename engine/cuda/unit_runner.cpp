#include "unit_runner.h"

namespace olab::cuda {
namespace {

constexpr Ns kPatience = 1'000'000'000; // without a report, before the device is checked for errors

} // namespace

UnitRunner::UnitRunner(const RunParts& parts, std::int32_t thread, std::stop_token stop,
                       std::function<void()> beforeWaiting, std::function<void()> between)
    : m_parts(parts)
    , m_thread(thread)
    , m_stop(stop)
    , m_beforeWaiting(std::move(beforeWaiting))
    , m_between(std::move(between))
    , m_issuer(parts, thread, std::move(stop)) {
    for (const experiment::IssueUnit& unit : parts.schedule.units) {
        if (unit.thread != thread)
            continue;
        m_units.push_back(&unit);
        if (unit.awaits != kNoOp)
            m_unitAwaiting.emplace(unit.awaits.value, &unit);
    }
}

void UnitRunner::run() {
    for (std::size_t i = 0; i < m_units.size();) {
        if (m_units[i]->awaits != kNoOp)
            i = react(i);
        else
            issue(*m_units[i++]);
    }
    noteWaiting();
}

/// Units that await callbacks are independent: takes them in the order of the reports.
std::size_t UnitRunner::react(std::size_t first) {
    std::size_t end = first;
    while (end < m_units.size() && m_units[end]->awaits != kNoOp)
        ++end;
    for (std::size_t left = end - first; left > 0;) {
        const auto found = m_unitAwaiting.find(nextReport().value);
        if (found == m_unitAwaiting.end())
            continue; // a last pass, without a successor
        issue(*found->second);
        --left;
    }
    return end;
}

OpId UnitRunner::nextReport() {
    Mailbox& mailbox = m_parts.functions.mailbox(m_thread);
    for (OpId op;;) {
        switch (mailbox.take(op, kPatience, m_stop)) {
        case Mailbox::Wake::Post:
            return op;
        case Mailbox::Wake::Time:
            throwIfDeviceFailed(); // if so, no callback will ever come
            break;
        case Mailbox::Wake::Stop:
            throwIfStopped();
        }
    }
}

void UnitRunner::throwIfDeviceFailed() const {
    const auto stream = m_parts.pipelines[static_cast<std::size_t>(m_thread)].stream.get();
    const cudaError_t status = cudaStreamQuery(stream);
    if (status != cudaErrorNotReady)
        check(status, "wait for a callback");
}

void UnitRunner::throwIfStopped() const {
    if (m_stop.stop_requested())
        throw Error(ErrorKind::Cancelled, "cancelled", "Cancelled.");
}

void UnitRunner::noteWaiting() {
    if (!m_waiting && m_beforeWaiting)
        m_beforeWaiting();
    m_waiting = true;
}

void UnitRunner::issue(const experiment::IssueUnit& unit) {
    for (std::uint32_t i = unit.first; i < unit.first + unit.count; ++i) {
        throwIfStopped();
        const experiment::Op& op = m_parts.schedule.ops[i];
        if (op.kind == experiment::OpKind::HostSync)
            noteWaiting();
        m_issuer.issue(op, op.id, KernelUse::Window);
    }
    if (m_between)
        m_between();
}

} // namespace olab::cuda
