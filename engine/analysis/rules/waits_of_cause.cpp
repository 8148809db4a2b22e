// The result of a rule without its own judge: the waits with the cause of its id.
#include "rules/rule.h"

#include <olab/analysis/explained_wait.h>

namespace olab::analysis {

std::optional<RuleResult> waitsOf(const TraceFacts& facts, LossCause cause) {
    const auto causes = facts.waitTable().causes();
    if (facts.waitTable().count(cause) == 0)
        return {};
    RuleResult result;
    std::vector<Interval> held;
    for (std::size_t n = 0; n < causes.size(); ++n)
        if (causes[n] == cause) {
            const ExplainedWait wait = facts.waits()[n];
            result.evidence.add(wait.held, wait.op, facts.trace().cls(wait.op));
            held.push_back({wait.time.begin, wait.time.begin + wait.held});
        }
    result.status = restsOn(cause) == RestsOn::Inferred ? FindingStatus::Consistent : FindingStatus::Proved;
    // The union, not the sum: ten streams held for a millisecond lose one, not ten.
    result.lost = IntervalSet::unionOf(std::move(held)).total();
    const ActivityIndex worst = result.evidence.worst();
    const std::uint64_t count = result.evidence.count();
    std::string sentence = causeSentence(facts, *facts.waitOf(worst));
    sentence[0] = 'w'; // Waited
    result.text = std::to_string(count) + (count == 1 ? " operation" : " operations") + " waited, " +
                  timeText(result.lost) + " in all. " + activityName(facts, worst) + " " + sentence;
    return result;
}

} // namespace olab::analysis
