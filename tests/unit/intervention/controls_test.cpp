// The pair that must overlap and the one that must not.
#include <olab/intervention/prove.h>
#include <olab/sim/sim_backend.h>

#include <gmock/gmock.h>

namespace olab::intervention {
namespace {

using testing::HasSubstr;

recording::RecordingPtr controlRun(bool together) {
    sim::SimBackend simulator;
    return recording::runExperiment(controlExperiment(experiment::HeldExperiment{}, together),
                                    {&simulator, nullptr}, "control", {});
}

TEST(Controls, HoldOnTheSimulator) {
    sim::SimBackend simulator;
    const comparison::Controls controls = runControls(experiment::HeldExperiment{}, simulator, {});
    EXPECT_TRUE(controls.hold()) << controls.text;
    EXPECT_GT(*controls.together.ofAttainable, 0.8);
    EXPECT_EQ(controls.apart.overlap, 0);
    EXPECT_THAT(controls.text, HasSubstr("simulator only"));
}

TEST(Controls, TheOneWithTwoStreamsIsPinnedNonblockingAndSmall) {
    const experiment::HeldExperiment together = controlExperiment(experiment::HeldExperiment{}, true),
                                     apart = controlExperiment(experiment::HeldExperiment{}, false);
    EXPECT_EQ(experiment::optionNumber(together, "streams"), 2);
    EXPECT_EQ(experiment::optionNumber(apart, "streams"), 1);
    EXPECT_EQ(experiment::optionNumber(together, "streams") *
                  experiment::optionNumber(together, "iterations"),
              experiment::optionNumber(apart, "streams") * experiment::optionNumber(apart, "iterations"));
    EXPECT_EQ(experiment::optionText(together, "stream.kind"), "nonblocking");
    EXPECT_EQ(experiment::optionText(together, "h2d.memory"), "pinned");
}

TEST(Controls, WhereOneFailsNoVerdictStands) {
    const recording::RecordingPtr overlaps = controlRun(true), serial = controlRun(false);
    EXPECT_TRUE(comparison::judgeControls(overlaps->report, serial->report, false).hold());
    const comparison::Controls none = comparison::judgeControls(serial->report, serial->report, false);
    EXPECT_FALSE(none.hold());
    EXPECT_THAT(none.text, HasSubstr("What must overlap did not"));
    const comparison::Controls always = comparison::judgeControls(overlaps->report, overlaps->report, false);
    EXPECT_FALSE(always.hold());
    EXPECT_THAT(always.text, HasSubstr("What cannot overlap did"));
    const auto refused = withControls(*overlaps, none);
    int judged = 0;
    for (const analysis::Verdict& verdict : refused->report.verdicts)
        if (verdict.kind != analysis::VerdictKind::NotApplicable) {
            EXPECT_EQ(verdict.kind, analysis::VerdictKind::Inconclusive);
            EXPECT_EQ(verdict.text, none.text);
            ++judged;
        }
    EXPECT_GT(judged, 0);
    EXPECT_FALSE(refused->report.bounds.efficiency);
}

} // namespace
} // namespace olab::intervention
