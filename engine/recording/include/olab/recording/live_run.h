// An experiment that runs repeatedly, each pass with the latest wanted options. Knows nothing of processes:
// the backend may be a child or the simulator.
#pragma once

#include <olab/comparison/comparison.h>
#include <olab/experiment/backend.h>
#include <olab/experiment/held_experiment.h>
#include <olab/recording/recording.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace olab::recording {

/// The options of the next pass. Any thread.
class LiveWish {
public:
    explicit LiveWish(experiment::HeldExperiment experiment);
    void set(const experiment::HeldExperiment& experiment);
    experiment::HeldExperiment get() const;

private:
    mutable std::mutex m_mutex;
    experiment::HeldExperiment m_experiment;
};

struct LivePass {
    int number = 1;
    std::vector<comparison::OptionDifference> changed; ///< since the pass before; empty: none
    bool freshProcess = false;                         ///< its options require a process of its own
    /// From the end of the previous pass to its begin, by the clock of their windows; 0: unknown (first pass,
    /// simulated passes).
    Ns between = 0;
    RecordingPtr recording;
};

struct LiveHooks {
    std::function<void(LivePass)> passed; ///< on the calling thread
    /// The wanted options cannot run together, and why; the previous ones stay in use. Called once per set of
    /// options.
    std::function<void(const experiment::HeldExperiment& wanted, const std::string& why)> refused;
    bool onDevice = false; ///< refuses options that only a simulator can run
    /// Minimum time of a pass with the pause behind it; a simulated pass takes at least its simulated time.
    std::chrono::milliseconds least{33};
};

/// Runs until `control` is stopped, then throws an Error of kind Cancelled. No pass measures its ops alone,
/// and kernels are only calibrated when their work has changed. @throws Error
void runLive(const LiveWish& wish, experiment::Backend& backend, const RunControl& control,
             const LiveHooks& hooks);

} // namespace olab::recording
