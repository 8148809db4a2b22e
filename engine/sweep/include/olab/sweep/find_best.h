// The search for the best cell of a sweep, where measuring all of them takes too long. It starts at the one
// that the simulator predicts to be the best, and goes along one axis after the other: golden section where
// the values are numbers, all of them where they are words. At the end the best few run in turns until their
// difference has an interval. A search can miss a second valley: it says how many cells it looked at.
#pragma once

#include <olab/comparison/slowdown.h>
#include <olab/sweep/run_sweep.h>

#include <optional>
#include <string>
#include <vector>

namespace olab::sweep {

struct BestFound {
    std::optional<std::size_t> best; ///< nothing: no cell could run
    std::optional<std::size_t> next; ///< the second best of those that were measured
    /// Of the time of a pass, next / best; nothing where there is no next one.
    std::optional<comparison::Slowdown> distance;
    std::size_t cells = 0; ///< that were run
    bool isExact = false;  ///< the simulator in this process, which repeats itself: chance has no part in it
    bool isSure = false;   ///< all of the interval says that the best is faster than the next one
    std::string text;      ///< a few sentences
};

/// @throws Error kind Usage where cells do different work (an axis of sizes or of work); as measure()
BestFound findBest(Sweep& sweep, recording::BackendPair backends, SweepStore* store,
                   const MeasureOptions& options, const RunControl& control, const SweepHooks& hooks = {});
void checkBest(const Grid& grid); ///< @throws Error kind Usage, as findBest()

} // namespace olab::sweep
