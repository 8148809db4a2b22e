#include "program.h"

#include <olab/experiment/plan.h>

#include <algorithm>

namespace olab::code {
namespace {

constexpr std::int64_t kQueueSurelyHolds = 800; // ops; beyond that an issuing call may wait for room

bool startGate(Experiment few) {
    few.iterations = std::min(few.iterations, 2);
    return plan(few, 2).useGate && !few.launchBlocking;
}

bool pageable(const Experiment& e) {
    return (e.h2d && e.h2dMemory == HostMemory::Pageable) || (e.d2h && e.d2hMemory == HostMemory::Pageable);
}

bool harmless(Interfere call) {
    return call == Interfere::None || call == Interfere::GetLastError || call == Interfere::StreamQuery;
}

bool manyOps(const Experiment& e) {
    constexpr std::int64_t kStepsAtMost = 6;
    return e.submit == Submit::Stream && kStepsAtMost * e.streams * e.iterations > kQueueSurelyHolds;
}

} // namespace

Program::Program(const Experiment& experiment)
    : e(experiment)
    , copiesIn(e.h2d && !usedInPlace(e.h2dMemory))
    , copiesOut(e.d2h && !usedInPlace(e.d2hMemory))
    , readsInPlace(e.h2d && usedInPlace(e.h2dMemory))
    , writesInPlace(e.d2h && usedInPlace(e.d2hMemory))
    , toConstant(copiesIn && e.h2dTarget == CopyTarget::Constant)
    , byPass(e.order == IssueOrder::Depth || e.issue == IssueMode::OnCallback ||
             e.issueThreads == IssueThreads::PerStream)
    , perStream(e.issueThreads == IssueThreads::PerStream)
    , onCallback(e.issue == IssueMode::OnCallback)
    , driver(e.api == Api::Driver)
    , allDevices(e.devices == DeviceUse::All)
    , manyPasses((byPass ? std::int64_t{e.streams} * e.iterations : e.iterations) > 1)
    , nullOp(manyPasses && e.nullOp != NullOp::Off)
    , interferes(manyPasses && e.interfere != Interfere::None)
    , hasPieces(interferes && (e.interfere == Interfere::Free || e.interfere == Interfere::FreeHost ||
                               e.interfere == Interfere::HostRegister))
    , watches(e.callback && watchesEvent(e.callbackMethod))
    , gate(startGate(e))
    , opensEarly(gate && (pageable(e) || !harmless(e.interfere) || manyOps(e) || e.warmup == 0))
    , graph(e.submit == Submit::Graph)
    , fill(e.memset && e.memsetMethod == MemsetMethod::Kernel)
    , inputs(e.kernel && (e.h2d || e.memset))
    , outputs(e.kernel && e.d2h) {}

std::string Program::kernelStream() const {
    switch (e.kernelStream) {
    case KernelStream::Null:
        return "cudaStreamLegacy";
    case KernelStream::Other:
        return allDevices ? "pipelines[p.number / streams * streams + (p.number + 1) % streams].stream"
                          : "pipelines[(p.number + 1) % streams].stream";
    case KernelStream::Own:
        break;
    }
    return "p.stream";
}

std::string Program::constantSlice() const {
    const std::int64_t largest = std::max(e.h2dBytes, e.h2dFirstBytes);
    return bytesText((largest + kConstantUnit - 1) / kConstantUnit * kConstantUnit);
}

bool Program::usesNullStream() const {
    return nullOp || (e.kernel && e.kernelStream == KernelStream::Null) ||
           (interferes && (e.interfere == Interfere::MemsetSync || e.interfere == Interfere::D2d));
}

std::string bytesText(std::int64_t bytes) {
    const bool isLarge = bytes >> 31 != 0; // more than an int holds
    const auto number = [isLarge](std::int64_t n) {
        return isLarge ? "size_t(" + std::to_string(n) + ")" : std::to_string(n);
    };
    for (const int shift : {30, 20, 10})
        if (bytes >= (std::int64_t{1} << shift) && bytes % (std::int64_t{1} << shift) == 0)
            return number(bytes >> shift) + " << " + std::to_string(shift);
    return std::to_string(bytes);
}

} // namespace olab::code
