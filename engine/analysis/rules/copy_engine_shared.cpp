// A device with one copy engine: copies to and from it take turns.
#include "facts/sentences.h"
#include "facts/sums.h"
#include "rules/rule.h"

#include <algorithm>

namespace olab::analysis::rules::copy_engine_shared {
namespace {

/// Of the device's time, in waiting of one direction for the other.
constexpr double kMuch = 0.05;

class Judge : public RuleJudge {
public:
    Judge(const TraceFacts& facts, const DeviceReport& device)
        : RuleJudge(facts, {maskOf(ActivityClass::MemcpyH2D) | maskOf(ActivityClass::MemcpyD2H),
                            maskOf(LossCause::EngineBound) | maskOf(LossCause::HeadOfLine)})
        , m_device(device) {}
    void see(const Passing& copy) override {
        const auto wait = facts().waits()[copy.number];
        if (facts().trace().device(copy.row) != m_device.index || wait.blocker == kNoActivity ||
            facts().trace().cls(wait.blocker) == copy.cls)
            return;
        m_evidence.add(wait.held, copy);
        addCapped(m_waited, wait.held);
    }
    std::optional<Ruling> rule() override {
        if (m_evidence.empty() || static_cast<double>(m_waited) < kMuch * static_cast<double>(m_device.span))
            return {};
        Ruling ruling{FindingStatus::Proved, 0, std::move(m_evidence), {}};
        ruling.text = "This device has one copy engine: copies in both directions take turns, and " +
                      std::to_string(ruling.evidence.count()) + " of one direction waited for the other (" +
                      timeText(m_waited) + " in all).";
        return ruling;
    }

private:
    const DeviceReport& m_device;
    Ns m_waited = 0;
    Evidence m_evidence;
};

std::unique_ptr<RuleJudge> judge(const TraceFacts& facts) {
    const WaitTable& waits = facts.waitTable();
    if (waits.count(LossCause::EngineBound) + waits.count(LossCause::HeadOfLine) == 0)
        return nullptr;
    for (const DeviceReport& device : facts.devices())
        if (facts.trace().devices()[device.index].copyEngines == 1)
            return std::make_unique<Judge>(facts, device);
    return nullptr;
}

} // namespace

RuleRow row() {
    return {.id = "copy-engine-shared", .severity = RuleSeverity::Bound, .judge = judge};
}

} // namespace olab::analysis::rules::copy_engine_shared
