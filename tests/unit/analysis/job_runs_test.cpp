// What went wrong in the other runs of a job, in the report of the one that is shown.
#include "made_trace.h"

#include <olab/analysis/race.h>

#include <gtest/gtest.h>

namespace olab::test {
namespace {

using testing::HasSubstr;

Defect wrongValues(std::uint64_t count) {
    return {DefectCode::DataMismatch, count, kAllClasses, {}};
}

/// Ten runs, five of each kind, of which the first is shown.
analysis::JobRuns tenRuns(std::vector<analysis::RunTrouble> troubled) {
    return {5, 5, 1, true, std::move(troubled)};
}

analysis::Report reportWith(const analysis::JobRuns& runs, std::vector<Defect> own = {}) {
    analysis::Report report;
    report.defects = std::move(own);
    analysis::addOtherRuns(runs, report);
    return report;
}

TEST(JobRuns, ARaceInAnotherRunTakesEverythingBack) {
    for (const bool raced : {false, true}) {
        Made m;
        for (int i = 0; i < 10; ++i) {
            m.work(MemcpyH2D, us(100 * i + 1), us(100 * i + 96), 13);
            m.work(Kernel, us(100 * i + 47), us(100 * i + 140), 14);
        }
        m.finish();
        analysis::AnalysisInput input = m.input();
        if (raced)
            input.runs = tenRuns({{4, false, {wrongValues(3)}}});
        const analysis::Report report = analysis::analyze(input);
        EXPECT_EQ(report.bounds.efficiency.has_value(), !raced);
        ASSERT_NE(findingOf(report, "engine-bound"), nullptr);
        EXPECT_EQ(findingOf(report, "engine-bound")->status,
                  raced ? analysis::FindingStatus::Consistent : analysis::FindingStatus::Proved);
        EXPECT_EQ(verdictOf(report, MemcpyH2D, Kernel).kind == analysis::VerdictKind::Inconclusive, raced);
        EXPECT_EQ(analysis::raceText(report).empty(), !raced);
    }
}

TEST(JobRuns, WhatAnotherRunLostIsToldAndTakesNoVerdictBack) {
    Made m;
    for (int i = 0; i < 10; ++i) {
        m.work(MemcpyH2D, us(100 * i + 1), us(100 * i + 96), 13);
        m.work(Kernel, us(100 * i + 47), us(100 * i + 140), 14);
    }
    m.finish();
    analysis::AnalysisInput input = m.input();
    const analysis::VerdictKind before = verdictOf(analysis::analyze(input), MemcpyH2D, Kernel).kind;
    input.runs = tenRuns({{3, true, {{DefectCode::DroppedRecords, 5, kAllClasses, "buffer 2"}}},
                          {7, true, {{DefectCode::DroppedRecords, 2, maskOf(Kernel), {}}}}});
    const analysis::Report report = analysis::analyze(input);
    EXPECT_EQ(verdictOf(report, MemcpyH2D, Kernel).kind, before);
    EXPECT_TRUE(report.bounds.efficiency);
    EXPECT_EQ(analysis::raceText(report), "");
    const Defect* lost = defectOf(report, DefectCode::DroppedRecords);
    ASSERT_NE(lost, nullptr);
    EXPECT_EQ(lost->count, 7u);
    EXPECT_THAT(lost->text(), HasSubstr("(run 3 of 10, traced, and 1 other: buffer 2)"));
}

TEST(JobRuns, TheTextSaysInHowManyAndOfWhichKind) {
    const analysis::RunTrouble first{1, true, {wrongValues(8)}}, plain{4, false, {wrongValues(1)}},
        traced{5, true, {wrongValues(2)}};
    const auto text = [](const analysis::JobRuns& runs, std::vector<Defect> own = {}) {
        return analysis::raceText(reportWith(runs, std::move(own)));
    };
    EXPECT_EQ(text(tenRuns({plain})),
              "The pipeline raced in 1 of 10 runs (0 of 5 traced, 1 of 5 untraced): 1 value was not what "
              "the step before should have left. In the run that is shown the data came out right by luck.");
    EXPECT_EQ(text(tenRuns({first, plain, traced}), {wrongValues(8)}),
              "The pipeline raced in 3 of 10 runs (2 of 5 traced, 1 of 5 untraced): up to 8 values were not "
              "what the step before should have left.");
    EXPECT_EQ(text({3, 0, 1, true, {traced}}).substr(0, 38), "The pipeline raced in 1 of 3 runs: 2 v");
    EXPECT_EQ(text({0, 3, 1, false, {plain}}).substr(0, 38), "The pipeline raced in 1 of 3 runs: 1 v");
    EXPECT_EQ(text({1, 0, 1, true, {}}, {wrongValues(8)}),
              "The pipeline raced: 8 values were not what the step before should have left.");
    EXPECT_EQ(analysis::raceScope(reportWith(tenRuns({plain}))),
              " in 1 of 10 runs (0 of 5 traced, 1 of 5 untraced)");
    EXPECT_EQ(analysis::raceScope(reportWith({1, 0, 1, true, {}}, {wrongValues(8)})), "");
}

TEST(JobRuns, WhatIsSaidOfTheShownRunIsWhatItsOwnRecordsSay) {
    const analysis::Report right = reportWith(tenRuns({{1, true, {wrongValues(9)}}}));
    EXPECT_TRUE(right.runs.empty()) << "a file may say anything";
    EXPECT_TRUE(right.defects.empty());
    const analysis::Report wrong = reportWith(tenRuns({{3, true, {wrongValues(2)}}}), {wrongValues(8)});
    ASSERT_EQ(wrong.runs.troubled.size(), 2u);
    EXPECT_EQ(wrong.runs.troubled[0], (analysis::RunTrouble{1, true, {wrongValues(8)}}));
    EXPECT_TRUE(analysis::racedRuns(wrong.runs).shown);
    ASSERT_EQ(wrong.defects.size(), 2u);
    EXPECT_THAT(wrong.defects[1].text(), HasSubstr("(run 3 of 10, traced)"));
}

TEST(JobRuns, NoticesAreNoTrouble) {
    const Defect notice{DefectCode::GateOpenedEarly, 1, kAllClasses, {}};
    const analysis::Report report = reportWith(tenRuns({{3, true, {notice}}}), {notice});
    EXPECT_TRUE(report.runs.empty());
    EXPECT_EQ(report.defects.size(), 1u);
    Made m;
    m.work(Kernel, us(1), us(2));
    m.defect(DefectCode::GateOpenedEarly, kAllClasses);
    m.defect(DefectCode::ClockStep, kAllClasses);
    m.finish();
    const std::vector<Defect> trouble = analysis::troubleOf(m.trace, nullptr);
    ASSERT_EQ(trouble.size(), 1u);
    EXPECT_EQ(trouble[0].code, DefectCode::ClockStep);
}

TEST(JobRuns, MissingOpsOfAnotherRunAreFoundAsThoseOfTheShownOne) {
    Made m;
    m.ran(m.plan(experiment::OpKind::Kernel, 0, us(400)), us(1), us(401));
    m.plan(experiment::OpKind::Kernel, 0, us(400));
    m.finish();
    const std::vector<Defect> trouble = analysis::troubleOf(m.trace, &m.schedule);
    ASSERT_EQ(trouble.size(), 1u);
    EXPECT_EQ(trouble[0].code, DefectCode::MissingOps);
    EXPECT_EQ(trouble[0].classes, maskOf(Kernel));
    EXPECT_THAT(reportWith(tenRuns({{2, false, trouble}})).defects.at(0).text(),
                HasSubstr("(run 2 of 10, untraced: kernel: 1 of 2 recorded)"));
}

TEST(JobRuns, OneRunHasNoOthers) {
    const analysis::Report report =
        reportWith({1, 0, 1, true, {{1, true, {wrongValues(9)}}}}, {wrongValues(9)});
    EXPECT_TRUE(report.runs.empty());
    EXPECT_EQ(report.defects.size(), 1u);
}

} // namespace
} // namespace olab::test
