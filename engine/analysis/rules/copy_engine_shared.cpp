// A device with one copy engine: copies to and from it take turns.
#include "facts/sentences.h"
#include "rules/rule.h"

#include <algorithm>

namespace olab::analysis::rules::copy_engine_shared {
namespace {

/// Of the device's time, in waiting of one direction for the other.
constexpr double kMuch = 0.05;

Ns waitedFor(const TraceFacts& facts, const DeviceReport& device) {
    using enum ActivityClass;
    if (facts.trace().devices()[device.index].copyEngines != 1)
        return 0;
    const BlockedTimes& blocked = facts.perDevice()[device.index].blocked;
    return blocked.blocked(MemcpyH2D, MemcpyD2H) + blocked.blocked(MemcpyD2H, MemcpyH2D);
}

class Judge : public RuleJudge {
public:
    Judge(const TraceFacts& facts, std::uint8_t device, Ns waited)
        : RuleJudge(facts, {maskOf(ActivityClass::MemcpyH2D) | maskOf(ActivityClass::MemcpyD2H),
                            maskOf(WaitCause::SameEngine)})
        , m_device(device)
        , m_waited(waited) {}
    void see(const Passing& copy) override {
        const auto wait = facts().waits()[copy.number];
        if (facts().trace().device(copy.row) == m_device && wait.blocker != kNoActivity &&
            facts().trace().cls(wait.blocker) != copy.cls)
            m_evidence.add(wait.held, copy);
    }
    std::optional<Ruling> rule() override {
        if (m_evidence.empty())
            return {};
        Ruling ruling{FindingStatus::Proved, 0, std::move(m_evidence), {}};
        ruling.text = "This device has one copy engine: copies in both directions take turns, and " +
                      std::to_string(ruling.evidence.count()) + " of one direction waited for the other (" +
                      timeText(m_waited) + " in all).";
        return ruling;
    }

private:
    std::uint8_t m_device;
    Ns m_waited;
    Evidence m_evidence;
};

std::unique_ptr<RuleJudge> judge(const TraceFacts& facts) {
    for (const DeviceReport& device : facts.devices())
        if (const Ns waited = waitedFor(facts, device);
            waited > 0 && static_cast<double>(waited) >= kMuch * static_cast<double>(device.span))
            return std::make_unique<Judge>(facts, device.index, waited);
    return nullptr;
}

} // namespace

RuleRow row() {
    return {.id = "copy-engine-shared", .severity = RuleSeverity::Bound, .judge = judge};
}

} // namespace olab::analysis::rules::copy_engine_shared
