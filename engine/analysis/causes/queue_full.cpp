// A call waited for room in a hardware queue.
#include "causes/cause_case.h"
#include "causes/pages.h"

namespace olab::analysis::causes::queue_full {

CauseRow row() {
    static constexpr OptionChange kFourfold[] = {{"env.launch_queues", "4x"}};
    static constexpr Remedy kRemedies[] = {{kFourfold}};
    return {.label = "full hardware queues",
            .family = CauseFamily::Host,
            .title = "A hardware queue was full",
            .because = "calls wait for room in hardware queues that are full (CUDA_SCALE_LAUNCH_QUEUES)",
            .why =
                "A hardware queue has room for a limited number of entries that have not begun: on an H200 "
                "1021 in one stream, under 300 in four streams that share a queue. The call that issues one "
                "more returns only when there is room again, and its thread issues nothing for other streams "
                "meanwhile.",
            .advice = "Issue less ahead, from a thread for each stream, or allow larger queues "
                      "(CUDA_SCALE_LAUNCH_QUEUES, set before the process starts).",
            .page = kEnvironmentPage,
            .remedies = kRemedies};
}

} // namespace olab::analysis::causes::queue_full
