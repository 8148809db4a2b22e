// What a run did, by its records: count and bytes of each class of device work and the kernels by name and
// grid.
#pragma once

#include <olab/trace/trace.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace olab::comparison {

/// Unsigned, for files may hold numbers whose sum is none; equal work has equal sums all the same.
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
    std::map<KernelShape, std::uint64_t> kernels; ///< how many
    bool isNone() const {
        return std::ranges::all_of(classes, [](const auto& c) { return c.count == 0; });
    }
};

DoneWork doneWorkOf(const Trace& trace);
/// Kernels of both by name alone: of experiments, whose options say how much a kernel does, whatever its
/// grid.
void dropGrids(DoneWork& before, DoneWork& after);
/// So too of other programs the kernels of which one of the two does not know all grids.
void dropUnknownGrids(DoneWork& before, DoneWork& after);
/// Of what begins in that time.
DoneWork doneWorkIn(const Trace& trace, Interval time);

} // namespace olab::comparison
