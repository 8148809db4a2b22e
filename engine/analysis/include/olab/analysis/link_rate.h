// Copy rate of pinned memory over a card's link, for recordings without such a copy to learn from.
#pragma once

#include <olab/trace/records.h>

namespace olab::analysis {

/// Bytes per ns. From the card's generation of PCIe, 16 lanes wide, which its name tells, else its compute
/// capability: about 12.5, 25 and 55 with PCIe 3, 4 and 5, four fifths of the rate of the lanes. The lowest
/// rate for unknown cards, so that no time is called lost that cannot be saved.
double usualLinkRate(const DeviceRecord& device);

} // namespace olab::analysis
