// An operation on the legacy NULL stream waits for all blocking streams, and they wait for it (CUDA
// Programming Guide, "Legacy default stream"). Streams made with cudaStreamNonBlocking do not take part.
#include "facts/sentences.h"
#include "measure/wait_finder.h"
#include "rules/rule.h"

namespace olab::analysis::rules::null_stream {
namespace {

class Judge : public RuleJudge {
public:
    explicit Judge(const TraceFacts& facts)
        : RuleJudge(facts, {kDeviceClasses, maskOf(WaitCause::NullStream)}) {}
    void see(const Passing& op) override {
        const Wait wait = facts().waits()[op.number];
        m_evidence.add(wait.held, op);
        m_held.push_back(heldMeanwhile(wait));
    }
    std::optional<Ruling> rule() override {
        // The union, not the sum: ten streams held for a millisecond lose one, not ten.
        Ruling ruling{FindingStatus::Proved,
                      IntervalSet::unionOf(std::move(m_held)).total(),
                      std::move(m_evidence),
                      {}};
        const Wait worst = *facts().waitOf(ruling.evidence.worst());
        const std::uint64_t count = ruling.evidence.count();
        ruling.text = std::to_string(count) + (count == 1 ? " operation was" : " operations were") +
                      " held by the legacy NULL stream, for " + timeText(ruling.lost) + " in all. " +
                      activityName(facts(), worst.activity) + " waited " + timeText(worst.held) + " for " +
                      activityName(facts(), worst.blocker) + ".";
        return ruling;
    }

private:
    Evidence m_evidence;
    std::vector<Interval> m_held;
};

std::unique_ptr<RuleJudge> judge(const TraceFacts& facts) {
    return facts.waitTable().count(WaitCause::NullStream) > 0 ? std::make_unique<Judge>(facts) : nullptr;
}

} // namespace

RuleRow row() {
    static constexpr Need kNeeds[] = {kindsOfStreams};
    return {.id = "null-stream", .needs = kNeeds, .judge = judge};
}

} // namespace olab::analysis::rules::null_stream
