// Kernels of a stream of higher priority that became ready later went before others that waited for room.
#include "facts/sentences.h"
#include "rules/rule.h"

#include <olab/trace/lanes.h>

#include <algorithm>
#include <set>

namespace olab::analysis::rules::priority {
namespace {

std::int32_t priorityOf(const TraceFacts& facts, ActivityIndex row) {
    return facts.trace().queue(facts.trace().queueOf(row)).priority;
}

class Judge : public RuleJudge {
public:
    explicit Judge(const TraceFacts& facts)
        : RuleJudge(facts, {0}) {}
    std::optional<Ruling> rule() override {
        look();
        if (m_evidence.empty())
            return {};
        Ruling ruling{FindingStatus::Consistent,
                      IntervalSet::unionOf(std::move(m_lost)).total(),
                      std::move(m_evidence),
                      {}};
        const auto worst = *facts().waitOf(ruling.evidence.worst());
        const std::uint64_t count = ruling.evidence.count();
        ruling.text = std::to_string(count) + (count == 1 ? " operation" : " operations") +
                      " waited for room on the SMs while later work of a stream of higher priority went "
                      "first, " +
                      timeText(ruling.lost) + " in all. " + activityName(facts(), worst.activity) +
                      " waited " + timeText(worst.wait) + ", " + activityName(facts(), worst.blocker) +
                      " became ready after it.";
        return ruling;
    }

private:
    /// Few recordings have priorities: those are read once more.
    void look() {
        const auto causes = facts().waitTable().causes();
        for (std::size_t n = 0; n < causes.size(); ++n)
            if (causes[n] == WaitCause::FullGrid)
                look(n);
    }
    void look(std::size_t number) {
        const auto wait = facts().waits()[number];
        if (wait.blocker == kNoActivity ||
            priorityOf(facts(), wait.blocker) >= priorityOf(facts(), wait.activity) ||
            facts().waitOf(wait.blocker)->ready <= wait.ready)
            return;
        m_evidence.add(wait.held, {wait.activity, facts().trace().cls(wait.activity), number});
        m_lost.push_back({wait.ready, wait.ready + wait.wait});
    }
    Evidence m_evidence;
    std::vector<Interval> m_lost;
};

std::unique_ptr<RuleJudge> judge(const TraceFacts& facts) {
    if (facts.waitTable().count(WaitCause::FullGrid) == 0)
        return nullptr;
    std::set<std::int32_t> priorities;
    for (const Lane& lane : facts.lanes().lanes())
        if (lane.kind == LaneKind::Stream)
            priorities.insert(facts.trace().queue(lane.queue).priority);
    return priorities.size() > 1 ? std::make_unique<Judge>(facts) : nullptr;
}

} // namespace

RuleRow row() {
    return {.id = "priority", .judge = judge};
}

} // namespace olab::analysis::rules::priority
