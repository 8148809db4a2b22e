#include "causes/cause_case.h"

#include <algorithm>

namespace olab::analysis {

ExplainedWait waitOf(const CauseCase& c, ActivityIndex row) {
    return c.waits[c.facts.deviceWork().numberOf(row)];
}

bool anyIs(const CauseCase& c, bool (*is)(const CauseCase&, ActivityIndex)) {
    return std::ranges::any_of(c.entry.activities, [&](ActivityIndex row) { return is(c, row); });
}

bool callIsMost(const CauseCase& c) {
    return c.call.isMost();
}

bool alwaysProved(const CauseCase&) {
    return true;
}

bool isRecorded(const CauseCase& c) {
    return !c.entry.isInferred;
}

} // namespace olab::analysis
