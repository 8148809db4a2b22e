// Statistics by name as a table for a person at a terminal.
#pragma once

#include "printed.h"

#include <olab/analysis/statistics.h>

namespace olab::cli {

/// The first `most` rows, aligned; columns that say nothing are left out.
Printed statisticsText(const analysis::Statistics& statistics, std::size_t most);

} // namespace olab::cli
