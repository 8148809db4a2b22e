#include <olab/intervention/prove.h>

#include <olab/experiment/planned_change.h>

#include <algorithm>

namespace olab::intervention {
namespace {

constexpr int kPasses = 16; ///< in total: enough to make the ends of the pipeline negligible
constexpr std::int64_t kCopyBytes = 32 << 20;
constexpr std::int64_t kKernelUs = 600; ///< about as long as the copy over PCIe 5, half of that over PCIe 4
constexpr int kSmallGrid = 8;           ///< leaves nearly all of any device free

} // namespace

experiment::HeldExperiment controlExperiment(const experiment::Experiment& like, bool together) {
    experiment::HeldExperiment experiment;
    for (const std::string_view key : {"device", "sim.device", "sim.submission", "seed"})
        experiment::setOption(experiment, key, experiment::optionText(like, key));
    experiment::setNumber(experiment, "streams", together ? 2 : 1);
    experiment::setNumber(experiment, "iterations", together ? kPasses / 2 : kPasses);
    for (const std::string_view step : {"memset", "d2h", "callback"})
        experiment::setOption(experiment, step, "off");
    experiment::setNumber(experiment, "h2d.bytes", kCopyBytes);
    experiment::setNumber(experiment, "kernel.us", kKernelUs);
    experiment::setNumber(experiment, "kernel.blocks", kSmallGrid);
    experiment::setOption(experiment, "trace=on");
    return experiment;
}

comparison::Controls runControls(const experiment::Experiment& like, experiment::Backend& traced,
                                 const RunControl& control) {
    RunControl named;
    named.stop = control.stop;
    named.progress = [&control](double share, std::string_view what) {
        control.report(share, "controls: " + std::string(what));
    };
    const recording::BackendPair backends{&traced, nullptr};
    const recording::RecordingPtr together =
        recording::runExperiment(controlExperiment(like, true), backends, "must overlap", named);
    const recording::RecordingPtr apart =
        recording::runExperiment(controlExperiment(like, false), backends, "must not overlap", named);
    return comparison::judgeControls(together->report, apart->report,
                                     together->trace.provenance().source == SourceKind::Simulated);
}

std::shared_ptr<recording::Recording> withControls(const recording::Recording& recording,
                                                   comparison::Controls controls, const RunControl& control) {
    auto made = recording::remake(recording, control);
    comparison::applyControls(controls, made->report);
    made->controls = std::move(controls);
    return made;
}

namespace {

void refuseForeign(const recording::Recording& before) {
    if (!before.experiment)
        throw Error(ErrorKind::Usage, "no-experiment", "The options of " + before.title + " are unknown.",
                    "Changes can be tried on runs of Overlap Lab, not on traces of other programs.");
}

std::optional<comparison::PairedChange> changeIn(std::optional<Ns> comparison::RunNumbers::*number,
                                                 const Alternated& made) {
    std::vector<Ns> before, after;
    const auto &was = made.of[0].numbers, &is = made.of[1].numbers;
    for (std::size_t i = 0; i < std::min(was.size(), is.size()); ++i) {
        if (!(was[i].*number) || !(is[i].*number))
            return std::nullopt;
        before.push_back(*(was[i].*number));
        after.push_back(*(is[i].*number));
    }
    return before.empty() ? std::nullopt : std::optional(comparison::pairedChange(before, after));
}

void fill(comparison::Proof& proof, const Alternated& made) {
    proof.simulated = made.simulated;
    proof.untraced = made.untraced;
    proof.makespan = comparison::pairedChange(made.of[0].makespans, made.of[1].makespans);
    proof.pairs = proof.makespan->pairs;
    proof.wait = proof.finding.empty() ? std::nullopt : changeIn(&comparison::RunNumbers::wait, made);
    proof.overlap = changeIn(&comparison::RunNumbers::overlap, made);
    proof.blocked = changeIn(&comparison::RunNumbers::blocked, made);
    proof.obstacle = !made.of[0].trouble.empty()   ? "As it is: " + made.of[0].trouble
                     : !made.of[1].trouble.empty() ? "With the change: " + made.of[1].trouble
                                                   : std::string();
}

} // namespace

std::vector<Claim> claimsOf(const analysis::Report& report, const std::vector<std::string>& only) {
    std::vector<Claim> claims;
    for (const analysis::Finding& finding : report.findings)
        if (!finding.tryChanges.empty() &&
            (only.empty() || std::ranges::find(only, finding.id) != only.end()))
            claims.push_back({finding.id, finding.tryChanges});
    return claims;
}

std::string findingThatOffers(const analysis::Report& report, const experiment::OptionChanges& changes) {
    const auto at = std::ranges::find(report.findings, changes, &analysis::Finding::tryChanges);
    return at == report.findings.end() || changes.empty() ? std::string() : at->id;
}

comparison::Proof prove(const recording::Recording& before, const Claim& claim,
                        recording::BackendPair backends, const Predictors& predictors,
                        const RunControl& control, const ProveOptions& options) {
    refuseForeign(before);
    comparison::Proof proof;
    proof.finding = claim.finding;
    proof.changes = countedAlike(*before.experiment, claim.changes);
    control.report(0, "predicting");
    proof.predicted = predictGain(before, proof.changes, claim.finding, predictors, control);
    AlternationPlan plan;
    plan.experiments = {*before.experiment, experiment::withChanges(*before.experiment, proof.changes)};
    plan.rounds = options.pairs;
    plan.finding = claim.finding;
    if (options.pairDone)
        plan.roundDone = [&](const Alternated& made, int) {
            fill(proof, made);
            options.pairDone(proof);
        };
    fill(proof, alternate(plan, backends, control));
    comparison::judgeProof(proof);
    return proof;
}

std::shared_ptr<recording::Recording> withProofs(const recording::Recording& recording,
                                                 std::vector<comparison::Proof> proofs,
                                                 const RunControl& control) {
    auto proved = recording::remake(recording, control);
    comparison::applyProofs(proofs, proved->report);
    proved->proofs = std::move(proofs);
    return proved;
}

} // namespace olab::intervention
