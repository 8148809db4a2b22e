// A comparison for a person at a terminal.
#pragma once

#include "printed.h"

#include <olab/comparison/comparison.h>

namespace olab::cli {

Printed comparisonText(const comparison::Comparison& comparison);

} // namespace olab::cli
