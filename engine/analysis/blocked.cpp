#include "blocked.h"

#include "measure.h"
#include "stretch_finder.h"
#include "sums.h"
#include "wait_finder.h"

namespace olab {
namespace {

using PerClass = std::array<Ns, kDeviceClassCount>;

void addWait(const Facts& facts, const Wait& wait, const DeviceFacts& device, PerClass& by) {
    switch (wait.cause) {
    case WaitCause::SameEngine:
    case WaitCause::FullGrid:
        if (wait.blocker != kNoActivity)
            addCapped(by[static_cast<std::size_t>(facts.trace.cls(wait.blocker))], wait.held);
        break;
    case WaitCause::NullStream:
        for (std::size_t c = 0; c < kDeviceClassCount; ++c)
            addCapped(by[c], device.coverage[c].measure(heldByNullStream(wait)));
        break;
    default: // the op's own stream and the host are in the program's hands, not in the other class's
        break;
    }
}

void findMedians(const Facts& facts, std::vector<BlockedTimes>& times) {
    std::vector<std::array<std::vector<Ns>, kDeviceClassCount>> durations(times.size());
    for (const Wait& w : facts.waits) {
        const Activity a = facts.trace[w.activity];
        durations[a.device][static_cast<std::size_t>(a.cls)].push_back(a.duration());
    }
    for (std::size_t d = 0; d < times.size(); ++d)
        for (std::size_t c = 0; c < kDeviceClassCount; ++c)
            times[d].median[c] = medianOf(durations[d][c]);
}

} // namespace

std::vector<BlockedTimes> blockedTimes(const Facts& facts) {
    std::vector<BlockedTimes> times(facts.perDevice.size());
    for (const Wait& w : facts.waits) {
        const Activity a = facts.trace[w.activity];
        BlockedTimes& t = times[a.device];
        const auto self = static_cast<std::size_t>(a.cls);
        addCapped(t.soloSum[self], facts.solo[w.activity]);
        addWait(facts, w, facts.perDevice[a.device], t.by[self]);
        for (std::size_t c = 0; c < kDeviceClassCount && w.stretched > 0; ++c)
            if (c != self)
                addCapped(t.by[self][c], stretchBy(facts, w, static_cast<ActivityClass>(c)));
    }
    findMedians(facts, times);
    return times;
}

} // namespace olab
