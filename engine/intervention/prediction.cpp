#include <olab/intervention/prediction.h>

#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/recording/experiment_job.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <cmath>

namespace olab::intervention {
namespace {

/// More ops than this add no information about a pipeline, and take long to simulate and analyse.
constexpr std::size_t kOpsThatTell = 20'000;

/// The same share of each compared experiment: one with fewer ops per pass must not get more passes.
experiment::HeldExperiment shortened(experiment::HeldExperiment experiment, double share) {
    experiment::setOption(experiment, "repeat=1");
    experiment::setOption(experiment, "warmup=0");
    experiment::setOption(experiment, "trace=on");
    const auto iterations = static_cast<double>(experiment::optionNumber(experiment, "iterations"));
    experiment::setNumber(experiment, "iterations",
                          std::max<std::int64_t>(1, std::llround(iterations * share)));
    return experiment;
}

recording::RecordingPtr simulate(const experiment::Experiment& experiment, double share,
                                 experiment::Backend& simulator, const RunControl& control) {
    RunControl quiet;
    quiet.stop = control.stop;
    return recording::runExperiment(shortened(experiment, share), {&simulator, nullptr}, "predicted", quiet);
}

comparison::PredictedChange bySimulator(const recording::Recording& recording,
                                        const experiment::OptionChanges& changes, std::string_view finding,
                                        experiment::Backend& simulator, const RunControl& control) {
    experiment::HeldExperiment before = *recording.experiment;
    const ChosenModel model = nearestModel(recording);
    experiment::setOption(before, "sim.device", model.simDevice);
    const double share = shareThatTells(before, simulator.deviceCount());
    const recording::RecordingPtr was = simulate(before, share, simulator, control);
    const recording::RecordingPtr is =
        simulate(experiment::withChanges(before, changes), share, simulator, control);
    comparison::PredictedChange said{"simulator", "Predicted with " + model.why + ". " + is->trust(),
                                     comparison::numbersOf(was->report, finding),
                                     comparison::numbersOf(is->report, finding)};
    if (share < 1)
        said.basis += " Of a long run a part was simulated.";
    if (!is->raceText().empty())
        said.after = {};
    return said;
}

comparison::PredictedChange byReplay(const recording::Recording& recording, Ns without) {
    comparison::PredictedChange said{
        "replay", "Predicted from the recording alone, without the cause.", {}, {}};
    said.before.makespan = recording.report.bounds.measured;
    said.after.makespan = without;
    return said;
}

void ask(comparison::Prediction& prediction, const std::function<comparison::PredictedChange()>& who) {
    try {
        prediction.all.push_back(who());
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::Cancelled)
            throw;
        prediction.lacks = error.what();
    }
}

} // namespace

ChosenModel nearestModel(const recording::Recording& recording) {
    if (recording.trace.provenance().source == SourceKind::Simulated && recording.experiment)
        return simulatedModel(*recording.experiment);
    const std::string named = recording.experiment
                                  ? experiment::optionText(*recording.experiment, "sim.device")
                                  : experiment::optionDefault(*experiment::findOption("sim.device"));
    const auto devices = recording.trace.devices();
    return nearestModel(devices.empty() ? std::string_view() : devices.front().name, named);
}

ChosenModel simulatedModel(const experiment::Experiment& experiment) {
    const std::string named = experiment::optionText(experiment, "sim.device");
    return {named, "the model of " + named};
}

ChosenModel nearestModel(std::string_view name, const std::string& named) {
    if (named.starts_with("file:"))
        return {named, "the calibrated model that sim.device names"};
    const std::string device = lowerText(name);
    for (const std::string_view model : experiment::findOption("sim.device")->choices)
        if (device.find(model) != device.npos)
            return {std::string(model), "the shipped model of this device"};
    const std::string usual = experiment::optionDefault(*experiment::findOption("sim.device"));
    return {usual, "the shipped model of another device (" + usual +
                       "), because there is no model of this one: 'olab calibrate' makes it"};
}

comparison::Prediction predictGain(const recording::Recording& recording,
                                   const experiment::OptionChanges& changes, std::string_view finding,
                                   const Predictors& who, const RunControl& control) {
    comparison::Prediction prediction;
    if (!recording.experiment)
        return {{}, "its options are unknown"};
    if (who.simulator)
        ask(prediction, [&] { return bySimulator(recording, changes, finding, *who.simulator, control); });
    if (who.replay && !finding.empty())
        if (const std::optional<Ns> without = who.replay(recording, finding))
            prediction.all.push_back(byReplay(recording, *without));
    if (!prediction.all.empty())
        prediction.lacks.clear();
    else if (prediction.lacks.empty())
        prediction.lacks = "no predictor is available";
    return prediction;
}

double shareThatTells(experiment::HeldExperiment experiment, int devices) {
    const std::int64_t iterations = experiment::optionNumber(experiment, "iterations");
    const std::int64_t few = std::min<std::int64_t>(iterations, 2); // including what is between two passes
    experiment::setNumber(experiment, "iterations", few);
    const auto perPass =
        static_cast<double>(experiment::plan(experiment, devices).ops.size()) / static_cast<double>(few);
    return std::min(1.0, static_cast<double>(kOpsThatTell) /
                             std::max(1.0, perPass * static_cast<double>(iterations)));
}

std::optional<Ns> simulatedMakespan(const experiment::Experiment& experiment, double share,
                                    experiment::Backend& simulator, const RunControl& control) {
    RunControl quiet;
    quiet.stop = control.stop;
    const experiment::Plan planned = experiment::plan(shortened(experiment, share), simulator.deviceCount());
    experiment::RunOptions options;
    options.solos = false;
    TraceBuilder builder;
    try {
        simulator.run(planned, options, builder, quiet);
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::Cancelled)
            throw;
        return std::nullopt;
    }
    const Trace trace = builder.finish();
    const bool raced = std::ranges::any_of(
        trace.defects(), [](const Defect& defect) { return defect.code == DefectCode::DataMismatch; });
    if (raced || trace.windows().empty())
        return std::nullopt;
    return trace.windows().front().end - trace.windows().front().begin;
}

experiment::OptionChanges countedAlike(experiment::HeldExperiment before,
                                       const experiment::OptionChanges& changes, int devices) {
    experiment::HeldExperiment after = experiment::withChanges(before, changes);
    for (experiment::HeldExperiment* each : {&before, &after}) // the gate does not depend on their number
        experiment::setNumber(*each, "iterations",
                              std::min<std::int64_t>(experiment::optionNumber(*each, "iterations"), 2));
    experiment::OptionChanges alike = changes;
    if (!experiment::plan(before, devices).useGate && experiment::plan(after, devices).useGate)
        alike.emplace_back("gate", "off");
    return alike;
}

std::optional<Ns> timeWithout(const recording::Recording& recording, std::string_view finding) {
    const analysis::Ledger* ledger = recording.report.ledger.get();
    if (!ledger || !ledger->missing.empty())
        return std::nullopt;
    for (const analysis::LedgerEntry& entry : ledger->entries)
        if (analysis::lossCauseId(entry.cause) == finding)
            return ledger->measured - entry.gain;
    return std::nullopt;
}

} // namespace olab::intervention
