// What the model of the run misses, and waits that no record explains.
#include "causes/cause_case.h"

namespace olab::causes::unexplained {

CauseRow row() {
    return {.label = "model error", .family = CauseFamily::Unknown};
}

} // namespace olab::causes::unexplained
