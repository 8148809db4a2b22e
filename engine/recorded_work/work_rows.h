// The work of a trace within a window. Private to the module.
#pragma once

#include <olab/trace/trace.h>

#include <vector>

namespace olab::recorded_work::detail {

/// Device work of a window: rows of one device, by begin.
struct WorkRows {
    std::vector<ActivityIndex> rows;
    std::uint8_t device = 0;
    std::size_t elsewhere = 0;  ///< omitted operations of other devices
    std::size_t migrations = 0; ///< omitted migrations of unified memory
};
/// @throws Error kind Usage: no-work, too-many
WorkRows rowsIn(const Trace& trace, Interval window);

} // namespace olab::recorded_work::detail
