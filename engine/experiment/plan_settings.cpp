#include "plan_parts.h"

namespace olab::detail {
namespace {

InPlace inPlace(bool step, HostMemory memory, std::int64_t bytes) {
    if (!step || !usedInPlace(memory))
        return {};
    return {bytes, memory == HostMemory::Managed};
}

} // namespace

PlannedKernel planKernel(const Experiment& e) {
    PlannedKernel kernel;
    kernel.launched = e.kernel;
    kernel.kind = e.kernelKind;
    kernel.duration = e.kernelUs * 1000;
    kernel.blocks = e.kernelBlocks;
    kernel.threads = static_cast<std::uint32_t>(e.kernelThreads);
    kernel.sharedBytes = e.kernelSmem;
    kernel.reads = inPlace(e.h2d, e.h2dMemory, e.h2dBytes);
    kernel.writes = inPlace(e.d2h, e.d2hMemory, e.d2hBytes);
    kernel.fillBytes = e.memsetBytes;
    return kernel;
}

void planSettings(const Experiment& e, Schedule& schedule) {
    schedule.iterations = e.iterations;
    schedule.waitsByEvent = waitsByEvent(e.sync);
    schedule.hostWork = e.callbackUs * 1000;
    schedule.interfere = e.interfere;
    schedule.api = e.api;
    schedule.graph = e.submit == Submit::Graph;
    schedule.warmups = e.warmup;
    schedule.traced = e.trace != TraceMode::Off;
    schedule.firstDevice = e.device;
    schedule.seed = e.seed;
    schedule.process = {e.maxConnections, e.launchBlocking, e.moduleLoading, e.launchQueues};
    schedule.simulator = {e.simDevice, e.simSubmission, {}};
}

} // namespace olab::detail
