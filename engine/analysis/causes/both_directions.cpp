// Copies to and from the device share a resource such as the link: the bound.
#include "causes/cause_case.h"

namespace olab::analysis::causes::both_directions {

CauseRow row() {
    return {.label = "copies in both directions",
            .family = CauseFamily::Bound,
            .title = "Both copy directions slow each other",
            .why = "Copies in both directions have engines of their own, but share the memory of the host, "
                   "and often the way to it.",
            .advice = "Copy fewer bytes, keep host buffers in the memory next to the device (NUMA), and "
                      "compare runs of one machine only: reordering the work does not help."};
}

} // namespace olab::analysis::causes::both_directions
