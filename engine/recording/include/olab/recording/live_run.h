// An experiment that runs over and over, each pass with the options that are wanted by then. Knows nothing of
// processes: the backend may be a child or the simulator.
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
    std::vector<comparison::OptionDifference> changed; ///< from the pass before; empty: nothing
    bool freshProcess = false;                         ///< its options need one of its own
    /// From the end of the pass before to its begin, by the clock of their windows; 0: not known (the first
    /// one, simulated ones).
    Ns between = 0;
    RecordingPtr recording;
};

struct LiveHooks {
    std::function<void(LivePass)> passed; ///< on the calling thread
    /// Options were set that cannot run together, and why; the former ones run on. Once for each set of them.
    std::function<void(const experiment::HeldExperiment& wanted, const std::string& why)> refused;
    bool onDevice = false; ///< what only a simulator can be is refused
    /// A pass and the pause behind it take at least this long; a simulated one at least as long as it says.
    std::chrono::milliseconds least{33};
};

/// Until the stop of `control`: ends by an Error of kind Cancelled then. No pass measures its ops alone, and
/// the kernels are calibrated only where what they do has changed. @throws Error
void runLive(const LiveWish& wish, experiment::Backend& backend, const RunControl& control,
             const LiveHooks& hooks);

} // namespace olab::recording
