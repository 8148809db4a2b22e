// Runs a sweep: first the simulator predicts every cell, then each cell is measured, in rounds over all
// cells. Knows nothing of processes: the backends may be children or the simulator. On the calling thread,
// which is the engine's.
//
// With trace=both a repeat is an untraced run in a process of its own, and the first round also makes a
// traced run of each cell, for its account; with trace=on all runs are traced, with trace=off none.
#pragma once

#include <olab/experiment/backend.h>
#include <olab/recording/experiment_job.h>
#include <olab/sweep/sweep.h>
#include <olab/sweep/sweep_store.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace olab::sweep {

/// The source of the predictions.
struct Predictor {
    experiment::Backend* simulator = nullptr;
    std::string simDevice; ///< the model to simulate; empty: each experiment's own
    std::string basis;     ///< a sentence: "Predicted with the shipped model of this device."
};

struct SweepHooks {
    /// Called when a cell has new numbers: on the calling thread, or during predictions on one of its helper
    /// threads, one call at a time.
    std::function<void(const Sweep&, std::size_t cell)> changed;
};

/// Simulates possible cells without a prediction, several in parallel. @throws Error only when cancelled
void predict(Sweep& sweep, const Predictor& predictor, const RunControl& control,
             const SweepHooks& hooks = {});

struct MeasureOptions {
    int repeats = 1;
    bool keepsRecordings = false; ///< of the first traced run of each cell, in the folder of the store
    bool triesFailedAgain = false;
    std::string machine{};           ///< what it runs on, for people
    std::vector<std::size_t> only{}; ///< these cells; empty: all
};

/// Does not repeat existing runs (in the cells or the store). A cell that fails is marked and skipped.
/// @param store null: nothing is kept
/// @throws Error when cancelled, without a device, or of the store
void measure(Sweep& sweep, recording::BackendPair backends, SweepStore* store, const MeasureOptions& options,
             const RunControl& control, const SweepHooks& hooks = {});

/// Number of runs still needed.
std::size_t runsLeft(const Sweep& sweep, recording::BackendPair backends, const MeasureOptions& options);

// The order in which the cells of a sweep run. Each round runs every cell once, so that repeats of a cell lie
// far apart; the order is shuffled, the same in every process, so that what drifts from minute to minute does
// not look like an effect of an axis; and every second round is the reverse of the one before it, so that a
// steady drift adds the same to each cell. Pure, any thread.

std::vector<std::size_t> roundOrder(std::size_t cells, std::size_t round);

} // namespace olab::sweep
