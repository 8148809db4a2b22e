#include "report/held_waits.h"

#include <olab/analysis/cause_table.h>

#include "facts/sums.h"

namespace olab::analysis {
namespace {

using ByClass = std::array<Ns, kDeviceClassCount>;

void addWait(ByClass& by, const DeviceFacts& device, const ExplainedWait& wait, const Trace& trace) {
    const Blame blame = causeRow(wait.cause).blames;
    if (blame == Blame::Meanwhile)
        for (std::size_t cls = 0; cls < kDeviceClassCount; ++cls)
            addCapped(by[cls], device.coverage[cls].measure({wait.time.begin, wait.time.begin + wait.held}));
    else if (blame == Blame::Blocker && wait.blocker != kNoActivity && isDeviceClass(trace.cls(wait.blocker)))
        addCapped(by[static_cast<std::size_t>(trace.cls(wait.blocker))], wait.held);
}

} // namespace

std::vector<BlockedTimes> blockedTimes(const Facts& facts, const ExplainedWaits& waits) {
    std::vector<BlockedTimes> times;
    for (const DeviceFacts& device : facts.perDevice()) {
        times.push_back(device.blocked);
        times.back().by = device.blocked.stretchedBy;
    }
    const Trace& trace = facts.trace();
    for (std::size_t n = 0; n < waits.size(); ++n) {
        const ExplainedWait wait = waits[n];
        const std::uint8_t device = trace.device(wait.op);
        addWait(times[device].by[static_cast<std::size_t>(trace.cls(wait.op))], facts.perDevice()[device],
                wait, trace);
    }
    return times;
}

} // namespace olab::analysis
