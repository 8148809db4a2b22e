// A device with one copy engine: copies to and from it take turns.
#include "facts/sentences.h"
#include "facts/sums.h"
#include "rules/rule.h"

#include <algorithm>

namespace olab::analysis::rules::copy_engine_shared {
namespace {

/// Share of the device's time in which one direction waited for the other.
constexpr double kMuch = 0.05;

bool waitsForEngine(LossCause cause) {
    return cause == LossCause::EngineBound || cause == LossCause::HeadOfLine;
}

std::optional<RuleResult> judgeDevice(const TraceFacts& facts, const DeviceReport& device) {
    const Trace& trace = facts.trace();
    const auto causes = facts.waitTable().causes();
    RuleResult result{FindingStatus::Proved, 0, {}, {}};
    Ns waited = 0;
    for (std::size_t n = 0; n < causes.size(); ++n) {
        const ActivityIndex row = facts.deviceWork().row(n), blocker = facts.waitTable().blocker(n);
        if (!waitsForEngine(causes[n]) || trace.device(row) != device.index || blocker == kNoActivity ||
            trace.cls(blocker) == trace.cls(row))
            continue;
        result.evidence.add(facts.waitTable().held(n), row, trace.cls(row));
        addCapped(waited, facts.waitTable().held(n));
    }
    if (result.evidence.empty() || static_cast<double>(waited) < kMuch * static_cast<double>(device.span))
        return {};
    result.text = "This device has one copy engine: copies in both directions take turns, and " +
                  std::to_string(result.evidence.count()) + " of one direction waited for the other (" +
                  timeText(waited) + " in all).";
    return result;
}

std::optional<RuleResult> judge(const TraceFacts& facts) {
    for (const DeviceReport& device : facts.devices())
        if (facts.trace().devices()[device.index].copyEngines == 1)
            if (auto found = judgeDevice(facts, device))
                return found;
    return {};
}

} // namespace

RuleRow row() {
    return {.id = "copy-engine-shared", .severity = RuleSeverity::Bound, .judge = judge};
}

} // namespace olab::analysis::rules::copy_engine_shared
