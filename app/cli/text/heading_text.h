// What a recording is: its name, device, origin, note and settings, and how far to trust it.
#pragma once

#include "printed.h"

#include <olab/recording/recording.h>

namespace olab::cli {

/// Lines; the first is the name.
Printed headingText(const recording::Recording& recording);

} // namespace olab::cli
