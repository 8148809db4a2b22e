// The same pipeline without obstacles: each op takes its solo duration and starts as soon as the op before it
// in its pipeline has ended and its engine has room. No host, no NULL stream, no waits between pipelines:
// those are causes that can be fixed. Classes that do not meet in this run cannot overlap.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

class IdealRun {
public:
    /// Without a schedule, the streams of the trace serve as pipelines. The run is simulated on first use.
    explicit IdealRun(const Facts& facts)
        : m_facts(facts) {}
    /// The share of the attainable overlap of `a` and `b` in the ideal run, on a device (index into
    /// Trace::devices()). Nothing if unknown: fewer than two pipelines do both, so only the order within one
    /// pipeline separates them, and the remedy is more pipelines.
    std::optional<double> overlap(std::uint8_t device, ActivityClass a, ActivityClass b);
    Ns length(); ///< from the begin of its first op to the end of its last

private:
    void play();
    struct Device {
        std::array<IntervalSet, kDeviceClassCount> coverage;
        std::vector<ClassMask> pipelines; ///< per pipeline: the classes it runs on this device
    };
    const Facts& m_facts;
    std::vector<Device> m_devices;
    Ns m_length = 0;
};

} // namespace olab::analysis
