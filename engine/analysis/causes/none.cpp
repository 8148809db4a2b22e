// No cause: the work began when its stream came to it. What the program asked for, and what its engines take.
#include "causes/cause_case.h"

namespace olab::causes::none {

CauseRow row() {
    return {.label = "nothing", .family = CauseFamily::None};
}

} // namespace olab::causes::none
