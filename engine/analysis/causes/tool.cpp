// The recording itself.
#include "causes/cause_case.h"

namespace olab::analysis::causes::tool {

CauseRow row() {
    return {.label = "the recording itself",
            .family = CauseFamily::Duration,
            .title = "The recording took time itself",
            .because = "the recording itself takes time",
            .why = "Each recorded activity costs the host and the device a little.",
            .advice = "Believe the untraced time; record fewer kinds of activities.",
            .page = "NVIDIA, CUPTI documentation (docs.nvidia.com/cupti/main/main.html)",
            // it was run without being recorded too
            .isProved = alwaysProved};
}

} // namespace olab::analysis::causes::tool
