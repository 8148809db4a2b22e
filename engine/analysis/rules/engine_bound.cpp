// An engine that works nearly all the time is the bound: not a fault, but the end of what overlap can give.
#include "../sentences.h"
#include "rule_functions.h"

#include <algorithm>

namespace olab {
namespace {

constexpr double kNearlyAll = 0.90;

struct Busy {
    EngineKind engine = EngineKind::None;
    Ns busy = 0, span = 0;
    bool proved = true;
    std::uint8_t device = 0;
    double share() const { return span > 0 ? static_cast<double>(busy) / static_cast<double>(span) : 0; }
};

// A copy engine does one copy at a time, so its busy time is its load. Small grids leave room on the SMs
// however long they are resident: there the load is what the work needs of them. Unknown grids prove nothing.
Busy busyOf(const Facts& facts, const DeviceReport& device, EngineKind engine, const EngineNumbers& numbers) {
    Busy busy{engine, numbers.busy, device.span, true, device.index};
    if (engine != EngineKind::Compute)
        return busy;
    const DeviceFacts& known = facts.perDevice()[device.index];
    busy.proved = known.knowsResidency && facts.hasSolos();
    if (busy.proved)
        busy.busy = std::min(numbers.busy, known.computeLoad);
    return busy;
}

Evidence workOf(const Facts& facts, const Busy& bound) {
    Evidence evidence;
    for (const ActivityIndex i : facts.ofEngine(bound.device, bound.engine))
        evidence.add(facts.trace().duration(i), i);
    return evidence;
}

} // namespace

RuleResult judgeEngineBound(const Facts& facts) {
    Busy bound;
    for (const DeviceReport& device : facts.devices())
        for (const auto& [engine, numbers] : device.engines)
            if (const Busy busy = busyOf(facts, device, engine, numbers); busy.share() > bound.share())
                bound = busy;
    if (bound.share() < kNearlyAll)
        return {};
    Finding finding = findingOf("engine-bound");
    finding.status = bound.proved ? FindingStatus::Proved : FindingStatus::Consistent;
    workOf(facts, bound).giveTo(finding);
    finding.text = "The " + std::string(engineLabel(bound.engine)) + " engine was busy for " +
                   percentText(bound.share()) + " of the device's time (" + timeText(bound.busy) + " of " +
                   timeText(bound.span) + "): it is the bound, and more overlap can save " +
                   timeText(bound.span - bound.busy) + " at most.";
    if (!bound.proved)
        finding.text += " How full its grids are is not known.";
    return Diagnosis{std::move(finding), {}};
}

} // namespace olab
