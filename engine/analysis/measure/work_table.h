// Solo duration of each op: from the solo runs of the same job, else the shortest of its kind in the trace.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

struct WorkTable {
    std::vector<Work> works;
    std::vector<std::uint32_t> workOfKind; ///< by kind of activity; empty if the planned op decides
    Column<std::uint32_t> workOf;          ///< in that case, by number of device work
    bool hasSolos = false;                 ///< at least one activity has a solo run
};
/// One pass over the device work. @throws Error only when cancelled
WorkTable findWork(const Facts& facts, const RunControl& control);

} // namespace olab::analysis
