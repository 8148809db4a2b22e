// What a rule without a judge of its own finds: the waits with the cause of its name.
#include "rules/rule.h"

#include <olab/analysis/explained_wait.h>

namespace olab::analysis {

std::optional<Ruling> waitsOf(const TraceFacts& facts, LossCause cause) {
    const auto causes = facts.waitTable().causes();
    if (facts.waitTable().count(cause) == 0)
        return {};
    Ruling ruling;
    std::vector<Interval> held;
    for (std::size_t n = 0; n < causes.size(); ++n)
        if (causes[n] == cause) {
            const ExplainedWait wait = facts.waits()[n];
            ruling.evidence.add(wait.held, wait.op, facts.trace().cls(wait.op));
            held.push_back({wait.time.begin, wait.time.begin + wait.held});
        }
    ruling.status = restsOn(cause) == RestsOn::Inferred ? FindingStatus::Consistent : FindingStatus::Proved;
    // The union, not the sum: ten streams held for a millisecond lose one, not ten.
    ruling.lost = IntervalSet::unionOf(std::move(held)).total();
    const ActivityIndex worst = ruling.evidence.worst();
    const std::uint64_t count = ruling.evidence.count();
    std::string sentence = causeSentence(facts, *facts.waitOf(worst));
    sentence[0] = 'w'; // Waited
    ruling.text = std::to_string(count) + (count == 1 ? " operation" : " operations") + " waited, " +
                  timeText(ruling.lost) + " in all. " + activityName(facts, worst) + " " + sentence;
    return ruling;
}

} // namespace olab::analysis
