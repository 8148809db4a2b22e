// Its engine had other work: the bound, which costs nothing.
#include "causes/cause_case.h"

namespace olab::causes::engine_bound {

CauseRow row() {
    return {.label = "busy engine",
            .family = CauseFamily::Bound,
            .title = "One engine is the bound",
            .why = "An engine does one thing at a time: what waits for it waits for the bound.",
            .advice = "What helps now is less or faster work for that engine."};
}

} // namespace olab::causes::engine_bound
