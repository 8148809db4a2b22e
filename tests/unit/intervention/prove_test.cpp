// Proof by intervention: what is confirmed, refuted and left open, and that a race proves nothing.
#include <olab/experiment/presets.h>
#include <olab/intervention/prove.h>
#include <olab/sim/sim_backend.h>

#include <gmock/gmock.h>

namespace olab::intervention {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

comparison::PairedChange changeOfSix(std::vector<Ns> before, std::vector<Ns> after) {
    return comparison::pairedChange(before, after);
}

/// The run halves, the wait of 40 goes away, and half was predicted.
comparison::Proof goodProof() {
    comparison::Proof proof;
    proof.finding = "pageable";
    proof.pairs = 6;
    proof.makespan = changeOfSix({100, 101, 99, 100, 102, 98}, {50, 51, 50, 49, 50, 50});
    proof.wait = changeOfSix({40, 40, 41, 39, 40, 40}, {0, 0, 1, 0, 0, 0});
    comparison::PredictedChange said{"simulator", "", {}, {}};
    said.before.makespan = 100;
    said.after.makespan = 52;
    proof.predicted.all = {said};
    return proof;
}

comparison::Proof judged(comparison::Proof proof) {
    comparison::judgeProof(proof);
    return proof;
}

recording::RecordingPtr simulated(const experiment::Experiment& experiment) {
    sim::SimBackend simulator;
    return recording::runExperiment(experiment, {&simulator, nullptr}, "as it is", {});
}

experiment::HeldExperiment shortened(const char* preset) {
    experiment::HeldExperiment experiment = experiment::findPreset(preset)->experiment;
    experiment::setOption(experiment, "iterations=6");
    return experiment;
}

comparison::Proof provedOnSimulator(const recording::Recording& before, const Claim& claim) {
    sim::SimBackend backend, predictor;
    return prove(before, claim, {&backend, nullptr}, {&predictor, {}}, {});
}

TEST(JudgeProof, ConfirmsWhatGoesAwayAsPredicted) {
    const comparison::Proof proof = judged(goodProof());
    EXPECT_EQ(proof.status, comparison::ProofStatus::Confirmed) << proof.text;
    EXPECT_THAT(proof.text, HasSubstr("2x faster (predicted: 1.92x faster)"));
}

TEST(JudgeProof, RefutesAWaitThatStays) {
    comparison::Proof proof = goodProof();
    proof.wait = changeOfSix({40, 40, 41, 39, 40, 40}, {39, 40, 40, 40, 38, 41});
    EXPECT_EQ(judged(proof).status, comparison::ProofStatus::Refuted);
}

TEST(JudgeProof, RefutesAPredictedGainThatDoesNotCome) {
    comparison::Proof proof = goodProof();
    proof.makespan = changeOfSix({100, 101, 99, 100, 102, 98}, {100, 100, 100, 99, 102, 100});
    const comparison::Proof refuted = judged(proof);
    EXPECT_EQ(refuted.status, comparison::ProofStatus::Refuted);
    EXPECT_THAT(refuted.text, HasSubstr("Something else decides"));
}

TEST(JudgeProof, LeavesOpenWhatRunsAreTooDifferentFor) {
    comparison::Proof proof = goodProof();
    proof.makespan = changeOfSix({100, 140, 90, 100, 102, 98}, {30, 150, 50, 49, 50, 50});
    EXPECT_EQ(judged(proof).status, comparison::ProofStatus::Inconclusive);
    comparison::Proof wait = goodProof();
    wait.wait = changeOfSix({40, 40, 41, 39, 40, 40}, {0, 40, 1, 0, 0, 0});
    EXPECT_EQ(judged(wait).status, comparison::ProofStatus::Inconclusive);
}

TEST(JudgeProof, AWaitThatWasPredictedToCostNothingIsNotRefutedByCostingNothing) {
    comparison::Proof proof = goodProof();
    proof.makespan = changeOfSix({100, 101, 99, 100, 102, 98}, {100, 100, 100, 99, 102, 100});
    proof.predicted.all.front().after.makespan = 100;
    const comparison::Proof open = judged(proof);
    EXPECT_EQ(open.status, comparison::ProofStatus::Inconclusive);
    EXPECT_THAT(open.text, HasSubstr("costs next to nothing"));
}

TEST(JudgeProof, NothingFollowsFromARaceFromTooFewPairsOrWithoutTheWait) {
    comparison::Proof raced = goodProof();
    raced.obstacle = "As it is: a run raced.";
    EXPECT_EQ(judged(raced).status, comparison::ProofStatus::Inconclusive);
    comparison::Proof few = goodProof();
    few.makespan = changeOfSix({100, 100}, {50, 50});
    EXPECT_EQ(judged(few).status, comparison::ProofStatus::Inconclusive);
    comparison::Proof blind = goodProof();
    blind.wait.reset();
    EXPECT_EQ(judged(blind).status, comparison::ProofStatus::Inconclusive);
}

TEST(Prediction, TwoThatDifferByMoreThanATenthOfTheRunAreBothShown) {
    comparison::Prediction prediction = goodProof().predicted;
    EXPECT_FALSE(prediction.differs());
    comparison::PredictedChange replay{"replay", "", {}, {}};
    replay.before.makespan = 100;
    replay.after.makespan = 60;
    prediction.all.push_back(replay);
    EXPECT_FALSE(prediction.differs()) << "48 % and 40 %";
    prediction.all.back().after.makespan = 70;
    EXPECT_TRUE(prediction.differs()) << "48 % and 30 %";
}

TEST(Prediction, AsksTheReplayForTheFindingAndSaysWhoSpeaks) {
    const recording::RecordingPtr before = simulated(shortened("pageable"));
    sim::SimBackend simulator;
    std::string asked;
    const Predictors who{&simulator, [&](const recording::Recording&, std::string_view finding) {
                             asked = finding;
                             return std::optional<Ns>(*before->report.bounds.measured / 2);
                         }};
    const comparison::Prediction said =
        predictGain(*before, {{"h2d.memory", "pinned"}, {"d2h.memory", "pinned"}}, "pageable", who);
    ASSERT_THAT(said.all, SizeIs(2));
    EXPECT_EQ(asked, "pageable");
    EXPECT_EQ(said.all[0].by, "simulator");
    EXPECT_EQ(said.all[1].by, "replay");
    EXPECT_TRUE(said.differs());
    EXPECT_LT(*said.relative(), -0.5);
    EXPECT_GT(said.all[0].before.wait.value_or(0), 0);
    EXPECT_EQ(said.all[0].after.wait, 0);
}

TEST(Prediction, TheAccountSaysWhatIsLeftWithoutACause) {
    const recording::RecordingPtr before = simulated(shortened("pageable"));
    const analysis::Ledger& ledger = *before->report.ledger;
    EXPECT_EQ(timeWithout(*before, "pageable"), ledger.measured - ledger.entries.front().gain);
    EXPECT_EQ(timeWithout(*before, "no-such-cause"), std::nullopt);
}

TEST(Prediction, TakesTheModelOfTheDeviceAndSaysWhereThereIsNone) {
    EXPECT_EQ(nearestModel("NVIDIA H200", "h200").simDevice, "h200");
    EXPECT_EQ(nearestModel("Tesla K20c", "h200").simDevice, "k20c");
    EXPECT_EQ(nearestModel("NVIDIA H200", "file:/mine.json").simDevice, "file:/mine.json");
    const ChosenModel other = nearestModel("NVIDIA GeForce RTX 4090", "h200");
    EXPECT_EQ(other.simDevice, "h200");
    EXPECT_THAT(other.why, HasSubstr("there is no model of this one"));
}

TEST(Prediction, OfALongRunIsThatOfAShortOneThoughItsPassesHaveFewerOps) {
    sim::SimBackend simulator;
    experiment::HeldExperiment experiment = experiment::findPreset("pageable")->experiment;
    experiment::setOption(experiment, "iterations=400");
    const experiment::OptionChanges mapped{{"h2d.memory", "mapped"}, {"d2h.memory", "mapped"}};
    const auto relativeOf = [&](const experiment::Experiment& e) {
        const double share = shareThatTells(e, 2);
        const auto was = simulatedMakespan(e, share, simulator, {}),
                   is = simulatedMakespan(experiment::withChanges(e, mapped), share, simulator, {});
        return static_cast<double>(*is) / static_cast<double>(*was);
    };
    EXPECT_EQ(shareThatTells(experiment, 2), 1);
    const double whole = relativeOf(experiment);
    experiment::setOption(experiment, "iterations=40000");
    EXPECT_LT(shareThatTells(experiment, 2), 0.1);
    EXPECT_NEAR(relativeOf(experiment), whole, 0.02) << "points of the run; 10 more with as many ops";
}

TEST(CountedAlike, TheStartGateDoesNotComeInWithTheChange) {
    experiment::HeldExperiment waits;
    experiment::setOption(waits, "sync.every=op");
    EXPECT_EQ(countedAlike(waits, {{"sync.every", "end"}}),
              (experiment::OptionChanges{{"sync.every", "end"}, {"gate", "off"}}));
    EXPECT_EQ(countedAlike({}, {{"order", "breadth"}}), (experiment::OptionChanges{{"order", "breadth"}}));
}

TEST(Prove, AFindingIsConfirmedAndItsRecordingSaysSo) {
    const recording::RecordingPtr before = simulated(shortened("pageable"));
    const std::vector<Claim> claims = claimsOf(before->report);
    ASSERT_FALSE(claims.empty());
    EXPECT_EQ(claims[0].finding, "pageable") << "it costs most";
    EXPECT_EQ(findingThatOffers(before->report, claims[0].changes), "pageable");
    const comparison::Proof proof = provedOnSimulator(*before, claims[0]);
    EXPECT_EQ(proof.status, comparison::ProofStatus::Confirmed) << proof.text;
    EXPECT_TRUE(proof.simulated);
    EXPECT_THAT(proof.text, HasSubstr("nothing about hardware"));
    EXPECT_EQ(proof.pairs, comparison::kFewestPairs);
    EXPECT_TRUE(proof.makespan->falls());
    EXPECT_LT(*proof.makespan->low, *proof.makespan->high) << "runs differ from pair to pair";
    const double measured =
        static_cast<double>(proof.makespan->after) / static_cast<double>(proof.makespan->before) - 1;
    EXPECT_NEAR(*proof.predicted.relative(), measured, 0.02);
    const auto proved = withProofs(*before, {proof});
    ASSERT_FALSE(proved->report.findings.empty());
    EXPECT_EQ(proved->report.findings.front().status, analysis::FindingStatus::Confirmed);
    EXPECT_EQ(recording::remake(*proved)->report.findings.front().status, analysis::FindingStatus::Confirmed);
}

TEST(Prove, ACauseThatTheAccountAloneFindsIsConfirmedToo) {
    const recording::RecordingPtr before = simulated(shortened("wait-each-iteration"));
    const std::vector<Claim> claims = claimsOf(before->report, {"host-sync"});
    ASSERT_THAT(claims, SizeIs(1));
    EXPECT_EQ(claims[0].changes, (experiment::OptionChanges{{"sync.every", "end"}}));
    const comparison::Proof proof = provedOnSimulator(*before, claims[0]);
    ASSERT_TRUE(proof.wait);
    EXPECT_GT(proof.wait->before, 10 * proof.wait->after)
        << "where it has no finding any more its wait is known";
    EXPECT_EQ(proof.status, comparison::ProofStatus::Confirmed) << proof.text;
}

TEST(Prove, AChangeThatLeavesTheCauseIsRefuted) {
    const recording::RecordingPtr before = simulated(shortened("pageable"));
    const comparison::Proof proof = provedOnSimulator(*before, {"pageable", {{"sync", "stream"}}});
    EXPECT_EQ(proof.status, comparison::ProofStatus::Refuted) << proof.text;
    EXPECT_EQ(withProofs(*before, {proof})->report.findings.front().status, analysis::FindingStatus::Refuted);
}

TEST(Prove, WhatRacesProvesNothing) {
    const recording::RecordingPtr before = simulated(shortened("pageable"));
    const comparison::Proof proof = provedOnSimulator(
        *before, {"pageable", {{"h2d.memory", "pinned"}, {"d2h.memory", "pinned"}, {"buffers", "shared"}}});
    EXPECT_EQ(proof.status, comparison::ProofStatus::Inconclusive);
    EXPECT_THAT(proof.obstacle, HasSubstr("raced"));
    const analysis::FindingStatus was = before->report.findings.front().status;
    EXPECT_EQ(withProofs(*before, {proof})->report.findings.front().status, was);
}

TEST(Prove, ForeignTracesAndImpossibleChangesAreRefused) {
    const recording::RecordingPtr foreign =
        recording::makeRecording({TraceBuilder().finish(), nullptr, std::nullopt}, "foreign", false);
    EXPECT_THROW(provedOnSimulator(*foreign, {"pageable", {{"h2d.memory", "pinned"}}}), Error);
    const recording::RecordingPtr before = simulated(shortened("pageable"));
    EXPECT_THROW(provedOnSimulator(*before, {"pageable", {{"streams", "-1"}}}), Error);
}

} // namespace
} // namespace olab::intervention
