#include <olab/intervention/prove.h>

#include <olab/experiment/planned_change.h>

#include <algorithm>

namespace olab::intervention {
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
