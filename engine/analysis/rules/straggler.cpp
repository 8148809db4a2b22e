// One device arrives late at the collectives, and all others wait for it inside theirs.
#include "rules/before_collective.h"
#include "rules/rule.h"

#include <olab/analysis/collectives.h>

namespace olab::analysis::rules::straggler {
namespace {

std::optional<RuleResult> judge(const TraceFacts& facts) {
    if (!facts.collectives() || !facts.collectives()->straggler)
        return {};
    const Collectives& found = *facts.collectives();
    const CollectiveDevice& late = found.devices[*found.straggler];
    RuleResult result{FindingStatus::Proved, late.waitedFor, {}, found.text};
    for (const CollectiveWait& wait : found.worst)
        if (wait.device == late.device)
            for (const ActivityIndex row : wait.waiting)
                result.evidence.add(wait.waited, row, ActivityClass::Kernel);
    result.text +=
        " That time is inside their kernels, where it looks like work." + beforeItCame(facts, found);
    return result;
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
