// Hundreds of small copies instead of one.
#include "causes/cause_case.h"

namespace olab::analysis::causes::small_copies {

CauseRow row() {
    return {.label = "many small copies",
            .family = CauseFamily::Host,
            .title = "Many small copies in a row",
            .because = "many small copies are issued one by one where one would do",
            .why = "A copy costs the host some microseconds and the copy engine one or two, "
                   "however small it is. Runs of small copies in the same direction take that time "
                   "again and again.",
            .advice = "Put the data together in one host buffer and copy it at once; on the device "
                      "use parts of it (PyTorch: one flat tensor and views).",
            .inPyTorch = "Keep the values in one flat pinned tensor, copy it at once with "
                         "non_blocking=True, and use views of it on the device.",
            .namesCall = true,
            .isProved = alwaysProved};
}

} // namespace olab::analysis::causes::small_copies
