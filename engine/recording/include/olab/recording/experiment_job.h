// One experiment from options to recording: plans, runs traced and plain windows on the two given backends,
// keeps the repeats, computes the tool effect, analyzes. Knows nothing of processes: the backends may be
// children or the simulator.
//
// Order: first a traced run, whose analysis is posted immediately; then the other requested runs (repeats);
// last, in the background, the pairs (traced, plain) for the tool effect.
#pragma once

#include <olab/experiment/backend.h>
#include <olab/recording/recording.h>

namespace olab::recording {

class ToolEffectMemory;

/// `plain` may be null: then there is no tool effect (the simulator; trace=on).
struct BackendPair {
    experiment::Backend* traced = nullptr;
    experiment::Backend* plain = nullptr;
};
inline constexpr int kToolEffectRuns = 5; ///< of each kind, alternating, when trace=both
/// While the effect looks too large to judge the run, more pairs run, up to this many: differences between
/// processes (pageable copies: 20 % on an H200) must not be mistaken for an effect of tracing.
inline constexpr int kMaxToolEffectRuns = 15;

/// Receivers of intermediate results; called on the calling thread. All may be empty.
struct ExperimentHooks {
    /// The first run, as soon as it is analysed, then (repeat > 1) the median of all requested runs; the
    /// latter again as soon as a later run has a problem that no earlier one had (a race). Only if more runs
    /// follow. Without a tool effect, unless `memory` knew it.
    std::function<void(RecordingPtr)> preview;
    /// Once, after the preview of all requested runs: only the tool effect is still being measured.
    std::function<void()> yield;
    ToolEffectMemory* memory = nullptr; ///< read before, updated after unless it raced; null: no reuse
    std::string place;                  ///< ToolEffectMemory::placeOf()
};

/// @throws Error, also after a preview; cleans up everything. The kernel loop count calibrated by the first
/// run is used by all others. With repeat=1 the first traced run is kept: a run that was shown is never
/// replaced by another.
RecordingPtr runExperiment(const experiment::Experiment& experiment, BackendPair backends, std::string title,
                           const RunControl& control, const ExperimentHooks& hooks = {});

} // namespace olab::recording
