// One device comes late to the collectives, and all others wait for it inside theirs.
#include "rules/before_collective.h"
#include "rules/rule.h"

#include <olab/analysis/collectives.h>

namespace olab::analysis::rules::straggler {
namespace {

class Judge : public RuleJudge {
public:
    explicit Judge(const TraceFacts& facts)
        : RuleJudge(facts, {0, 0})
        , m_found(*facts.collectives()) {}
    std::optional<Ruling> rule() override {
        const CollectiveDevice& late = m_found.devices[*m_found.straggler];
        Ruling ruling{FindingStatus::Proved, late.waitedFor, {}, m_found.text};
        for (const CollectiveWait& wait : m_found.worst)
            if (wait.device == late.device)
                for (const ActivityIndex row : wait.waiting)
                    ruling.evidence.add(wait.waited, {row, ActivityClass::Kernel, 0});
        ruling.text +=
            " That time is inside their kernels, where it looks like work." + beforeItCame(facts(), m_found);
        return ruling;
    }

private:
    const Collectives& m_found;
};

std::unique_ptr<RuleJudge> judge(const TraceFacts& facts) {
    const bool any = facts.collectives() && facts.collectives()->straggler;
    return any ? std::make_unique<Judge>(facts) : nullptr;
}

} // namespace

RuleRow row() {
    return {.id = "straggler",
            .title = "One rank is late at the collectives",
            .advice =
                "Look at what that rank does before its collectives and the others do not: more data, "
                "a slower device, a loader or a log on its host. Give it less work, or the others more.",
            .judge = judge};
}

} // namespace olab::analysis::rules::straggler
