// CUDA_LAUNCH_BLOCKING: every launch waits for its work.
#include "causes/cause_case.h"
#include "causes/pages.h"

namespace olab::analysis::causes::launch_blocking {

CauseRow row() {
    static constexpr OptionChange kNotBlocking[] = {{"env.launch_blocking", "off"}};
    static constexpr Remedy kRemedies[] = {{kNotBlocking}};
    return {.label = "blocking launches",
            .family = CauseFamily::Host,
            .title = "Every launch waited for its work",
            .because = "every launch returns only when its work is done (CUDA_LAUNCH_BLOCKING)",
            .why = "At least 9 of 10 launches returned only when their kernel had ended, so that nothing "
                   "else was queued beside it.",
            .advice = "Unset CUDA_LAUNCH_BLOCKING, or leave out what synchronises after each launch: it is "
                      "for debugging.",
            .page = kEnvironmentPage,
            .remedies = kRemedies,
            // each launch and its kernel were recorded
            .isProved = alwaysProved};
}

} // namespace olab::analysis::causes::launch_blocking
