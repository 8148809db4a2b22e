#include "plan_size.h"

#include <algorithm>

namespace olab::detail {
namespace {

std::int64_t eventsPerPass(const Experiment& e) {
    switch (e.deps) {
    case Deps::None:
        return 0;
    case Deps::EventChain:
    case Deps::SameStream:
        return 1;
    case Deps::CopyToKernel:
        return 2;
    }
    return 0;
}

std::int64_t stepsPerPass(const Experiment& e) {
    return std::int64_t{copiesIn(e)} + e.memset + e.kernel + copiesOut(e) + e.callback + e.p2p;
}

std::int64_t waitsBeforeD2h(const Experiment& e) {
    return e.syncAt == SyncAt::BeforeD2h && copiesOut(e) ? 1 : 0;
}

/// Waits of one device that stand together: one for all streams, or one each.
std::int64_t waitsAtOnce(const Experiment& e) {
    return e.sync == SyncMode::Device && e.issueThreads == IssueThreads::One ? 1 : e.streams;
}

/// Of one device, beside those before D2H copies.
std::int64_t waits(const Experiment& e) {
    const std::int64_t passes = std::int64_t{e.streams} * e.iterations;
    switch (e.syncEvery) {
    case SyncEvery::End:
        return waitsAtOnce(e);
    case SyncEvery::Iteration:
        return waitsAtOnce(e) * e.iterations;
    case SyncEvery::Op:
        return waitsAtOnce(e) + passes * (stepsPerPass(e) - e.callback);
    }
    return 0;
}

/// One event is missing where the chain begins.
std::int64_t eventOps(const Experiment& e) {
    const std::int64_t all = 2 * eventsPerPass(e) * e.streams * e.iterations;
    return e.deps == Deps::EventChain ? all - e.streams : all;
}

} // namespace

std::int64_t passCount(const Experiment& e) {
    return issuesByPass(e) ? std::int64_t{e.streams} * e.iterations : e.iterations;
}

std::int64_t plannedOps(const Experiment& e, int devices) {
    const std::int64_t pass = stepsPerPass(e) + waitsBeforeD2h(e), passes = passCount(e);
    const std::int64_t device = std::int64_t{e.streams} * e.iterations * pass + eventOps(e) + waits(e);
    const std::int64_t nullOps =
        e.nullOp == NullOp::Off ? 0 : passes * devices - (issuesByPass(e) ? 1 : devices);
    const std::int64_t calls =
        e.interfere == Interfere::None ? 0 : (issuesByPass(e) ? passes * devices : passes) - 1;
    return devices * device + nullOps +
           std::min(calls, e.interfere == Interfere::FirstLaunch ? kFirstLaunchKernels : calls);
}

/// Of all streams together; shared, the largest serves all.
std::int64_t inputBytes(const Experiment& e, bool shared) {
    const std::int64_t first = h2dBytesOf(e, 0);
    return shared ? std::max(first, e.streams > 1 ? e.h2dBytes : 0) : first + e.h2dBytes * (e.streams - 1);
}

BufferBytes bufferBytes(const Experiment& e, int devices) {
    const std::int64_t pipelines = std::int64_t{e.streams} * devices;
    const std::int64_t sets = e.buffers == BufferUse::Shared ? devices : pipelines;
    BufferBytes sum;
    if (e.h2d) {
        sum.host += inputBytes(e, false) * devices;
        sum.device += copiesIn(e) && e.h2dTarget == CopyTarget::Global
                          ? inputBytes(e, e.buffers == BufferUse::Shared) * devices
                          : 0;
    }
    if (e.memset) {
        sum.device += e.memsetBytes * sets;
        sum.device += e.memsetMethod == MemsetMethod::Copy ? e.memsetBytes * devices : 0;
    }
    if (e.d2h) {
        sum.host += e.d2hBytes * pipelines;
        sum.device += copiesOut(e) ? e.d2hBytes * sets : 0;
        sum.device += e.p2p ? e.d2hBytes * pipelines : 0;
    }
    sum.device += e.nullOp == NullOp::Memset ? kNullMemsetBytes * devices : 0;
    return sum;
}

} // namespace olab::detail
