// Filling and draining of a short run: part of what it needs.
#include "causes/cause_case.h"

namespace olab::analysis::causes::ramp {

CauseRow row() {
    return {.label = "filling and draining",
            .family = CauseFamily::Bound,
            .title = "A short run fills and drains",
            .why = "Until the first data has come, and when the last is on its way back, the other engines "
                   "have nothing to do.",
            .advice = "Run more rounds in one go, or cut each into smaller pieces: a pipeline needs the time "
                      "of one round to fill and to drain, however long it runs."};
}

} // namespace olab::analysis::causes::ramp
