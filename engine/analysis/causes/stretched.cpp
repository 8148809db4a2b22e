// Work slowed by concurrent work.
#include "causes/cause_case.h"

namespace olab::analysis::causes::stretched {

CauseRow row() {
    return {.label = "slowed by others",
            .family = CauseFamily::Duration,
            .title = "Slowed by concurrent work",
            .because = "work is slowed by what runs beside it",
            .why = "Work that runs at once shares the link to the host, the memory of the device and the "
                   "SMs: it took longer than the same work takes alone.",
            .advice = "Reordering the work does not help; less traffic would. See whether kernels read "
                      "or write host memory in place, and whether both directions need the link at once.",
            .slows = true};
}

} // namespace olab::analysis::causes::stretched
