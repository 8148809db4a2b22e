// One experiment from options to recording: plans, runs traced and plain windows in the two backends it is
// given, keeps the repeats, computes the tool effect, analyzes. Knows nothing of processes: the backends may
// be children or the simulator.
//
// What is asked for first comes first: a traced run, whose analysis is posted at once; then what else was
// asked for (repeats); and last, behind the person's back, the pairs (traced, plain) that the tool effect
// needs.
#pragma once

#include <olab/experiment/backend.h>
#include <olab/recording/recording.h>

namespace olab {

class ToolEffectMemory;

/// `plain` may be null: then there is no tool effect (the simulator; trace=on).
struct BackendPair {
    Backend* traced = nullptr;
    Backend* plain = nullptr;
};
inline constexpr int kToolEffectRuns = 5; ///< of each kind, alternating, when trace=both
/// While the effect looks too large to judge the run, more pairs are run, up to so many: what differs from
/// process to process (pageable copies: 20 % on an H200) must not pass for an effect of tracing.
inline constexpr int kMaxToolEffectRuns = 15;

/// Where what is known before the end goes; called on the calling thread. All may be empty.
struct ExperimentHooks {
    /// The first run, as soon as it is analysed, then (repeat > 1) the median of all that were asked for;
    /// that one again, as soon as something went wrong in a run behind it that did in none before (a race).
    /// Only when more runs follow. None has a tool effect yet, unless `memory` knew it.
    std::function<void(RecordingPtr)> preview;
    /// Once, after the preview of all that was asked for: only the tool effect is still measured.
    std::function<void()> yield;
    ToolEffectMemory* memory = nullptr; ///< asked before, told after unless it raced; null: nothing is reused
    std::string place;                  ///< ToolEffectMemory::placeOf()
};

/// @throws Error, also from behind a preview; leaves nothing behind. The kernel loop count the first run
/// calibrates is used by all others. With repeat=1 the first traced run is the one that is kept: nothing is
/// exchanged for another run once it was shown.
RecordingPtr runExperiment(const Experiment& experiment, BackendPair backends, std::string title,
                           const RunControl& control, const ExperimentHooks& hooks = {});

} // namespace olab
