// Predicts the effect of a change of options: by the simulator with the options changed and, if possible, by
// replay of the recording without the cause. Nothing runs on a device.
#pragma once

#include <olab/comparison/proof.h>
#include <olab/experiment/backend.h>
#include <olab/recording/recording.h>

#include <functional>

namespace olab::intervention {

/// The sources of predictions. Both may be missing.
struct Predictors {
    experiment::Backend* simulator = nullptr; ///< simulates the device that the experiment names (sim.device)
    /// Time that the run would take without the cause of `finding`, by the recording alone; nothing: unknown.
    std::function<std::optional<Ns>(const recording::Recording&, std::string_view finding)> replay{};
};

/// From the account of the recording (report.h, Ledger): the measured time minus the gain of fixing this
/// cause alone. Nothing if there is no account, or the cause is not in it.
std::optional<Ns> timeWithout(const recording::Recording& recording, std::string_view finding);

/// The device model for predictions about `recording`: the one that the experiment names (file:PATH, or the
/// simulated one), else the built-in one whose name is part of the device's name, else the default.
struct ChosenModel {
    std::string simDevice;
    std::string why; ///< "the shipped model of this device", ...; for people
};
ChosenModel nearestModel(const recording::Recording& recording);
/// Of runs that are simulated themselves: the one that simulates them.
ChosenModel simulatedModel(const experiment::Experiment& experiment);
/// The same for a device by its name ("NVIDIA H200"); `named`: the experiment's sim.device.
ChosenModel nearestModel(std::string_view device, const std::string& named);

/// `finding` empty: no wait is predicted, and replay is not used. @throws Error only when cancelled
comparison::Prediction predictGain(const recording::Recording& recording,
                                   const experiment::OptionChanges& changes, std::string_view finding,
                                   const Predictors& who, const RunControl& control = {});

/// The share of the iterations that is enough for a prediction; 1 except for long pipelines. The same for all
/// experiments that are compared.
double shareThatTells(experiment::HeldExperiment experiment, int devices);
/// Makespan of that share of `experiment` on the simulator. Nothing if it cannot be simulated or races.
/// @throws Error only when cancelled
std::optional<Ns> simulatedMakespan(const experiment::Experiment& experiment, double share,
                                    experiment::Backend& simulator, const RunControl& control);

/// `changes`, plus gate=off if they would switch the start gate on: with the gate, issue time is not counted,
/// and the two could not be compared.
experiment::OptionChanges countedAlike(experiment::HeldExperiment before,
                                       const experiment::OptionChanges& changes, int devices = 1);

} // namespace olab::intervention
