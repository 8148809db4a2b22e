// Engines that work nearly all the time are the bound: not a fault, but the limit of overlap.
#include "facts/sentences.h"
#include "rules/rule.h"

#include <algorithm>
#include <functional>

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

/// Without a solo run, a grid with one block for each multiprocessor is assumed to fill the device. In ns;
/// damaged times may exceed the range of Ns.
double loadByBlocks(const TraceFacts& facts, std::uint8_t device) {
    const std::uint32_t sms = facts.trace().devices()[device].smCount;
    double load = 0;
    for (const ActivityIndex i : facts.ofEngine(device, EngineKind::Compute)) {
        const std::uint64_t blocks = facts.work(i).blocks;
        const bool isSmall = sms > 0 && blocks > 0 && blocks < sms;
        load += static_cast<double>(facts.trace().duration(i)) *
                (isSmall ? static_cast<double>(blocks) / static_cast<double>(sms) : 1);
    }
    return load;
}

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
    else if (busy.share() >= kNearlyAll)
        if (const double load = loadByBlocks(facts, device.index);
            load < kNearlyAll * static_cast<double>(device.span))
            busy.busy = static_cast<Ns>(load);
    return busy;
}

/// The almost always busy engines of one device, the busiest first. The others are listed beside it, because
/// any of them may limit the ideal.
std::vector<Busy> boundsOf(const TraceFacts& facts, const DeviceReport& device) {
    std::vector<Busy> bounds;
    for (const auto& [engine, numbers] : device.engines)
        if (const Busy busy = busyOf(facts, device, engine, numbers); busy.share() >= kNearlyAll)
            bounds.push_back(busy);
    std::ranges::stable_sort(bounds, std::greater{}, &Busy::share);
    const auto others = bounds.empty() ? bounds.end() : bounds.begin() + 1;
    bounds.erase(std::remove_if(others, bounds.end(), [](const Busy& busy) { return !busy.proved; }),
                 bounds.end());
    return bounds;
}

std::vector<Busy> boundsOf(const TraceFacts& facts) {
    std::vector<Busy> highest;
    for (const DeviceReport& device : facts.devices())
        if (std::vector<Busy> bounds = boundsOf(facts, device);
            !bounds.empty() && (highest.empty() || bounds.front().share() > highest.front().share()))
            highest = std::move(bounds);
    return highest;
}

/// "98 % and 97 %": one value for each.
std::string eachOf(const std::vector<Busy>& bounds, std::string (*tell)(const Busy&)) {
    std::vector<std::string> parts;
    for (const Busy& bound : bounds)
        parts.push_back(tell(bound));
    return joined(parts);
}

std::string textOf(const std::vector<Busy>& bounds) {
    const bool one = bounds.size() == 1;
    return "The " + eachOf(bounds, [](const Busy& b) { return std::string(engineLabel(b.engine)); }) +
           (one ? " engine was busy for " : " engines were busy for ") +
           eachOf(bounds, [](const Busy& b) { return percentText(b.share()); }) + " of the device's time (" +
           eachOf(bounds, [](const Busy& b) { return timeText(b.busy); }) + " of " +
           timeText(bounds.front().span) + (one ? "): it hardly rests" : "): they hardly rest") +
           ", and more overlap can save little.";
}

std::optional<RuleResult> judge(const TraceFacts& facts) {
    const std::vector<Busy> bounds = boundsOf(facts);
    if (bounds.empty())
        return {};
    const bool proved = bounds.front().proved;
    RuleResult result;
    result.status = proved ? FindingStatus::Proved : FindingStatus::Consistent;
    const Trace& trace = facts.trace();
    for (const Busy& bound : bounds)
        for (const ActivityIndex i : facts.ofEngine(bound.device, bound.engine))
            result.evidence.add(trace.duration(i), i, trace.cls(i));
    result.text = textOf(bounds) + (proved ? "" : " How full its grids are is not known.");
    return result;
}

} // namespace

RuleRow row() {
    return {.id = "engine-bound", .severity = RuleSeverity::Bound, .judge = judge};
}

} // namespace olab::analysis::rules::engine_bound
