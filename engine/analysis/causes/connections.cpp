// Streams that share a hardware queue.
#include "causes/cause_case.h"
#include "causes/pages.h"

namespace olab::analysis::causes::connections {

CauseRow row() {
    static constexpr OptionChange kMostQueues[] = {{"env.max_connections", "32"}};
    static constexpr Remedy kRemedies[] = {{kMostQueues}};
    return {.label = "shared hardware queues",
            .family = CauseFamily::Engines,
            .title = "Streams shared a hardware queue",
            .because = "there are fewer hardware queues than streams (CUDA_DEVICE_MAX_CONNECTIONS)",
            .why =
                "Where streams share a hardware queue, an operation that waits for another engine holds up "
                "what was issued behind it in that queue, as if the streams depended on each other.",
            .advice = "Allow as many hardware queues as there are streams (CUDA_DEVICE_MAX_CONNECTIONS, 32 "
                      "at most, set before the process starts; 8 where it is not set), use fewer streams, or "
                      "issue all of one stream's pass before the next stream's (depth first). Some programs "
                      "set the variable to 1 on purpose, to keep their launches in order: leave it there.",
            .page = kEnvironmentPage,
            .remedies = kRemedies};
}

} // namespace olab::analysis::causes::connections
