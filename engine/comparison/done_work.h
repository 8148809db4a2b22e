// The work of a run according to its records: count and bytes of each class of device work, and kernels by
// name and grid.
#pragma once

#include <olab/trace/trace.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace olab::comparison {

/// Unsigned, because sums of numbers from files may overflow; equal work still has equal sums.
struct WorkOfClass {
    std::uint64_t count = 0, bytes = 0;
};

struct KernelShape {
    std::string_view name;                        ///< in the records
    std::array<std::uint32_t, 3> grid{}, block{}; ///< 0: not known
    friend auto operator<=>(const KernelShape&, const KernelShape&) = default;
};

struct DoneWork {
    std::array<WorkOfClass, kDeviceClassCount> classes;
    std::map<KernelShape, std::uint64_t> kernels; ///< count per kernel
    bool isNone() const {
        return std::ranges::all_of(classes, [](const auto& c) { return c.count == 0; });
    }
};

DoneWork doneWorkOf(const Trace& trace);
/// Compares kernels by name only: for experiments, whose options determine the work of a kernel, whatever its
/// grid.
void dropGrids(DoneWork& before, DoneWork& after);
/// The same for other programs, for kernels with unknown grids in one of the two.
void dropUnknownGrids(DoneWork& before, DoneWork& after);
/// Of the activities that begin in that time.
DoneWork doneWorkIn(const Trace& trace, Interval time);

} // namespace olab::comparison
