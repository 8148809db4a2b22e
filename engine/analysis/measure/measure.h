// The measured numbers, as the counting contract defines them (tests/data/reference_overlap.py).
#pragma once

#include "measure/row_sums.h"

namespace olab::analysis {

/// Coverage per class as drawn in the lanes, so that numbers and picture agree.
std::array<IntervalSet, kDeviceClassCount> classCoverage(const LaneSet& lanes, std::uint8_t device);

/// The numbers of one device; `known` provides coverage and overlaps.
DeviceReport deviceReportOf(const Facts& facts, std::uint8_t device, const RowSums& rows,
                            const DeviceFacts& known);

/// The lower median; 0 if empty. Reorders its argument.
Ns medianOf(std::vector<Ns>& values);

} // namespace olab::analysis
