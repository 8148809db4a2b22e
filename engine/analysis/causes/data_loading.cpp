// The host waited for the next batch.
#include "causes/cause_case.h"

namespace olab::analysis::causes::data_loading {

CauseRow row() {
    return {.label = "data loading",
            .family = CauseFamily::Host,
            .title = "The device waited for the next batch",
            .because = "the host loads the next batch while the device waits",
            .why = "The thread that issues the work was loading or preparing data (DataLoader), "
                   "and nothing was queued on the device meanwhile. The cost is what loading that "
                   "is done in time could bring: an upper limit, since workers need time and cores "
                   "too.",
            .advice = "Load batches in other processes and ahead of time (PyTorch: DataLoader with "
                      "num_workers above 0, persistent_workers=True, prefetch_factor), or move the "
                      "preparation to the device.",
            .inPyTorch = "Load batches ahead of time in other processes: "
                         "DataLoader(num_workers=4, persistent_workers=True, prefetch_factor=4, "
                         "pin_memory=True), or prepare them on the device.",
            .namesCall = true,
            .isProved = callIsMost};
}

} // namespace olab::analysis::causes::data_loading
