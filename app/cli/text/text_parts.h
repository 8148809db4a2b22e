// Parts of the text of a report.
#pragma once

#include "printed.h"

#include <olab/recording/recording.h>

namespace olab::cli {

// What a recording is: its name, device, origin, note and settings, and how far to trust it.

/// Lines; the first is the name.
Printed headingText(const recording::Recording& recording);

// What the text of a report says of merged recordings, of communication and of collectives.

/// Empty for what was not merged and does not communicate.
Printed ranksText(const recording::Recording& recording);

// What the text of a report says of the repeating iteration.

/// Empty where nobody looked for one.
Printed steadyText(const recording::Recording& recording);

} // namespace olab::cli
