// Managed memory that moved while kernels ran: each page when it was touched where it was not.
#include "facts/sentences.h"
#include "rules/rule.h"

#include <algorithm>

namespace olab::analysis::rules::unified_memory {
namespace {

class Judge : public RuleJudge {
public:
    explicit Judge(const TraceFacts& facts)
        : RuleJudge(facts) {}
    void see(const Passing& move) override {
        if (!isMigration(facts().trace(), move.row))
            return;
        m_evidence.add(facts().trace().duration(move.row), move);
        m_bytes += facts().trace().bytes(move.row);
    }
    std::optional<Ruling> rule() override {
        if (m_evidence.empty())
            return {};
        Ruling ruling{FindingStatus::Proved, 0, std::move(m_evidence), {}};
        for (const DeviceReport& device : facts().devices())
            ruling.lost = std::max(ruling.lost, device.derived.uvmBusy);
        const std::uint64_t count = ruling.evidence.count();
        ruling.text = "Managed memory moved between host and device " + std::to_string(count) +
                      (count == 1 ? " time, " : " times, ") + timeText(ruling.lost) + " in all (" +
                      std::to_string((m_bytes + (1 << 19)) >> 20) +
                      " MiB): what touched it waited meanwhile.";
        return ruling;
    }

private:
    Evidence m_evidence;
    std::int64_t m_bytes = 0;
};

std::unique_ptr<RuleJudge> judge(const TraceFacts& facts) {
    const bool moved = std::ranges::any_of(
        facts.devices(), [](const DeviceReport& device) { return device.derived.uvmCount > 0; });
    return moved ? std::make_unique<Judge>(facts) : nullptr;
}

} // namespace

RuleRow row() {
    return {.id = "unified-memory", .judge = judge};
}

} // namespace olab::analysis::rules::unified_memory
