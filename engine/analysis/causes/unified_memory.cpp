// Migrations of managed memory.
#include "causes/cause_case.h"

namespace olab::analysis::causes::unified_memory {
CauseRow row() {
    return {.label = "migrations of managed memory",
            .family = CauseFamily::Duration,
            .title = "Managed memory moved at first touch",
            .because = "managed memory moves only when it is touched",
            .why = "Managed memory moves page by page when it is touched where it is not: the kernel stands "
                   "while its pages come.",
            .advice = "Prefetch each part in its stream before the kernel that reads it "
                      "(cudaMemPrefetchAsync), or copy it explicitly from pinned memory.",
            .page = "NVIDIA, CUDA Programming Guide, \"Unified Memory\"",
            .isProved = alwaysProved};
}

} // namespace olab::analysis::causes::unified_memory
