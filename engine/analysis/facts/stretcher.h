// Finds the activity that ran while an op took longer than its solo time. Computed on demand for one op, from
// the checkpoint before it.
#pragma once

#include "facts/last_ends.h"

namespace olab::analysis {

class StretcherFinder {
public:
    static constexpr std::size_t kEvery = 4096; ///< numbers of device work between two checkpoints
    static std::size_t checkpoints(std::size_t size) { return (size + kEvery - 1) / kEvery; }
    /// Stores per device and class the activity that ends last among the numbers before `number`, a multiple
    /// of kEvery.
    static void keep(std::vector<ActivityIndex>& reaching, std::size_t number, const LastEnds& before);
    static ActivityIndex find(const TraceFacts& facts, const std::vector<ActivityIndex>& reaching,
                              ActivityIndex activity);
};

} // namespace olab::analysis
