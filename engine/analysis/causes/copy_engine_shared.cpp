// One engine copies in both directions: the bound.
#include "causes/cause_case.h"

namespace olab::analysis::causes::copy_engine_shared {

CauseRow row() {
    return {.label = "one copy engine",
            .family = CauseFamily::Bound,
            .title = "One copy engine for both directions",
            .why = "An engine does one copy at a time, and this device has one for both directions.",
            .advice = "Hide copies behind kernels instead of behind each other: issue the copies of all "
                      "streams to the device before those back (breadth first)."};
}

} // namespace olab::analysis::causes::copy_engine_shared
