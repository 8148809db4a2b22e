// A memset runs on the SMs like a kernel: while resident grids fill the device it starts late, or starts and
// starves.
#include "facts/sentences.h"
#include "measure/full_grid.h"
#include "rules/rule.h"

#include <algorithm>

namespace olab::analysis::rules::memset_full_grid {
namespace {

struct Held {
    Interval waited, starved; // empty when it was not
    ActivityIndex kernel = kNoActivity;
    Ns time() const { return waited.length() + starved.length(); }
};

// What a full grid cost one memset: time before it began, and time it ran longer than alone.
Held heldOf(const TraceFacts& facts, const Wait& w) {
    Held held;
    const Interval time = facts.trace().time(w.activity);
    const DeviceFacts& device = facts.perDevice()[facts.trace().device(w.activity)];
    if (w.cause == WaitCause::FullGrid) {
        held.waited = {time.begin - w.held, time.begin};
        held.kernel = w.blocker;
    }
    const FullGridHold inside = heldByFullGrid(device, time);
    const Ns starved = std::min(w.stretched, inside.time);
    if (starved > std::max(rowOf(WaitCause::StreamOrder).latency, facts.solo(w.activity))) {
        held.starved = {time.end - starved, time.end};
        if (starved > held.waited.length())
            held.kernel = inside.kernel;
    }
    return held;
}

std::string sentence(const TraceFacts& facts, ActivityIndex memset) {
    const Held held = heldOf(facts, *facts.waitOf(memset));
    const bool waited = held.waited.length() >= held.starved.length();
    std::string text = "memset of " + streamText(facts, memset) + " ";
    if (waited)
        text += "waited " + timeText(held.waited.length()) + " for ";
    else
        text += "ran " + timeText(facts.trace().time(memset).length()) + " instead of " +
                timeText(facts.solo(memset)) + " inside ";
    return text + (held.kernel == kNoActivity ? "kernels" : activityName(facts, held.kernel)) + ":" +
           gridText(facts, held.kernel) + ".";
}

class Judge : public RuleJudge {
public:
    explicit Judge(const TraceFacts& facts)
        : RuleJudge(facts, {maskOf(ActivityClass::Memset)}) {}
    void see(const Passing& memset) override {
        if (facts().trace().engine(memset.row) != EngineKind::Compute)
            return;
        const Held held = heldOf(facts(), facts().waits()[memset.number]);
        if (held.time() == 0)
            return;
        m_evidence.add(held.time(), memset);
        m_lost.push_back(held.waited);
        m_lost.push_back(held.starved);
    }
    std::optional<Ruling> rule() override {
        if (m_evidence.empty())
            return {};
        // Only running again with a smaller grid confirms it.
        Ruling ruling{FindingStatus::Consistent,
                      IntervalSet::unionOf(std::move(m_lost)).total(),
                      std::move(m_evidence),
                      {}};
        const std::uint64_t count = ruling.evidence.count();
        ruling.text = std::to_string(count) + (count == 1 ? " memset" : " memsets") +
                      " waited or starved for " + timeText(ruling.lost) + " in all. " +
                      sentence(facts(), ruling.evidence.worst());
        return ruling;
    }

private:
    Evidence m_evidence;
    std::vector<Interval> m_lost;
};

// Where no memset waited for a grid or ran beside one longer than alone, none can have been held.
bool someWereHeld(const TraceFacts& facts, const DeviceReport& device) {
    const DeviceFacts& known = facts.perDevice()[device.index];
    const bool slowed = known.blocked.blocked(ActivityClass::Memset, ActivityClass::Kernel) > 0;
    return !known.full.empty() && device.classes.at(ActivityClass::Memset).count > 0 &&
           (slowed || facts.waitTable().count(WaitCause::FullGrid) > 0);
}

std::unique_ptr<RuleJudge> judge(const TraceFacts& facts) {
    const bool mayBe = std::ranges::any_of(
        facts.devices(), [&](const DeviceReport& device) { return someWereHeld(facts, device); });
    return mayBe ? std::make_unique<Judge>(facts) : nullptr;
}

std::string residencyBesideMemsets(const TraceFacts& facts) {
    const bool lacks = std::ranges::any_of(facts.devices(), [&](const DeviceReport& d) {
        return d.classes.at(ActivityClass::Memset).count > 0 &&
               d.classes.at(ActivityClass::Kernel).count > 0 && !facts.perDevice()[d.index].knowsResidency;
    });
    return lacks ? "how many blocks the device holds at once (solo runs)" : "";
}

} // namespace

RuleRow row() {
    static constexpr Need kNeeds[] = {residencyBesideMemsets};
    return {.id = "memset-full-grid", .needs = kNeeds, .judge = judge};
}

} // namespace olab::analysis::rules::memset_full_grid
