// The judge: controls, spread, what is missing.
#include "planted.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace olab::claims {
namespace {

using testing::HasSubstr;

const ClaimRow& sameStream() {
    return *findClaim("001-7"); // decided by E13.one alone
}

Evidence evidenceFor(const ClaimRow& claim) {
    test::Planted planted;
    planted.want(test::controlRules(experimentsOf(claim)));
    for (const ClaimCase& tested : claim.cases)
        planted.want(tested.holds);
    return planted.evidence();
}

void add(Evidence& evidence, const std::string& run, const std::string& left, long double value) {
    evidence[run].repeats.push_back(
        std::make_shared<const assertion::JudgedRecording>(test::recordingWith({{left, value}})));
}

TEST(ClaimJudge, AControlThatFailsMakesItInconclusive) {
    Evidence evidence = evidenceFor(sameStream());
    evidence["E00.kernels_together"].repeats.clear();
    add(evidence, "E00.kernels_together", "concurrent(kernel)", 0); // as a capture that serialises sees it
    const ClaimResult result = ClaimJudge(evidence).judge(sameStream());
    EXPECT_EQ(result.outcome, ClaimOutcome::Inconclusive);
    EXPECT_THAT(result.reason, HasSubstr("the control of E00 failed, small kernels in four streams overlap"));
}

TEST(ClaimJudge, AProbeNeedsNoControlOfTracedRuns) {
    const ClaimRow& lastError = *findClaim("001-9");
    Evidence evidence = evidenceFor(lastError);
    evidence.erase("E00.kernels_together");
    EXPECT_EQ(ClaimJudge(evidence).judge(lastError).outcome, ClaimOutcome::Confirmed);
}

TEST(ClaimJudge, RunsThatDifferDecideNothing) {
    Evidence evidence = evidenceFor(sameStream());
    add(evidence, "E13.one", "concurrent(kernel)", 0);
    add(evidence, "E13.one", "concurrent(kernel)", 0.9);
    const ClaimResult result = ClaimJudge(evidence).judge(sameStream());
    EXPECT_EQ(result.outcome, ClaimOutcome::Inconclusive);
    EXPECT_THAT(result.reason, HasSubstr("too much spread: it held in 2 and the contrary in 1 of 3 runs"));
}

TEST(ClaimJudge, FourOfFiveRunsAreEnough) {
    Evidence evidence = evidenceFor(sameStream());
    for (const long double value : {0.9L, 0.9L, 0.9L, 0.0L})
        add(evidence, "E13.one", "concurrent(kernel)", value);
    EXPECT_EQ(ClaimJudge(evidence).judge(sameStream()).outcome, ClaimOutcome::Confirmed);
}

TEST(ClaimJudge, BetweenTheLimitsNothingIsDecided) {
    Evidence evidence = evidenceFor(sameStream());
    evidence["E13.one"].repeats.clear();
    add(evidence, "E13.one", "concurrent(kernel)", 0.3);
    const ClaimResult result = ClaimJudge(evidence).judge(sameStream());
    EXPECT_EQ(result.outcome, ClaimOutcome::Inconclusive);
    EXPECT_THAT(result.reason, HasSubstr("between the limits of the claim and of its contrary; E13.one"));
    EXPECT_EQ(result.reason.find("spread"), std::string::npos) << "one run has none";
}

TEST(ClaimJudge, WhatCannotBeJudgedIsNoContrary) {
    Evidence evidence = evidenceFor(sameStream());
    evidence["E13.one"].repeats.clear();
    add(evidence, "E13.one", "number(something)", 1); // no kernel was recorded
    const ClaimResult result = ClaimJudge(evidence).judge(sameStream());
    EXPECT_EQ(result.outcome, ClaimOutcome::Inconclusive);
    EXPECT_THAT(result.reason, HasSubstr("cannot be judged"));
}

TEST(ClaimJudge, WhatTheMachineCannotRunIsNotTestable) {
    Evidence evidence;
    evidence["E27"] = {{}, "This needs two GPUs, and there is one.", true};
    const ClaimResult result = ClaimJudge(evidence).judge(*findClaim("004-18"));
    EXPECT_EQ(result.outcome, ClaimOutcome::NotTestable);
    EXPECT_EQ(result.reason, "This needs two GPUs, and there is one.");
    evidence["E27"].notTestable = false; // it failed
    EXPECT_EQ(ClaimJudge(evidence).judge(*findClaim("004-18")).outcome, ClaimOutcome::Inconclusive);
    EXPECT_EQ(ClaimJudge(evidence).judge(*findClaim("000-13")).outcome, ClaimOutcome::NotTestable);
}

TEST(ClaimJudge, WhatIsOpenDoesNotHideThatACaseHoldsAndAnotherDoesNot) {
    const ClaimRow& twoStreams = *findClaim("002-12"); // E13.one, E13.four
    ASSERT_EQ(twoStreams.cases.size(), 2u);
    ClaimRow three = twoStreams;
    three.cases.push_back({"something else", {"E15: number(wait_event.host)<=50us"}, {}});
    test::Planted planted;
    planted.want(test::controlRules(experimentsOf(twoStreams)));
    planted.want(twoStreams.cases[0].contrary);
    planted.want(twoStreams.cases[1].holds);
    const Evidence evidence = planted.evidence();
    const ClaimResult result = ClaimJudge(evidence).judge(three);
    EXPECT_EQ(result.outcome, ClaimOutcome::Partly);
    EXPECT_EQ(result.cases[2].side, CaseSide::Open);
}

/// "partly" comes of any case that holds and any that does not: it agrees only if these are the documented
/// ones.
TEST(ClaimJudge, AgreesWithTheDocumentationCaseByCase) {
    const auto claim = [](Documented documented, std::vector<std::optional<bool>> sides) {
        ClaimRow row{"000-1", "It is so.", "000", "", documented, "", ""};
        for (const std::optional<bool>& side : sides)
            row.cases.push_back({"a case", {"E01.h2d: raced()==0"}, {"E01.h2d: raced()>=1"}, side});
        return row;
    };
    const auto measured = [](ClaimOutcome outcome, std::vector<CaseSide> sides) {
        ClaimResult result{"000-1", outcome};
        for (const CaseSide side : sides)
            result.cases.push_back({"a case", side, ""});
        return result;
    };
    using enum CaseSide;
    const ClaimRow partly = claim(Documented::Partly, {true, false}),
                   half = claim(Documented::Partly, {true, {}});
    EXPECT_EQ(agreement(partly, measured(ClaimOutcome::Partly, {Holds, Contrary})), Agreement::Agrees);
    EXPECT_EQ(agreement(partly, measured(ClaimOutcome::Partly, {Contrary, Holds})), Agreement::Differs);
    EXPECT_EQ(agreement(half, measured(ClaimOutcome::Partly, {Holds, Contrary})), Agreement::Undocumented);
    EXPECT_EQ(agreement(half, measured(ClaimOutcome::Refuted, {Contrary, Contrary})), Agreement::Differs);
    EXPECT_EQ(agreement(partly, measured(ClaimOutcome::Inconclusive, {Open, Open})), Agreement::Undecided);
    const ClaimRow wrong = claim(Documented::False, {false, false});
    EXPECT_EQ(agreement(wrong, measured(ClaimOutcome::Refuted, {Contrary, Contrary})), Agreement::Agrees);
    EXPECT_EQ(agreement(wrong, measured(ClaimOutcome::Partly, {Holds, Contrary})), Agreement::Differs);
}

} // namespace
} // namespace olab::claims
