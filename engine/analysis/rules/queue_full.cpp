// Issuing calls wait while a hardware queue is full.
#include "facts/sentences.h"
#include "rules/rule.h"

#include <olab/analysis/full_queue.h>

#include <algorithm>

namespace olab::analysis::rules::queue_full {
namespace {

/// CUPTI recorded it explicitly.
bool isRecorded(const TraceFacts& facts) {
    const Trace& trace = facts.trace();
    if (facts.count(ActivityClass::Overhead) == 0)
        return false;
    for (ActivityIndex row = 0; row < trace.size(); ++row)
        if (saysBufferFull(trace, row))
            return true;
    return false;
}

std::optional<RuleResult> judge(const TraceFacts& facts) {
    const std::vector<FullQueue> calls = fullQueueCalls(facts);
    if (calls.empty())
        return {};
    RuleResult result;
    result.status = isRecorded(facts) ? FindingStatus::Proved : FindingStatus::Consistent;
    const Trace& trace = facts.trace();
    std::vector<Interval> waited;
    std::uint64_t most = 0;
    for (const FullQueue& full : calls) {
        waited.push_back(trace.time(full.call));
        most = std::max(most, full.held);
        for (const ActivityIndex row : facts.issuedBy(full.call))
            result.evidence.add(trace.duration(full.call), row, trace.cls(row));
    }
    result.lost = IntervalSet::unionOf(std::move(waited)).total();
    result.text = std::to_string(calls.size()) + " calls waited for room in a hardware queue, " +
                  timeText(result.lost) + " in all: up to " + std::to_string(most) +
                  " operations had been issued and not begun.";
    return result;
}

} // namespace

RuleRow row() {
    static constexpr Need kNeeds[] = {apiCalls};
    return {.id = "queue-full", .needs = kNeeds, .judge = judge};
}

} // namespace olab::analysis::rules::queue_full
