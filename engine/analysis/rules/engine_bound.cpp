// An engine that works nearly all the time is the bound: not a fault, but the end of what overlap can give.
#include "facts/sentences.h"
#include "rules/rule.h"

#include <algorithm>

namespace olab::analysis::rules::engine_bound {
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
Busy busyOf(const TraceFacts& facts, const DeviceReport& device, EngineKind engine,
            const EngineNumbers& numbers) {
    Busy busy{engine, numbers.busy, device.span, true, device.index};
    if (engine != EngineKind::Compute)
        return busy;
    const DeviceFacts& known = facts.perDevice()[device.index];
    busy.proved = known.knowsResidency && facts.hasSolos();
    if (busy.proved)
        busy.busy = std::min(numbers.busy, known.computeLoad);
    return busy;
}

Busy busiestOf(const TraceFacts& facts) {
    Busy busiest;
    for (const DeviceReport& device : facts.devices())
        for (const auto& [engine, numbers] : device.engines)
            if (const Busy busy = busyOf(facts, device, engine, numbers); busy.share() > busiest.share())
                busiest = busy;
    return busiest;
}

/// All that ran on the engine is its evidence, and there is an index of that: nothing needs to pass.
class Judge : public RuleJudge {
public:
    Judge(const TraceFacts& facts, const Busy& bound)
        : RuleJudge(facts, {0})
        , m_bound(bound) {}
    std::optional<Ruling> rule() override {
        Ruling ruling;
        ruling.status = m_bound.proved ? FindingStatus::Proved : FindingStatus::Consistent;
        const Trace& trace = facts().trace();
        for (const ActivityIndex i : facts().ofEngine(m_bound.device, m_bound.engine))
            ruling.evidence.add(trace.duration(i), {i, trace.cls(i)});
        ruling.text = "The " + std::string(engineLabel(m_bound.engine)) + " engine was busy for " +
                      percentText(m_bound.share()) + " of the device's time (" + timeText(m_bound.busy) +
                      " of " + timeText(m_bound.span) +
                      "): it hardly rests, and more overlap can save little.";
        if (!m_bound.proved)
            ruling.text += " How full its grids are is not known.";
        return ruling;
    }

private:
    Busy m_bound;
};

std::unique_ptr<RuleJudge> judge(const TraceFacts& facts) {
    const Busy busiest = busiestOf(facts);
    return busiest.share() < kNearlyAll ? nullptr : std::make_unique<Judge>(facts, busiest);
}

} // namespace

RuleRow row() {
    return {.id = "engine-bound", .severity = RuleSeverity::Bound, .judge = judge};
}

} // namespace olab::analysis::rules::engine_bound
