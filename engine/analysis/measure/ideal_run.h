// The run of the same pipeline that nothing holds back: each op for its solo duration, as soon as the one
// before it in its pipeline has ended and its engine has room. No host, no NULL stream, no waits between
// pipelines: those are causes that can be fixed. What does not meet here gives overlap no chance.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

class IdealRun {
public:
    /// Without a schedule the streams of the trace stand for the pipelines. Played when first asked.
    explicit IdealRun(const Facts& facts)
        : m_facts(facts) {}
    /// Of what was attainable, how much of `a` and `b` would be at the same time on a device (index into
    /// Trace::devices()). Nothing where it cannot be said: fewer than two pipelines do both, so that the
    /// order of one is all that keeps them apart, and more of them are the remedy.
    std::optional<double> overlap(std::uint8_t device, ActivityClass a, ActivityClass b);
    Ns length(); ///< from the begin of its first op to the end of its last

private:
    void play();
    struct Device {
        std::array<IntervalSet, kDeviceClassCount> coverage;
        std::vector<ClassMask> pipelines; ///< what each that works on this device does on it
    };
    const Facts& m_facts;
    std::vector<Device> m_devices;
    Ns m_length = 0;
};

} // namespace olab::analysis
