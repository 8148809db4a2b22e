#include "report/held_waits.h"

#include <olab/analysis/cause_table.h>

#include "facts/sums.h"

#include <olab/trace/trace.h>

#include <algorithm>
#include <limits>

namespace olab::analysis {
namespace {

using ByClass = std::array<Ns, kDeviceClassCount>;

/// The part of the wait that the cause explains, within `time`.
Interval heldIn(Interval time, const ExplainedWait& wait) {
    const Ns begin = std::clamp(wait.time.begin, time.begin, time.end);
    return {begin, std::clamp(wait.time.begin + wait.held, begin, time.end)};
}

void addWait(ByClass& by, const DeviceFacts& device, const ExplainedWait& wait, Interval held,
             const Trace& trace) {
    if (causeRow(wait.cause).blames == Blame::Meanwhile)
        for (std::size_t cls = 0; cls < kDeviceClassCount; ++cls)
            addCapped(by[cls], device.coverage[cls].measure(held));
    else if (wait.blocker != kNoActivity && isDeviceClass(trace.cls(wait.blocker)))
        addCapped(by[static_cast<std::size_t>(trace.cls(wait.blocker))], held.length());
}

/// By cause, because it is read for each wait.
std::array<Blame, kLossCauses> blames() {
    std::array<Blame, kLossCauses> all{};
    for (std::size_t cause = 0; cause < kLossCauses; ++cause)
        all[cause] = causeRow(static_cast<LossCause>(cause)).blames;
    return all;
}

/// Per device of the whole: its index in the part.
std::vector<std::size_t> placesIn(const Trace& part, const Trace& whole) {
    std::vector<std::size_t> places;
    for (const DeviceRecord& device : whole.devices()) {
        const auto at = std::ranges::find(part.devices(), device.device, &DeviceRecord::device);
        places.push_back(static_cast<std::size_t>(at - part.devices().begin()));
    }
    return places;
}

} // namespace

std::vector<BlockedTimes> blockedTimes(const Facts& facts, const ExplainedWaits& waits) {
    constexpr Interval kAlways{std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()};
    return blockedTimes(facts, kAlways, facts, waits);
}

std::vector<BlockedTimes> blockedTimes(const Facts& part, Interval time, const Facts& whole,
                                       const ExplainedWaits& waits) {
    std::vector<BlockedTimes> times;
    for (const DeviceFacts& device : part.perDevice()) {
        times.push_back(device.blocked);
        times.back().by = device.blocked.stretchedBy;
    }
    const std::vector<std::size_t> places = placesIn(part.trace(), whole.trace());
    const Trace& trace = whole.trace();
    const std::array<Blame, kLossCauses> blamed = blames();
    for (std::size_t n = 0; n < waits.size(); ++n) {
        if (blamed[static_cast<std::size_t>(waits.cause(n))] == Blame::Nobody)
            continue;
        const ActivityIndex op = whole.deviceWork().row(n);
        const std::uint8_t device = trace.device(op);
        if (!touches(trace.time(op), time) || places[device] >= times.size())
            continue;
        const ExplainedWait wait = waits[n];
        addWait(times[places[device]].by[static_cast<std::size_t>(trace.cls(op))], whole.perDevice()[device],
                wait, heldIn(time, wait), trace);
    }
    return times;
}

} // namespace olab::analysis
