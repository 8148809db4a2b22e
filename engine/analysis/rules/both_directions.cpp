// Copies to and from the device slow each other far more than their engines would: they share the host's
// memory or the way to it. The effect varies between machines and runs.
#include "facts/sentences.h"
#include "rules/rule.h"

#include <olab/trace/value_text.h>

#include <algorithm>

namespace olab::analysis::rules::both_directions {
namespace {

/// Extra time of simultaneous copies as a share of the solo time of both directions: 0.06 to 0.15 on an H200,
/// up to 0.5 on an H100 in another machine.
constexpr double kMuchLonger = 0.2;
/// Slowdown during the shared time. Copies with more extra time than shared time were slowed by something
/// else too, such as pageable ones.
constexpr double kTimesAsLong = 1.25;

struct Shared {
    const DeviceReport* device = nullptr;
    Ns together = 0;         ///< time in which both directions copied
    double h2d = 1, d2h = 1; ///< slowdown factor during that time
    double longer = 0;       ///< of both, as a share of their solo time
};

bool isSlow(const Shared& shared) {
    return shared.longer >= kMuchLonger && (shared.h2d + shared.d2h) / 2 >= kTimesAsLong;
}

/// Slowdown while they ran together; 1 if that cannot explain all of it.
double slower(Ns together, Ns stretched) {
    const double alone = static_cast<double>(together - std::min(stretched, together));
    return alone > 0 ? static_cast<double>(together) / alone : 1;
}

Shared sharedOn(const TraceFacts& facts, const DeviceReport& device) {
    using enum ActivityClass;
    const BlockedTimes& blocked = facts.perDevice()[device.index].blocked;
    const auto pair = device.pairs.find(std::minmax(MemcpyH2D, MemcpyD2H));
    Shared shared;
    shared.device = &device;
    shared.together = pair == device.pairs.end() ? 0 : pair->second;
    const Ns h2d = blocked.stretched(MemcpyH2D, MemcpyD2H), d2h = blocked.stretched(MemcpyD2H, MemcpyH2D);
    shared.h2d = slower(shared.together, h2d);
    shared.d2h = slower(shared.together, d2h);
    const auto alone = static_cast<double>(blocked.solo(MemcpyH2D) + blocked.solo(MemcpyD2H));
    shared.longer = alone > 0 ? static_cast<double>(h2d + d2h) / alone : 0;
    return shared;
}

Shared worstOf(const TraceFacts& facts) {
    Shared worst;
    for (const DeviceReport& device : facts.devices())
        if (const Shared shared = sharedOn(facts, device); isSlow(shared) && shared.longer >= worst.longer)
            worst = shared;
    return worst;
}

std::optional<RuleResult> judge(const TraceFacts& facts) {
    const Shared shared = worstOf(facts);
    if (!shared.device)
        return {};
    RuleResult result;
    const Trace& trace = facts.trace();
    for (const EngineKind engine : {EngineKind::CopyH2D, EngineKind::CopyD2H})
        for (const ActivityIndex row : facts.ofEngine(shared.device->index, engine))
            if (const Ns longer = trace.duration(row) - facts.solo(row); longer > 0)
                result.evidence.add(longer, row, trace.cls(row));
    result.text = "While both directions copied (" + timeText(shared.together) + " of " +
                  timeText(shared.device->span) + "), H2D copies took " + fixedText(shared.h2d, 2) +
                  " and D2H copies " + fixedText(shared.d2h, 2) +
                  " times as long as alone: both go through the memory of the host. They overlap by the "
                  "clock, and little is won.";
    return result;
}

} // namespace

RuleRow row() {
    return {.id = "both-directions", .severity = RuleSeverity::Bound, .judge = judge};
}

} // namespace olab::analysis::rules::both_directions
