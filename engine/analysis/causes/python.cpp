// The Python code of the program between two calls.
#include "causes/cause_case.h"

namespace olab::analysis::causes::python {

CauseRow row() {
    return {.label = "Python code",
            .family = CauseFamily::Host,
            .title = "Python code held the device up",
            .because = "Python code runs between the calls while the device waits",
            .why = "The thread that issues the work was in Python code that issues nothing: "
                   "neither a CUDA call nor an operator of the framework. Nothing was queued on "
                   "the device meanwhile.",
            .advice = "Move that code out of the loop or into another process or thread, and issue work "
                      "further ahead. A profiler that records Python stacks names the lines.",
            .inPyTorch = "Move that code out of the loop or into another process or thread, and issue work "
                         "further ahead. torch.profiler with with_stack=True names the lines.",
            .namesCall = false,
            .hostsOwn = true,
            .isProved = nullptr};
}

} // namespace olab::analysis::causes::python
