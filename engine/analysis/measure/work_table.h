// How long each op takes alone: from the solo runs of the same job, else the shortest of its kind in the
// trace.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

struct WorkTable {
    std::vector<Work> works;
    std::vector<std::uint32_t> workOfKind; ///< by kind of activity; empty where the planned op decides
    Column<std::uint32_t> workOf;          ///< then by number of device work
    bool hasSolos = false;                 ///< a solo run stands for at least one activity
};
/// One pass over the device work. @throws Error only when cancelled
WorkTable findWork(const Facts& facts, const RunControl& control);

} // namespace olab::analysis
