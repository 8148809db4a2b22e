// Short copies that stood behind long ones of the same direction: an engine does one copy at a time and
// interrupts none.
#include "facts/sentences.h"
#include "rules/rule.h"

#include <algorithm>
#include <map>

namespace olab::analysis::rules::head_of_line {
namespace {

/// So many times its own length a copy waits for a longer one before anybody would call it blocked.
constexpr Ns kTimesAsLong = kLongerCopy;

bool isCopy(const Work& work) {
    return isCopyClass(work.cls) && work.solo > 0;
}

class Judge : public RuleJudge {
public:
    explicit Judge(const TraceFacts& facts)
        : RuleJudge(facts, {kDeviceClasses, maskOf(WaitCause::SameEngine)}) {}
    void see(const Passing& copy) override {
        const auto wait = facts().waits()[copy.number];
        const Ns own = facts().solo(copy.row);
        if (wait.blocker == kNoActivity || own <= 0 || facts().solo(wait.blocker) < kTimesAsLong * own ||
            wait.held < kTimesAsLong * own)
            return;
        m_evidence.add(wait.held, copy);
        m_lost.push_back({wait.ready, wait.ready + wait.wait});
    }
    std::optional<Ruling> rule() override {
        if (m_evidence.empty())
            return {};
        Ruling ruling{FindingStatus::Proved,
                      IntervalSet::unionOf(std::move(m_lost)).total(),
                      std::move(m_evidence),
                      {}};
        const auto worst = *facts().waitOf(ruling.evidence.worst());
        const std::uint64_t count = ruling.evidence.count();
        ruling.text = std::to_string(count) + (count == 1 ? " short copy" : " short copies") +
                      " waited for long ones of the same engine, " + timeText(ruling.lost) + " in all. " +
                      activityName(facts(), worst.activity) + ", which takes " +
                      timeText(facts().solo(worst.activity)) + ", waited " + timeText(worst.wait) + " for " +
                      activityName(facts(), worst.blocker) + " of " + timeText(facts().solo(worst.blocker)) +
                      ".";
        return ruling;
    }

private:
    Evidence m_evidence;
    std::vector<Interval> m_lost;
};

/// Copies of one class, that is of one engine, of which some take much longer than others.
std::unique_ptr<RuleJudge> judge(const TraceFacts& facts) {
    if (facts.waitTable().count(WaitCause::SameEngine) == 0)
        return nullptr;
    std::map<ActivityClass, std::pair<Ns, Ns>> lengths; // shortest, longest
    for (const Work& work : facts.works())
        if (isCopy(work)) {
            const auto [at, first] = lengths.try_emplace(work.cls, work.solo, work.solo);
            at->second = {std::min(at->second.first, work.solo), std::max(at->second.second, work.solo)};
        }
    const bool mayBe = std::ranges::any_of(
        lengths, [](const auto& of) { return of.second.second >= kTimesAsLong * of.second.first; });
    return mayBe ? std::make_unique<Judge>(facts) : nullptr;
}

} // namespace

RuleRow row() {
    return {.id = "head-of-line", .judge = judge};
}

} // namespace olab::analysis::rules::head_of_line
