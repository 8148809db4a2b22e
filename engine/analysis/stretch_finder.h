// How much longer than alone an op ran, and who was there meanwhile.
#pragma once

#include <olab/analysis/facts.h>

namespace olab {

/// Give it the activities in begin order: it remembers which op of each class reaches furthest.
class StretchFinder {
public:
    explicit StretchFinder(const Facts& facts);
    void find(Wait& wait); ///< fills stretched and stretcher

private:
    ActivityIndex longestBeside(ActivityIndex activity) const;
    const Facts& m_facts;
    /// Per device and class: of those that began so far the one that ends last.
    std::vector<std::array<ActivityIndex, kDeviceClassCount>> m_reaching;
};

/// What of `wait`'s stretch `other` can be blamed for. Never more than the time `other` was resident during
/// the op. Ops of the same kind of hardware (SMs; copy engines and the link) explain a stretch first: a class
/// on the other kind is blamed only for what exceeds the time the op shared its own hardware, so neither
/// kernels that share the SMs nor copies that share the link are held against the pair.
Ns stretchBy(const Facts& facts, const Wait& wait, ActivityClass other);

} // namespace olab
