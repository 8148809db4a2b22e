#include "host_threads.h"

#include "calls.h"

#include <algorithm>
#include <utility>

namespace olab::sim {

HostThreads::HostThreads(Context& context, StreamSet& streams, Submitter& submitter, DriverLock& lock)
    : m_context(context)
    , m_streams(streams)
    , m_submitter(submitter)
    , m_lock(lock)
    , m_threads(context.program.threads)
    , m_taken(context.program.units.size(), false)
    , m_targets(context.program.streams.size())
    , m_running(context.program.threads)
    , m_end(context.now()) {
    const Program& program = context.program;
    for (std::uint32_t i = 0; i < program.units.size(); ++i) {
        const experiment::IssueUnit& unit = program.units[i];
        m_threads[static_cast<std::size_t>(unit.thread)].units.push_back(i);
        if (unit.awaits == kNoOp)
            continue;
        m_unitFreedBy.resize(program.ops.size(), kNone);
        m_unitFreedBy[unit.awaits.value] = i;
    }
}

void HostThreads::start() {
    for (std::uint32_t thread = 0; thread < m_threads.size(); ++thread)
        m_context.events.at(m_context.now(), EventKind::HostStep, thread);
}

/// Picks the unit that has been ready longest: one that awaits nothing is ready when all before it are
/// issued. @returns whether there is one
bool HostThreads::takeUnit(std::uint32_t index) {
    Thread& thread = m_threads[index];
    while (thread.frontier < thread.units.size() && m_taken[thread.units[thread.frontier]])
        ++thread.frontier;
    if (thread.frontier == thread.units.size()) {
        stop();
        return false;
    }
    std::uint32_t unit = thread.units[thread.frontier];
    if (m_context.program.units[unit].awaits != kNoOp) {
        if (thread.freed.empty()) {
            block(index, Block::Unit);
            return false;
        }
        unit = thread.freed.front();
        thread.freed.pop_front();
    }
    m_taken[unit] = true;
    thread.op = m_context.program.units[unit].first;
    thread.last = thread.op + m_context.program.units[unit].count;
    return true;
}

void HostThreads::stop() {
    --m_running;
    m_end = std::max(m_end, m_context.now());
    m_submitter.flush(); // a schedule without a final wait: a single op
    openGateWhenAllIssued();
}

void HostThreads::step(std::uint32_t index) {
    Thread& thread = m_threads[index];
    while (thread.op == thread.last ||
           (m_graphLaunched && current(index).kind != experiment::OpKind::HostSync)) {
        if (thread.op != thread.last)
            ++thread.op;
        else if (!takeUnit(index))
            return;
    }
    if (!thread.rested)
        current(index).apiBegin = m_context.now();
    if (current(index).kind == experiment::OpKind::HostSync)
        sync(index);
    else if (m_lock.acquire(index))
        call(index);
}

void HostThreads::lockGranted(std::uint32_t thread) {
    call(thread);
}

/// With the lock held.
void HostThreads::call(std::uint32_t index) {
    Thread& thread = m_threads[index];
    SimOp& op = current(index);
    if (!isHostOnly(op.kind) && m_streams.ringFull(op.stream)) {
        m_lock.release();
        return block(index, Block::Ring);
    }
    if (!thread.rested && waitsForDevice(m_context, op)) {
        m_lock.release();
        thread.rested = true;
        return waitForDevice(index, op.device);
    }
    Ns cost = m_context.program.graph ? m_context.model.graphLaunch : callCost(m_context, op);
    if (!isHostOnly(op.kind) && std::exchange(m_lastStream, op.stream) != op.stream)
        cost += m_context.model.streamSwitch;
    thread.block = Block::No;
    const Ns time = op.kind == experiment::OpKind::HostWork ? cost : m_context.latency(cost);
    m_context.events.at(m_context.now() + time, EventKind::HostEnqueue, index);
}

void HostThreads::enqueue(std::uint32_t index) {
    SimOp& op = current(index);
    if (op.kind == experiment::OpKind::HostSync) // its event is recorded
        return wait(index);
    if (m_context.program.graph)
        return launchNext(index);
    m_lock.release();
    op.issued = m_context.now();
    Ns extra = 0;
    if (op.unit == Unit::Worker)
        ++m_functions;
    if (!isHostOnly(op.kind))
        extra = m_submitter.issue(m_threads[index].op);
    if (flushes(m_context, op))
        extra += m_submitter.flush();
    if (op.kind == experiment::OpKind::HostFn && op.unit == Unit::Nothing)
        m_watch(m_threads[index].op);
    if (op.hold != Hold::No)
        block(index, Block::Copy);
    else
        returnAt(index, m_context.now() + extra);
}

/// Submits one node of the graph: the device determines the order, and starts while the call continues.
void HostThreads::launchNext(std::uint32_t index) {
    Program& program = m_context.program;
    if (m_launched == 0)
        program.launchBegin = m_context.op(0).apiBegin;
    const auto count = static_cast<std::uint32_t>(program.ops.size());
    while (m_launched < count && m_context.op(m_launched).kind == experiment::OpKind::HostSync)
        ++m_launched;
    if (m_launched < count) {
        SimOp& op = m_context.op(m_launched);
        op.apiBegin = program.launchBegin;
        op.issued = op.apiEnd = m_context.now();
        m_functions += op.unit == Unit::Worker ? 1 : 0;
        m_submitter.issue(m_launched++);
        const Ns next = m_context.now() + m_context.model.graphLaunchPerNode;
        return m_context.events.at(next, EventKind::HostEnqueue, index);
    }
    m_graphLaunched = true;
    program.launchEnd = m_context.now();
    for (SimOp& op : program.ops)
        if (op.kind != experiment::OpKind::HostSync)
            op.apiEnd = program.launchEnd;
    m_lock.release();
    m_submitter.flush();
    returnAt(index, m_context.now());
}

void HostThreads::block(std::uint32_t index, Block why) {
    m_threads[index].block = why;
    if (why == Block::Ring) {
        ++m_atRing;
        m_submitter.flush();
    }
    if (m_streams.gateClosed() && why != Block::Gate && why != Block::Unit)
        m_context.events.at(current(index).apiBegin + kGatePatience, EventKind::GateTimer,
                            m_threads[index].op);
}

void HostThreads::gateTimer(std::uint32_t op) {
    const Thread& thread = m_threads[m_context.op(op).thread];
    const bool blocks =
        thread.block != Block::No && thread.block != Block::Unit && thread.block != Block::Gate;
    if (!blocks || thread.op != op || !m_streams.gateClosed())
        return;
    m_gateOpenedAtOp = op;
    openGate();
}

void HostThreads::dispatched(std::uint32_t op) {
    const std::uint32_t stream = m_context.op(op).stream;
    for (std::uint32_t index = 0; m_atRing > 0 && index < m_threads.size(); ++index) {
        Thread& thread = m_threads[index];
        if (thread.block != Block::Ring || current(index).stream != stream)
            continue;
        thread.block = Block::No;
        --m_atRing;
        if (m_lock.acquire(index))
            call(index);
    }
}

void HostThreads::staged(std::uint32_t op) {
    const std::uint32_t index = m_context.op(op).thread;
    if (m_threads[index].block == Block::Copy && m_threads[index].op == op)
        returnAt(index, m_context.now());
}

void HostThreads::done(std::uint32_t op) {
    const SimOp& o = m_context.op(op);
    functionDone(o);
    if (m_threads[o.thread].block == Block::Copy && m_threads[o.thread].op == op) {
        if (o.pageable || m_functions == 0)
            release(o.thread, o.pageable ? m_context.model.pageableReturn : m_context.model.syncWake);
        else
            m_threads[o.thread].block = Block::Functions;
    }
    std::vector<Target>& targets = m_targets[o.stream];
    if (targets.empty())
        return;
    const std::uint64_t doneNow = m_streams.doneIn(o.stream);
    std::vector<std::uint32_t> free;
    std::erase_if(targets, [&](const Target& target) {
        if (target.count > doneNow)
            return false;
        free.push_back(target.thread);
        return true;
    });
    for (const std::uint32_t thread : free)
        if (--m_threads[thread].awaited == 0)
            waited(thread);
}

void HostThreads::release(std::uint32_t thread, Ns wake) {
    returnAt(thread, m_context.now() + m_context.latency(wake));
}

/// A blocking launch returns when everything issued before it is done, including host functions.
void HostThreads::functionDone(const SimOp& op) {
    if (op.unit != Unit::Worker || --m_functions > 0)
        return;
    for (std::uint32_t index = 0; index < m_threads.size(); ++index)
        if (m_threads[index].block == Block::Functions)
            release(index, m_context.model.syncWake);
}

void HostThreads::reported(std::uint32_t op) {
    if (m_unitFreedBy.empty() || m_unitFreedBy[op] == kNone)
        return;
    const std::uint32_t unit = m_unitFreedBy[op];
    const auto index = static_cast<std::uint32_t>(m_context.program.units[unit].thread);
    Thread& thread = m_threads[index];
    thread.freed.push_back(unit);
    if (thread.block != Block::Unit)
        return;
    thread.block = Block::No;
    m_context.events.at(m_context.now() + m_context.latency(m_context.model.dispatchWake),
                        EventKind::HostStep, index);
}

void HostThreads::returnAt(std::uint32_t index, Ns time) {
    Thread& thread = m_threads[index];
    thread.block = Block::No;
    thread.rested = false;
    current(index).apiEnd = time;
    m_end = std::max(m_end, time);
    ++thread.op;
    m_context.events.at(time + m_context.latency(m_context.model.hostGap), EventKind::HostStep, index);
}

/// Everything is issued when every thread is at its final wait, or done.
void HostThreads::sync(std::uint32_t index) {
    if (m_streams.gateClosed()) {
        ++m_atGate;
        block(index, Block::Gate);
        openGateWhenAllIssued();
        return;
    }
    begin(index);
}

void HostThreads::openGateWhenAllIssued() {
    if (m_streams.gateClosed() && m_atGate >= m_running)
        openGate();
}

void HostThreads::openGate() {
    m_streams.openGate();
    for (std::uint32_t index = 0; index < m_threads.size(); ++index)
        if (m_threads[index].block == Block::Gate)
            m_context.events.at(m_context.now(), EventKind::HostStep, index);
}

/// Starts a planned wait: some ways of waiting record an event first.
void HostThreads::begin(std::uint32_t index) {
    m_threads[index].block = Block::Wait;
    if (!experiment::waitsByEvent(current(index).sync))
        return wait(index);
    m_context.events.at(m_context.now() + m_context.latency(m_context.model.issueEvent),
                        EventKind::HostEnqueue, index);
}

void HostThreads::wait(std::uint32_t index) {
    SimOp& op = current(index);
    op.issued = m_context.now();
    if (op.stream == kNone)
        return waitForDevice(index, op.device);
    m_threads[index].block = Block::Wait;
    m_threads[index].waitBegin = m_context.now() + m_submitter.flush();
    m_threads[index].awaited = 1; // so that the wait cannot end before all targets are known
    waitFor(index, op.stream);
    // The legacy stream itself waits for the blocking ones.
    for (std::uint32_t s = 0; m_context.program.isNull(op.stream) && s < m_targets.size(); ++s)
        if (m_context.program.streams[s].kind == StreamKind::Blocking &&
            m_context.program.streams[s].device == op.device)
            waitFor(index, s);
    if (--m_threads[index].awaited == 0)
        waited(index);
}

void HostThreads::waitFor(std::uint32_t index, std::uint32_t stream) {
    const std::uint64_t issued = m_streams.issuedIn(stream);
    if (m_streams.doneIn(stream) == issued)
        return;
    m_targets[stream].push_back({issued, index});
    ++m_threads[index].awaited;
}

void HostThreads::waitForDevice(std::uint32_t index, std::uint32_t device) {
    block(index, Block::Wait);
    m_threads[index].waitBegin = m_context.now() + m_submitter.flush();
    m_threads[index].awaited = 1;
    for (std::uint32_t s = 0; s < m_targets.size(); ++s)
        if (m_context.program.streams[s].device == device)
            waitFor(index, s);
    if (--m_threads[index].awaited == 0)
        waited(index);
}

void HostThreads::waited(std::uint32_t index) {
    const DeviceModel& model = m_context.model;
    const SimOp& op = current(index);
    const Ns begin = m_threads[index].waitBegin, now = std::max(m_context.now(), begin);
    const bool polls = op.kind == experiment::OpKind::HostSync && op.sync == experiment::SyncMode::Poll;
    const Ns wake =
        m_context.now() <= begin ? 0 : m_context.latency(polls ? model.callQuery : model.syncWake);
    if (op.kind == experiment::OpKind::HostSync)
        return returnAt(index, now + std::max(wake, polls ? model.callQuery : model.issueSync));
    m_threads[index].block = Block::No; // a call that needed an idle device continues
    m_context.events.at(now + wake, EventKind::HostStep, index);
}

} // namespace olab::sim
