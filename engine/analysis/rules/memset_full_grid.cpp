// A memset runs on the SMs like a kernel: while resident grids fill the device it starts late, or starts and
// starves.
#include "../full_grid.h"
#include "../sentences.h"
#include "../wait_finder.h"
#include "rule_functions.h"

#include <algorithm>

namespace olab {
namespace {

struct Held {
    Interval waited, starved; // empty when it was not
    ActivityIndex kernel = kNoActivity;
    Ns time() const { return waited.length() + starved.length(); }
};

// What a full grid cost one memset: time before it began, and time it ran longer than alone.
Held heldOf(const Facts& facts, const Wait& w) {
    Held held;
    const Interval time = facts.trace().time(w.activity);
    const DeviceFacts& device = facts.perDevice()[facts.trace()[w.activity].device];
    if (w.cause == WaitCause::FullGrid) {
        held.waited = {time.begin - w.held, time.begin};
        held.kernel = w.blocker;
    }
    const FullGridHold inside = heldByFullGrid(device, time);
    const Ns starved = std::min(w.stretched, inside.time);
    if (starved > std::max(kHopLatency, facts.solo(w.activity))) {
        held.starved = {time.end - starved, time.end};
        if (starved > held.waited.length())
            held.kernel = inside.kernel;
    }
    return held;
}

std::string sentence(const Facts& facts, ActivityIndex memset, const Held& held) {
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

bool lacksResidency(const Facts& facts) {
    return std::any_of(facts.devices().begin(), facts.devices().end(), [&](const DeviceReport& d) {
        return d.classes.at(ActivityClass::Memset).count > 0 &&
               d.classes.at(ActivityClass::Kernel).count > 0 && !facts.perDevice()[d.index].knowsResidency;
    });
}

} // namespace

RuleResult judgeMemsetFullGrid(const Facts& facts) {
    Evidence evidence;
    std::vector<Interval> lost;
    for (const DeviceReport& device : facts.devices()) {
        if (facts.perDevice()[device.index].full.empty()) // nothing filled it
            continue;
        for (const ActivityIndex i : facts.ofEngine(device.index, EngineKind::Compute)) {
            if (facts.trace().cls(i) != ActivityClass::Memset)
                continue;
            const Held held = heldOf(facts, *facts.waitOf(i));
            if (held.time() == 0)
                continue;
            evidence.add(held.time(), i);
            lost.push_back(held.waited);
            lost.push_back(held.starved);
        }
    }
    if (evidence.empty())
        return lacksResidency(facts)
                   ? RuleResult(abstentionOf("memset-full-grid",
                                             "how many blocks the device holds at once (solo runs)"))
                   : RuleResult();
    Finding finding = findingOf("memset-full-grid");
    finding.status = FindingStatus::Consistent; // only running again with a smaller grid confirms it
    finding.lost = IntervalSet::unionOf(std::move(lost)).total();
    evidence.giveTo(finding);
    const ActivityIndex worst = finding.activities.front();
    finding.text = sentence(facts, worst, heldOf(facts, *facts.waitOf(worst))) + " " +
                   std::to_string(evidence.count()) + (evidence.count() == 1 ? " memset" : " memsets") +
                   " lost " + timeText(finding.lost) + " in all.";
    return Diagnosis{std::move(finding), {{{{"kernel.blocks", "64"}}, {}}, {{{"kernel.blocks", "16"}}, {}}}};
}

} // namespace olab
