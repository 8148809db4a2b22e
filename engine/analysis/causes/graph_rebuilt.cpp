// Graphs that are captured and instantiated while the device waits for them.
#include "causes/cause_case.h"

namespace olab::analysis::causes::graph_rebuilt {

CauseRow row() {
    return {.label = "making CUDA graphs",
            .family = CauseFamily::Host,
            .title = "The host makes CUDA graphs again",
            .because = "the device waits while CUDA graphs are made (capture, instantiate, changed nodes)",
            .why =
                "Capturing and instantiating a graph takes the host as long as many launches of it, and the "
                "device had nothing to do meanwhile.",
            .advice = "Make each graph once and launch it again. Where parameters change, update the "
                      "executable graph (cudaGraphExecUpdate) instead of making a new one.",
            .inPyTorch = "Capture one graph for each shape (pad the others to it) with inputs that stay in "
                         "place, and replay it; copy new inputs into them.",
            .page = "CUDA C++ Programming Guide, CUDA Graphs, Updating Instantiated Graphs",
            .namesCall = true,
            .isProved = callIsMost};
}

} // namespace olab::analysis::causes::graph_rebuilt
