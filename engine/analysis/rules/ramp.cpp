// A short run: its limiting engine is always busy once it has work, but idle until the first data has arrived
// and while the last data is leaving.
#include "facts/sentences.h"
#include "rules/rule.h"

#include <algorithm>

namespace olab::analysis::rules::ramp {
namespace {

constexpr double kMuch = 0.2;       ///< of the device's time
constexpr double kNearlyAll = 0.85; ///< of the time in between, during which the engine works

struct Ramp {
    const DeviceReport* device = nullptr;
    EngineKind engine = EngineKind::None;
    Interval time; ///< from the begin of the first to the end of the last work of the engine
    Ns busy = 0;
    Ns idle() const { return device->span - time.length(); }
    bool isMuch() const {
        return time.length() > 0 &&
               static_cast<double>(idle()) >= kMuch * static_cast<double>(device->span) &&
               static_cast<double>(busy) >= kNearlyAll * static_cast<double>(time.length());
    }
};

Ramp rampOf(const TraceFacts& facts, const DeviceReport& device) {
    Ramp ramp;
    ramp.device = &device;
    const EngineNumbers* numbers = nullptr;
    for (const auto& [engine, of] : device.engines)
        if (of.busy > ramp.busy) {
            ramp.engine = engine;
            ramp.busy = of.busy;
            numbers = &of;
        }
    if (!numbers)
        return ramp;
    ramp.time = {device.last, device.first};
    for (const auto& [cls, busy] : numbers->byClass) {
        const IntervalSet& times = facts.perDevice()[device.index].coverage[static_cast<std::size_t>(cls)];
        if (times.empty())
            continue;
        ramp.time.begin = std::min(ramp.time.begin, times.intervals().begin(0));
        ramp.time.end = std::max(ramp.time.end, times.intervals().end(times.size() - 1));
    }
    return ramp;
}

std::optional<Ramp> worstRamp(const TraceFacts& facts) {
    std::optional<Ramp> worst;
    for (const DeviceReport& device : facts.devices())
        if (const Ramp ramp = rampOf(facts, device); ramp.isMuch() && (!worst || ramp.idle() > worst->idle()))
            worst = ramp;
    return worst;
}

/// Reports what ran while the engine had no work yet, or no more work.
std::optional<RuleResult> judge(const TraceFacts& facts) {
    const std::optional<Ramp> ramp = worstRamp(facts);
    if (!ramp)
        return {};
    const Trace& trace = facts.trace();
    const Interval time = ramp->time;
    RuleResult result;
    for (const ActivityIndex row : facts.ofEngine(ramp->device->index, ramp->engine))
        if (trace.begin(row) == time.begin || trace.end(row) == time.end)
            result.evidence.add(trace.duration(row), row, trace.cls(row));
    result.text = "The " + std::string(engineLabel(ramp->engine)) + " engine had work for " +
                  percentText(static_cast<double>(ramp->busy) / static_cast<double>(time.length())) +
                  " of the time once it had some, but stood still for " +
                  timeText(time.begin - ramp->device->first) + " at the begin and " +
                  timeText(ramp->device->last - time.end) + " at the end, " +
                  percentText(static_cast<double>(ramp->idle()) / static_cast<double>(ramp->device->span)) +
                  " of the device's time: the run is short.";
    return result;
}

} // namespace

RuleRow row() {
    return {.id = "ramp", .severity = RuleSeverity::Bound, .judge = judge};
}

} // namespace olab::analysis::rules::ramp
