// One experiment from options to recording: plans, runs traced and plain windows alternately in the two
// backends it is given, keeps the repeats, computes the tool effect, analyzes. Knows nothing of processes:
// the backends may be children or the simulator.
#pragma once

#include <olab/experiment/backend.h>
#include <olab/run/recording.h>

namespace olab {

/// `plain` may be null: then there is no tool effect (the simulator; trace=on).
struct BackendPair {
    Backend* traced = nullptr;
    Backend* plain = nullptr;
};
inline constexpr int kToolEffectRuns = 5; ///< of each kind, alternating, when trace=both
/// While the effect looks too large to judge the run, more pairs are run, up to so many: what differs from
/// process to process (pageable copies: 20 % on an H200) must not pass for an effect of tracing.
inline constexpr int kMaxToolEffectRuns = 15;

/// @throws Error; leaves nothing behind. The kernel loop count the first run calibrates is used by all
/// others.
RecordingPtr runExperiment(const Experiment& experiment, BackendPair backends, std::string title,
                           const RunControl& control);

} // namespace olab
