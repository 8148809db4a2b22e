// Searches the best cell of a sweep when measuring all takes too long. Starts at the cell with the best
// prediction and searches along one axis after the other: by golden section for numbers, exhaustively for
// words. Finally the best few run alternately until their difference has an interval. A search can miss a
// second valley: it reports how many cells it measured.
#pragma once

#include <olab/comparison/slowdown.h>
#include <olab/sweep/run_sweep.h>

#include <optional>
#include <string>
#include <vector>

namespace olab::sweep {

struct BestFound {
    std::optional<std::size_t> best; ///< nothing: no cell could run
    std::optional<std::size_t> next; ///< the second best of the measured cells
    /// Time per pass, next / best; nothing without a next one.
    std::optional<comparison::Slowdown> distance;
    std::size_t cells = 0; ///< that were run
    bool isExact = false;  ///< the simulator in this process, which is deterministic: no statistics needed
    bool isSure = false;   ///< the whole interval says that the best is faster than the next one
    std::string text;      ///< a few sentences
};

/// @throws Error kind Usage where cells do different work (an axis of sizes or of work); as measure()
BestFound findBest(Sweep& sweep, recording::BackendPair backends, SweepStore* store,
                   const MeasureOptions& options, const RunControl& control, const SweepHooks& hooks = {});
void checkBest(const Grid& grid); ///< @throws Error kind Usage, as findBest()

} // namespace olab::sweep
