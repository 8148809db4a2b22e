// What the text of a report says of merged recordings and of collectives.
#pragma once

#include "printed.h"

#include <olab/recording/recording.h>

namespace olab::cli {

/// Empty for what was not merged and has no collectives of several devices.
Printed ranksText(const recording::Recording& recording);

} // namespace olab::cli
