// The host was busy with something else than issuing.
#include "causes/cause_case.h"

namespace olab::causes::host_late {

CauseRow row() {
    return {.label = "CPU launches too late",
            .family = CauseFamily::Host,
            .title = "The host issued late",
            .because = "the CPU launches work too late",
            .why =
                "The device had nothing left to do, and the host was busy with something else than issuing.",
            .advice = "Issue the work earlier, or from another thread: what the host does between two calls "
                      "holds the device where nothing is queued.",
            .namesCall = true,
            .isProved = callIsMost};
}

} // namespace olab::causes::host_late
