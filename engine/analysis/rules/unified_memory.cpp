// Managed memory that migrated while kernels ran: each page moved when it was touched elsewhere.
#include "facts/sentences.h"
#include "rules/rule.h"

#include <algorithm>

namespace olab::analysis::rules::unified_memory {
namespace {

std::optional<RuleResult> judge(const TraceFacts& facts) {
    const auto moved = [](const DeviceReport& device) { return device.derived.uvmCount > 0; };
    if (std::ranges::none_of(facts.devices(), moved))
        return {};
    const Trace& trace = facts.trace();
    RuleResult result;
    result.status = FindingStatus::Proved;
    for (const DeviceReport& device : facts.devices())
        result.lost = std::max(result.lost, device.derived.uvmBusy);
    std::int64_t bytes = 0;
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n)
        if (const ActivityIndex row = facts.deviceWork().row(n); isMigration(trace, row)) {
            result.evidence.add(trace.duration(row), row, trace.cls(row));
            bytes += trace.bytes(row);
        }
    const std::uint64_t count = result.evidence.count();
    result.text = "Managed memory moved between host and device " + std::to_string(count) +
                  (count == 1 ? " time, " : " times, ") + timeText(result.lost) + " in all (" +
                  std::to_string((bytes + (1 << 19)) >> 20) + " MiB): what touched it waited meanwhile.";
    return result;
}

} // namespace

RuleRow row() {
    return {.id = "unified-memory", .judge = judge};
}

} // namespace olab::analysis::rules::unified_memory
