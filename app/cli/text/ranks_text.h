// What the text of a report says of merged recordings, of communication and of collectives.
#pragma once

#include "printed.h"

#include <olab/recording/recording.h>

namespace olab::cli {

/// Empty for what was not merged and does not communicate.
Printed ranksText(const recording::Recording& recording);

} // namespace olab::cli
