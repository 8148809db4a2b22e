#include "calls.h"

#include <algorithm>
#include <array>
#include <utility>

namespace olab::sim {
namespace {

struct CallRow {
    Ns DeviceModel::*cost;
    std::uint32_t DeviceModel::*waits; ///< null: never
};

/// In the order of Interfere; those that leave an activity are not here.
constexpr std::array<CallRow, 9> kCallRows{{
    {&DeviceModel::callGetLastError, nullptr}, // None: there is no call
    {&DeviceModel::callGetLastError, nullptr},
    {&DeviceModel::callQuery, nullptr},
    {&DeviceModel::callMalloc, &DeviceModel::mallocWaits},
    {&DeviceModel::callFree, &DeviceModel::freeWaits},
    {&DeviceModel::callMallocHost, &DeviceModel::mallocHostWaits},
    {&DeviceModel::callFreeHost, &DeviceModel::freeHostWaits},
    {&DeviceModel::callHostRegister, &DeviceModel::hostRegisterWaits},
    {&DeviceModel::callMallocAsync, nullptr},
}};

const CallRow& rowOf(const Context& context) {
    return kCallRows[static_cast<std::size_t>(context.program.interfere) % kCallRows.size()];
}

/// Loading is lazy unless requested otherwise.
bool loadsLazily(const Context& context, const SimOp& op) {
    return op.kind == experiment::OpKind::InterfereKernel &&
           context.program.process.moduleLoading != experiment::ModuleLoading::Eager;
}

Ns copyCost(const DeviceModel& m, const SimOp& op) {
    const Ns inlineStaging =
        op.pageable && op.hold == Hold::No ? transferTime(op.bytes, m.h2dPageableRate) : 0;
    return (op.hold == Hold::Staged ? m.pageableSetup : m.issueCopy) + inlineStaging;
}

Ns costOf(const Context& context, const SimOp& op) {
    const DeviceModel& m = context.model;
    switch (op.kind) {
    case experiment::OpKind::CopyH2D:
    case experiment::OpKind::CopyD2H:
    case experiment::OpKind::FillCopy:
    case experiment::OpKind::PeerCopy:
    case experiment::OpKind::InterfereCopy:
        return copyCost(m, op);
    case experiment::OpKind::Memset:
    case experiment::OpKind::NullMemset:
    case experiment::OpKind::InterfereMemset:
        return op.bytes <= kSmallMemset ? m.issueSmallMemset : m.issueMemset;
    case experiment::OpKind::Kernel:
    case experiment::OpKind::NullKernel:
    case experiment::OpKind::FillKernel:
        return m.issueKernel;
    case experiment::OpKind::InterfereKernel:
        return m.issueKernel + (loadsLazily(context, op) ? m.lazyLoad : 0);
    case experiment::OpKind::HostFn:
        return op.unit == Unit::Nothing ? m.issueEvent : m.issueHostFn;
    case experiment::OpKind::InterfereCall:
        return m.*rowOf(context).cost;
    case experiment::OpKind::HostWork:
        return op.bytes;
    case experiment::OpKind::NullEvent:
    case experiment::OpKind::EventRecord:
    case experiment::OpKind::EventWait:
    case experiment::OpKind::HostSync:
        break;
    }
    return m.issueEvent;
}

} // namespace

Ns callCost(const Context& context, const SimOp& op) {
    const bool driver = context.program.api == experiment::Api::Driver && !isHostOnly(op.kind);
    return costOf(context, op) + (driver ? context.model.driverCall : 0);
}

bool waitsForDevice(const Context& context, const SimOp& op) {
    if (op.kind != experiment::OpKind::InterfereCall)
        return loadsLazily(context, op);
    const auto waits = rowOf(context).waits;
    return waits && context.model.*waits != 0;
}

bool flushes(const Context& context, const SimOp& op) {
    if (op.kind == experiment::OpKind::InterfereCall)
        return context.program.interfere == experiment::Interfere::StreamQuery || waitsForDevice(context, op);
    return op.hold != Hold::No || (op.kind == experiment::OpKind::HostFn && op.unit == Unit::Nothing);
}

Ns Submitter::issue(std::uint32_t op) {
    if (!batches()) {
        m_streams.enqueue(op);
        return 0;
    }
    m_batch.push_back(op);
    const DeviceModel& model = m_context.model;
    if (m_batch.size() >= std::max(model.wddmBatchOps, 1u) || m_streams.unfinished() == 0)
        return flush();
    if (m_batch.size() == 1)
        m_context.events.at(m_context.now() + model.wddmBatchAge, EventKind::BatchTimer, 0, m_generation);
    return 0;
}

Ns Submitter::flush() {
    if (m_batch.empty())
        return 0;
    ++m_generation;
    for (const std::uint32_t op : std::exchange(m_batch, {})) {
        m_context.op(op).issued = m_context.now();
        m_streams.enqueue(op);
    }
    return m_context.latency(m_context.model.wddmSubmit);
}

void Submitter::timer(std::uint32_t generation) {
    if (generation == m_generation)
        flush(); // a system thread, not the host's
}

void Submitter::idle() {
    if (m_streams.unfinished() == 0)
        flush();
}

} // namespace olab::sim
