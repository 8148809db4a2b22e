#include "op_list.h"

#include <algorithm>

namespace olab::experiment::detail {
namespace {

/// Run alone to learn how long it takes; a first launch cannot be repeated.
bool hasSolo(OpKind kind) {
    return runsOnDevice(kind) && kind != OpKind::InterfereKernel;
}

} // namespace

bool runsOnDevice(OpKind kind) {
    const auto cls = classOf(kind);
    return cls && isDeviceClass(*cls);
}

OpList::OpList(const Experiment& experiment, Schedule& schedule, Ops ops)
    : m_schedule(schedule)
    , m_counts(ops == Ops::Count) {
    const auto waysOf = [this](OpKind kind) -> Ways& { return m_ways[static_cast<std::size_t>(kind)]; };
    waysOf(OpKind::CopyH2D).memory = experiment.h2dMemory;
    waysOf(OpKind::CopyD2H).memory = experiment.d2hMemory;
    waysOf(OpKind::HostFn).callback = experiment.callbackMethod;
    waysOf(OpKind::HostSync).sync = experiment.sync;
}

void OpList::push(Op op) {
    op.id = m_warmup ? kNoOp : nextId();
    m_made += m_warmup ? 0 : 1;
    if (m_counts)
        return;
    const Ways& ways = m_ways[static_cast<std::size_t>(op.kind)];
    op.memory = ways.memory;
    op.callback = ways.callback;
    op.sync = ways.sync;
    op.solo = soloOf({op.kind, op.bytes, op.memory});
    (m_warmup ? m_schedule.warmup : m_schedule.ops).push_back(op);
}

void OpList::openUnit(std::int32_t thread, OpId awaits) {
    if (m_warmup)
        return;
    closeUnit();
    m_unit = {m_made, 0, thread, awaits};
}

void OpList::closeUnit() {
    m_unit.count = m_made - m_unit.first;
    if (m_unit.count > 0)
        m_schedule.units.push_back(m_unit);
}

void OpList::beginWarmup() {
    m_warmup = true;
}

/// There are at most as many solos as kinds, so a linear search is cheap.
std::uint32_t OpList::soloOf(const SoloOp& solo) {
    if (!hasSolo(solo.kind))
        return kNoNumber;
    auto& solos = m_schedule.solos;
    const auto found = std::ranges::find_if(
        solos, [&](const SoloOp& s) { return s.kind == solo.kind && s.bytes == solo.bytes; });
    const auto index = static_cast<std::uint32_t>(found - solos.begin());
    if (found == solos.end())
        solos.push_back(solo);
    return index;
}

} // namespace olab::experiment::detail
