// Which work of a trace a window holds. Private to the module.
#pragma once

#include <olab/trace/trace.h>

#include <vector>

namespace olab::recorded_work::detail {

/// Device work of a window: rows of one device, by begin.
struct WorkRows {
    std::vector<ActivityIndex> rows;
    std::uint8_t device = 0;
    std::size_t elsewhere = 0;  ///< operations of other devices, left out
    std::size_t migrations = 0; ///< of unified memory, left out
};
/// @throws Error kind Usage: no-work, too-many
WorkRows rowsIn(const Trace& trace, Interval window);

} // namespace olab::recorded_work::detail
