#include "rules/waits_of_cause.h"

#include <olab/analysis/explained_wait.h>

namespace olab::analysis {
namespace {

class Judge : public RuleJudge {
public:
    Judge(const TraceFacts& facts, LossCause cause)
        : RuleJudge(facts, {kDeviceClasses, maskOf(cause)})
        , m_cause(cause) {}
    void see(const Passing& op) override {
        const ExplainedWait wait = facts().waits()[op.number];
        m_evidence.add(wait.held, op);
        m_held.push_back({wait.time.begin, wait.time.begin + wait.held});
    }
    std::optional<Ruling> rule() override {
        Ruling ruling;
        ruling.status = isShown(m_cause) ? FindingStatus::Proved : FindingStatus::Consistent;
        // The union, not the sum: ten streams held for a millisecond lose one, not ten.
        ruling.lost = IntervalSet::unionOf(std::move(m_held)).total();
        ruling.evidence = std::move(m_evidence);
        const ActivityIndex worst = ruling.evidence.worst();
        const std::uint64_t count = ruling.evidence.count();
        std::string sentence = causeSentence(facts(), *facts().waitOf(worst));
        sentence[0] = 'w'; // Waited
        ruling.text = std::to_string(count) + (count == 1 ? " operation" : " operations") + " waited, " +
                      timeText(ruling.lost) + " in all. " + activityName(facts(), worst) + " " + sentence;
        return ruling;
    }

private:
    LossCause m_cause;
    Evidence m_evidence;
    std::vector<Interval> m_held;
};

} // namespace

std::unique_ptr<RuleJudge> judgeOfWaits(const TraceFacts& facts, LossCause cause) {
    return facts.waitTable().count(cause) > 0 ? std::make_unique<Judge>(facts, cause) : nullptr;
}

} // namespace olab::analysis
