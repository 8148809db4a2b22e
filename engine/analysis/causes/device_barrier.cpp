// Calls that wait for the whole device: freeing memory and unpinning it.
#include "causes/cause_case.h"

namespace olab::analysis::causes::device_barrier {

CauseRow row() {
    static constexpr OptionChange kNoCall[] = {{"interfere", "none"}};
    static constexpr Remedy kRemedies[] = {{kNoCall}};
    return {.label = "calls that empty the device",
            .family = CauseFamily::Order,
            .title = "A call emptied the device",
            .because = "calls that free or unpin memory wait for the whole device (cudaFree, cudaFreeHost)",
            .why = "The call returned only when all work that was issued before had ended, and nothing was "
                   "queued meanwhile.",
            .advice = "Allocate, pin and free outside of the loop, or in stream order (cudaMallocAsync, "
                      "cudaFreeAsync): cudaFree, cudaFreeHost and cudaHostUnregister may wait until all "
                      "streams are empty.",
            .page = "NVIDIA, CUDA Runtime API, cudaFree (\"may perform implicit synchronization\")",
            .remedies = kRemedies,
            .namesCall = true,
            .isProved = callIsMost};
}

} // namespace olab::analysis::causes::device_barrier
