// Copies from or to pageable host memory.
#include "causes/cause_case.h"
#include "causes/pages.h"

namespace olab::analysis::causes::pageable {
namespace {

bool isPageableCopy(const CauseCase& c, ActivityIndex row) {
    return c.facts.work(row).isPageable();
}

bool isProved(const CauseCase& c) {
    return anyIs(c, isPageableCopy);
}

} // namespace

CauseRow row() {
    static constexpr OptionChange kPinned[] = {{"h2d.memory", "pinned", maskOf(ActivityClass::MemcpyH2D)},
                                               {"d2h.memory", "pinned", maskOf(ActivityClass::MemcpyD2H)}};
    static constexpr Remedy kRemedies[] = {{kPinned}};
    return {.label = "pageable memory",
            .family = CauseFamily::Duration,
            .title = "Pageable host memory",
            .because = "copies use pageable memory (malloc, not cudaMallocHost)",
            .why = "On most systems a copy engine reads and writes page-locked memory only. There the "
                   "driver moves pageable data through a page-locked buffer of its own, piece by piece, "
                   "while the issuing call waits (small copies to the device apart): its thread issues "
                   "nothing else meanwhile.",
            .advice = "Allocate the host buffers pinned (cudaMallocHost or cudaHostRegister): only then may "
                      "the call return before the copy has been made, whatever its size.",
            .inPyTorch = "Put the batches into pinned memory and copy them without waiting: "
                         "DataLoader(pin_memory=True) or tensor.pin_memory(), then "
                         "tensor.to(device, non_blocking=True).",
            .page = kSyncPage,
            .remedies = kRemedies,
            .isProved = isProved};
}

} // namespace olab::analysis::causes::pageable
