// What a change of options is predicted to bring, by those who can say: the simulator with the options
// changed, and, where there is one, the replay of the recording without the cause. Nothing runs on a device.
#pragma once

#include <olab/comparison/proof.h>
#include <olab/experiment/backend.h>
#include <olab/recording/recording.h>

#include <functional>

namespace olab {

/// Who is asked. Both may be missing.
struct Predictors {
    Backend* simulator = nullptr; ///< plays the device that the experiment names (sim.device)
    /// Time that the run would take without the cause of `finding`, by the recording alone; nothing: it
    /// cannot say.
    std::function<std::optional<Ns>(const Recording&, std::string_view finding)> replay{};
};

/// What the account of the recording says (report.h, Ledger): the measured time less what mending the cause
/// alone brings. Nothing where there is no account, or the cause is not in it.
std::optional<Ns> timeWithout(const Recording& recording, std::string_view finding);

/// The device model to predict runs of `recording` with: one that the experiment names (file:PATH, or the
/// one that was simulated), else the built-in one whose name is in that of the device, else the default.
struct ChosenModel {
    std::string simDevice;
    std::string why; ///< "the shipped model of this device", ...; for people
};
ChosenModel nearestModel(const Recording& recording);
/// The same for a device by its name ("NVIDIA H200"); `named`: the experiment's sim.device.
ChosenModel nearestModel(std::string_view device, const std::string& named);

/// `finding` empty: no wait is predicted, and no replay is asked. @throws Error only when cancelled
Prediction predictGain(const Recording& recording, const OptionChanges& changes, std::string_view finding,
                       const Predictors& who, const RunControl& control = {});

/// The share of its iterations that is enough to tell how a pipeline goes; 1 for all but long ones. The same
/// for all that are held against each other.
double shareThatTells(HeldExperiment experiment, int devices);
/// Makespan of that share of `experiment` on the simulator. Nothing where it cannot be simulated or races.
/// @throws Error only when cancelled
std::optional<Ns> simulatedMakespan(const Experiment& experiment, double share, Backend& simulator,
                                    const RunControl& control);

/// `changes`, and gate=off if they would bring in the start gate: behind it the time that issuing takes is
/// not counted, and the two could not be held against each other.
OptionChanges countedAlike(HeldExperiment before, const OptionChanges& changes, int devices = 1);

} // namespace olab
