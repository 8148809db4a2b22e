// Short copies behind long ones of their engine.
#include "causes/cause_case.h"

namespace olab::causes::head_of_line {

CauseRow row() {
    return {.label = "long copies before short ones",
            .family = CauseFamily::Engines,
            .title = "Short copies stood behind long ones",
            .because = "short copies stand behind long ones",
            .why = "All copies of one direction share an engine, which does one after the other and "
                   "interrupts none.",
            .advice = "Cut the long copy into pieces and issue the short one between them, or issue the "
                      "short one first."};
}

} // namespace olab::causes::head_of_line
