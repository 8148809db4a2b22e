// How long the ops of one class were kept from making progress by ops of another.
#pragma once

#include <olab/analysis/facts.h>

namespace olab {

struct BlockedTimes {
    /// [waiting class][class that held or slowed it]
    std::array<std::array<Ns, kDeviceClassCount>, kDeviceClassCount> by{};
    std::array<Ns, kDeviceClassCount> soloSum{};
    std::array<Ns, kDeviceClassCount> median{}; ///< of the durations
    Ns blocked(ActivityClass waiting, ActivityClass holder) const {
        return by[static_cast<std::size_t>(waiting)][static_cast<std::size_t>(holder)];
    }
    Ns solo(ActivityClass c) const { return soloSum[static_cast<std::size_t>(c)]; }
};

/// One per device of the trace. A wait counts for the class of its blocker; an op held by the NULL stream is
/// blocked by each class for the time that class ran meanwhile, for it is that work it was made to wait for;
/// a stretch counts as stretchBy says.
std::vector<BlockedTimes> blockedTimes(const Facts& facts);

} // namespace olab
