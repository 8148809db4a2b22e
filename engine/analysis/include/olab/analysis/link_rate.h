// How fast pinned memory is copied over the link of a card, where a recording has no such copy to learn from.
#pragma once

#include <olab/trace/records.h>

namespace olab::analysis {

/// Bytes per ns. By the generation of PCIe that the card has, 16 lanes wide, which its name tells, else its
/// compute capability: about 12.5, 25 and 55 with PCIe 3, 4 and 5, four fifths of the rate of the lanes. Of a
/// card that nobody knows the least: no time is called lost that could not be won.
double usualLinkRate(const DeviceRecord& device);

} // namespace olab::analysis
