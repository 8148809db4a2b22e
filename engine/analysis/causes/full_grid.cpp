// The SMs had other work: the bound, which costs nothing.
#include "causes/cause_case.h"

namespace olab::causes::full_grid {

CauseRow row() {
    return {.label = "busy SMs",
            .family = CauseFamily::Bound,
            .title = "The SMs had other work",
            .why = "A grid that fills the device leaves no room for another: their work adds up.",
            .advice = "What helps now is less or faster work on the SMs."};
}

} // namespace olab::causes::full_grid
