// How long each op takes alone: from the solo runs of the same job, else the shortest of its kind in the
// trace.
#pragma once

#include <olab/analysis/facts.h>

namespace olab {

struct WorkTable {
    std::vector<Work> works;
    std::vector<std::uint32_t> workOfKind; ///< by kind of activity; empty where the planned op decides
    Column<std::uint32_t> workOf;          ///< then by number of device work
    bool hasSolos = false;                 ///< a solo run stands for at least one activity
};
/// One pass over the device work. @throws Error only when cancelled
WorkTable findWork(const Facts& facts, const RunControl& control);

/// The step of the device's time stamps: the greatest common divisor of all begins and ends, counted from the
/// first, at least 1 ns and at most 1 us (no source is coarser; a few round times prove nothing beyond it).
/// NVIDIA devices count in steps of 32 ns, traces written in whole microseconds in steps of 1000 ns.
Ns timeStampResolution(const Facts& facts);

} // namespace olab
