// What the text of a report says of the repeating iteration.
#pragma once

#include "printed.h"

#include <olab/recording/recording.h>

namespace olab::cli {

/// Empty where nobody looked for one.
Printed steadyText(const recording::Recording& recording);

} // namespace olab::cli
