// The pair that must overlap and the one that must not.
#include <olab/intervention/control_runs.h>
#include <olab/sim/sim_backend.h>

#include <gmock/gmock.h>

namespace olab {
namespace {

using testing::HasSubstr;

RecordingPtr controlRun(bool together) {
    SimBackend simulator;
    return runExperiment(controlExperiment(HeldExperiment{}, together), {&simulator, nullptr}, "control", {});
}

TEST(Controls, HoldOnTheSimulator) {
    SimBackend simulator;
    const Controls controls = runControls(HeldExperiment{}, simulator, {});
    EXPECT_TRUE(controls.hold()) << controls.text;
    EXPECT_GT(*controls.together.ofAttainable, 0.8);
    EXPECT_EQ(controls.apart.overlap, 0);
    EXPECT_THAT(controls.text, HasSubstr("simulator only"));
}

TEST(Controls, TheOneWithTwoStreamsIsPinnedNonblockingAndSmall) {
    const HeldExperiment together = controlExperiment(HeldExperiment{}, true),
                         apart = controlExperiment(HeldExperiment{}, false);
    EXPECT_EQ(optionNumber(together, "streams"), 2);
    EXPECT_EQ(optionNumber(apart, "streams"), 1);
    EXPECT_EQ(optionNumber(together, "streams") * optionNumber(together, "iterations"),
              optionNumber(apart, "streams") * optionNumber(apart, "iterations"));
    EXPECT_EQ(optionText(together, "stream.kind"), "nonblocking");
    EXPECT_EQ(optionText(together, "h2d.memory"), "pinned");
}

TEST(Controls, WhereOneFailsNoVerdictStands) {
    const RecordingPtr overlaps = controlRun(true), serial = controlRun(false);
    EXPECT_TRUE(judgeControls(overlaps->report, serial->report, false).hold());
    const Controls none = judgeControls(serial->report, serial->report, false);
    EXPECT_FALSE(none.hold());
    EXPECT_THAT(none.text, HasSubstr("What must overlap did not"));
    const Controls always = judgeControls(overlaps->report, overlaps->report, false);
    EXPECT_FALSE(always.hold());
    EXPECT_THAT(always.text, HasSubstr("What cannot overlap did"));
    const auto refused = withControls(*overlaps, none);
    int judged = 0;
    for (const Verdict& verdict : refused->report.verdicts)
        if (verdict.kind != VerdictKind::NotApplicable) {
            EXPECT_EQ(verdict.kind, VerdictKind::Inconclusive);
            EXPECT_EQ(verdict.text, none.text);
            ++judged;
        }
    EXPECT_GT(judged, 0);
    EXPECT_FALSE(refused->report.bounds.efficiency);
}

} // namespace
} // namespace olab
