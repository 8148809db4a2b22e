// What rows of Nsight Systems and nvprof have in common: device work. Private to io.
#pragma once

#include "table_scan.h"

namespace olab::io::imports {

inline constexpr const char* kNoTime = "times that are no whole numbers";

/// A number of a record in `column`; `otherwise` if it is NULL or -1. No other one is below 0 or has more
/// than 32 bits: that is odd.
std::uint32_t number(const RowCells& cells, int column, std::uint32_t otherwise = kNoNumber);

/// An id of a file (FileNumbers).
std::int64_t id(const RowCells& cells, int column);

/// Columns 0 and 1. False: the row is refused.
bool readTimes(const RowCells& cells, ScannedRow& row);

/// The first columns of all device work, as read by readWork().
#define OLAB_WORK_COLUMNS "start", "end", "deviceId", "contextId", "streamId", "correlationId"
inline constexpr int kWorkColumns = 6;
bool readWork(const RowCells& cells, ScannedRow& row);

/// From `first` on: registers per thread, static and dynamic shared memory, grid x y z, block x y z.
KernelGeometry geometryFrom(const RowCells& cells, int first);

} // namespace olab::io::imports
