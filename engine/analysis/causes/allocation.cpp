// Memory is allocated, freed or pinned while the device could work.
#include "causes/cause_case.h"

namespace olab::analysis::causes::allocation {

CauseRow row() {
    return {.label = "allocation",
            .family = CauseFamily::Host,
            .title = "Memory is allocated and freed in the loop",
            .because = "memory is allocated, freed or pinned in the loop",
            .why = "Allocating, freeing and pinning memory takes the host long, and some of these "
                   "calls return only when the device is idle. Nothing is queued meanwhile.",
            .advice = "Allocate and pin once, before the loop, or use a memory pool "
                      "(cudaMallocAsync and cudaFreeAsync; PyTorch: no empty_cache() in the loop; "
                      "CuPy: the default memory pool).",
            .inPyTorch = "Leave torch.cuda.empty_cache(), pin_memory() and changing tensor sizes "
                         "out of the loop: the caching allocator then reuses its memory.",
            .page = "NVIDIA, CUDA Runtime API, cudaFree (\"may perform implicit synchronization\")",
            .namesCall = true,
            .isProved = callIsMost};
}

} // namespace olab::analysis::causes::allocation
