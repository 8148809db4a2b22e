#include "call_costs.h"

#include <array>

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
    return op.kind == OpKind::InterfereKernel &&
           context.program.process.moduleLoading != ModuleLoading::Eager;
}

Ns copyCost(const DeviceModel& m, const SimOp& op) {
    const Ns inlineStaging =
        op.pageable && op.hold == Hold::No ? transferTime(op.bytes, m.h2dPageableRate) : 0;
    return (op.hold == Hold::Staged ? m.pageableSetup : m.issueCopy) + inlineStaging;
}

Ns costOf(const Context& context, const SimOp& op) {
    const DeviceModel& m = context.model;
    switch (op.kind) {
    case OpKind::CopyH2D:
    case OpKind::CopyD2H:
    case OpKind::FillCopy:
    case OpKind::PeerCopy:
    case OpKind::InterfereCopy:
        return copyCost(m, op);
    case OpKind::Memset:
    case OpKind::NullMemset:
    case OpKind::InterfereMemset:
        return op.bytes <= kSmallMemset ? m.issueSmallMemset : m.issueMemset;
    case OpKind::Kernel:
    case OpKind::NullKernel:
    case OpKind::FillKernel:
        return m.issueKernel;
    case OpKind::InterfereKernel:
        return m.issueKernel + (loadsLazily(context, op) ? m.lazyLoad : 0);
    case OpKind::HostFn:
        return op.unit == Unit::Nothing ? m.issueEvent : m.issueHostFn;
    case OpKind::InterfereCall:
        return m.*rowOf(context).cost;
    case OpKind::HostWork:
        return op.bytes;
    case OpKind::NullEvent:
    case OpKind::EventRecord:
    case OpKind::EventWait:
    case OpKind::HostSync:
        break;
    }
    return m.issueEvent;
}

} // namespace

Ns callCost(const Context& context, const SimOp& op) {
    const bool driver = context.program.api == Api::Driver && !isHostOnly(op.kind);
    return costOf(context, op) + (driver ? context.model.driverCall : 0);
}

bool waitsForDevice(const Context& context, const SimOp& op) {
    if (op.kind != OpKind::InterfereCall)
        return loadsLazily(context, op);
    const auto waits = rowOf(context).waits;
    return waits && context.model.*waits != 0;
}

bool flushes(const Context& context, const SimOp& op) {
    if (op.kind == OpKind::InterfereCall)
        return context.program.interfere == Interfere::StreamQuery || waitsForDevice(context, op);
    return op.hold != Hold::No || (op.kind == OpKind::HostFn && op.unit == Unit::Nothing);
}

} // namespace olab::sim
