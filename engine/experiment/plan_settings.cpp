#include "plan_parts.h"

#include <olab/experiment/option_table.h>

namespace olab::experiment::detail {
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
    for (const OptionRow& row : optionTable())
        if (row.lower)
            row.lower(e, schedule);
    schedule.process.environment = environmentOf(e);
}

} // namespace olab::experiment::detail
