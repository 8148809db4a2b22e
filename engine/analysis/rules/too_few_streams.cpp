// A few streams whose order is the bound, while no engine is busy for nearly as long: more streams with the
// same work would overlap more.
#include "facts/sentences.h"
#include "facts/sums.h"
#include "rules/rule.h"

#include <olab/trace/lanes.h>

#include <algorithm>

namespace olab::analysis::rules::too_few_streams {
namespace {

/// Length of the longest stream as a share of the run, which waits for it.
constexpr double kNearlyAll = 0.85;
/// The busiest engine as a share of the longest stream: above this, more streams bring little.
constexpr double kMuchLess = 0.75;
/// More streams than this share hardware queues by default.
constexpr std::size_t kManyStreams = 8;

std::vector<QueueId> streamsWithWork(const TraceFacts& facts) {
    std::vector<QueueId> streams;
    for (const Lane& lane : facts.lanes().lanes())
        if (lane.kind == LaneKind::Stream && !facts.ofStream(lane.queue).empty())
            streams.push_back(lane.queue);
    return streams;
}

Ns soloSumOf(const TraceFacts& facts, QueueId stream) {
    Ns sum = 0;
    for (const ActivityIndex row : facts.ofStream(stream))
        addCapped(sum, facts.solo(row));
    return sum;
}

bool ordersAreTheBound(const Bounds& bounds) {
    const auto chain = static_cast<double>(bounds.criticalPath.value_or(0));
    return chain >= kNearlyAll * static_cast<double>(bounds.measured.value_or(0)) && chain > 0 &&
           static_cast<double>(bounds.twoCopyEngines.value_or(0)) <= kMuchLess * chain;
}

std::optional<RuleResult> judge(const TraceFacts& facts) {
    // per device: each of several devices may have one stream; more streams do not change what events order
    const Bounds& bounds = facts.bounds();
    if (facts.devices().size() != 1 || facts.hasRecordedEvents() || !ordersAreTheBound(bounds))
        return {};
    const std::vector<QueueId> streams = streamsWithWork(facts);
    if (streams.size() <= 1 || streams.size() >= kManyStreams)
        return {};
    const QueueId longest =
        *std::ranges::max_element(streams, {}, [&](QueueId stream) { return soloSumOf(facts, stream); });
    RuleResult result;
    for (const ActivityIndex row : facts.ofStream(longest))
        result.evidence.add(facts.trace().duration(row), row, facts.trace().cls(row));
    result.text = "The work of " + streamText(facts, result.evidence.worst()) + " alone takes " +
                  timeText(*bounds.criticalPath) + " of " + timeText(*bounds.measured) +
                  ", and no engine has work for more than " + timeText(*bounds.twoCopyEngines) + ": " +
                  std::to_string(streams.size()) + " streams are too few to keep one busy.";
    return result;
}

} // namespace

RuleRow row() {
    static constexpr Need kNeeds[] = {streamsOfWork};
    return {.id = "too-few-streams", .severity = RuleSeverity::Bound, .needs = kNeeds, .judge = judge};
}

} // namespace olab::analysis::rules::too_few_streams
