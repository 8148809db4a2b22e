// The measured numbers, by the rules of the counting contract (tests/data/reference_overlap.py).
#pragma once

#include <olab/analysis/facts.h>

namespace olab {

/// What one device's numbers are made of, gathered in one pass over the trace.
struct DeviceRows {
    struct Rows {
        ClassNumbers numbers; ///< count, sum, zeroDuration, bytes; the rest is filled by measureDevice
        std::vector<Interval> intervals; ///< in begin order
        std::vector<bool> queues;        ///< which streams it occurred in, by QueueId
    };
    std::array<Rows, kDeviceClassCount> classes;
    std::vector<Interval> unified, explicitCopies; ///< migrations of any class; H2D and D2H that are none
    bool any() const;
};
std::vector<DeviceRows> gatherRows(const Trace& trace);

using ClassCoverage = std::array<IntervalSet, kDeviceClassCount>;
/// The lanes' own coverage per class: what is judged is what is drawn.
ClassCoverage classCoverage(const LaneSet& lanes, std::uint8_t device);

DeviceReport measureDevice(const Trace& trace, const LaneSet& lanes, std::uint8_t device, DeviceRows& rows,
                           const ClassCoverage& coverage);
HostNumbers measureHost(const Trace& trace);

/// The lower median; 0 for none. Reorders its argument.
Ns medianOf(std::vector<Ns>& values);

} // namespace olab
