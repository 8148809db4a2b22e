// A few streams whose order is the bound, while no engine has work for nearly as long: more of them, with the
// same work, would overlap more.
#include "facts/sentences.h"
#include "facts/sums.h"
#include "rules/rule.h"

#include <olab/trace/lanes.h>

#include <algorithm>

namespace olab::analysis::rules::too_few_streams {
namespace {

/// The longest stream, as part of the run: it is what the run waits for.
constexpr double kNearlyAll = 0.85;
/// The busiest engine, as part of the longest stream: so much at most, or more streams bring little.
constexpr double kMuchLess = 0.75;
/// More than these share hardware queues where nobody asked for more of them.
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
    // of one device: of several, each may have one stream; what events order more streams do not change
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
