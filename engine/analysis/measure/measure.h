// The measured numbers, by the rules of the counting contract (tests/data/reference_overlap.py).
#pragma once

#include "measure/row_sums.h"

namespace olab::analysis {

/// The lanes' own coverage per class: what is judged is what is drawn.
std::array<IntervalSet, kDeviceClassCount> classCoverage(const LaneSet& lanes, std::uint8_t device);

/// The numbers of one device of which `known` has coverage and overlaps.
DeviceReport deviceReportOf(const Facts& facts, std::uint8_t device, const RowSums& rows,
                            const DeviceFacts& known);

/// The lower median; 0 for none. Reorders its argument.
Ns medianOf(std::vector<Ns>& values);

} // namespace olab::analysis
