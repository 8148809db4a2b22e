// Who was there while an op took longer than alone. Asked for one op at a time, for a person to look at, so
// it is found when asked: from what reached furthest when the thousand before it began.
#pragma once

#include "facts/last_ends.h"

namespace olab::analysis {

class StretcherFinder {
public:
    static constexpr std::size_t kEvery = 4096; ///< numbers of device work between two checkpoints
    static std::size_t checkpoints(std::size_t size) { return (size + kEvery - 1) / kEvery; }
    /// Per device and class, what of the numbers before `number`, a multiple of kEvery, ends last.
    static void keep(std::vector<ActivityIndex>& reaching, std::size_t number, const LastEnds& before);
    static ActivityIndex find(const TraceFacts& facts, const std::vector<ActivityIndex>& reaching,
                              ActivityIndex activity);
};

} // namespace olab::analysis
