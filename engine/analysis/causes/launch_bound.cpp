// Calls that take longer than the work they issue.
#include "causes/cause_case.h"

namespace olab::analysis::causes::launch_bound {

CauseRow row() {
    static constexpr OptionChange kGraph[] = {{"submit", "graph"}};
    static constexpr Remedy kRemedies[] = {{kGraph}};
    return {.label = "API call overhead",
            .family = CauseFamily::Host,
            .title = "Launch-bound host",
            .because = "API calls take longer than the work they launch (a CUDA graph takes less)",
            .why = "Each call costs the host some microseconds. Where the operations are as short as that, "
                   "the device has done each before the next is issued.",
            .advice = "Issue fewer and larger operations, or launch them together as a CUDA graph.",
            .inPyTorch = "Capture the step as a CUDA graph (torch.cuda.graph, or "
                         "torch.compile(mode=\"reduce-overhead\")), and use fused operators "
                         "(optimizers with fused=True).",
            .remedies = kRemedies,
            .hostsOwn = true};
}

} // namespace olab::analysis::causes::launch_bound
