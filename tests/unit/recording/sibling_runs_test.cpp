// A race, or data that was lost, in any run of an experiment belongs to its recording: whichever run is
// shown, whenever it was found, and also where the tool effect is remembered.
#include "planted_backend.h"

#include <olab/analysis/race.h>
#include <olab/assertion/assertion.h>
#include <olab/experiment/held_experiment.h>
#include <olab/io/report_json.h>
#include <olab/recording/experiment_job.h>
#include <olab/recording/tool_effect_memory.h>

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace olab::recording {
namespace {

using test::PlantedBackend;
using testing::HasSubstr;
using testing::Not;

class SiblingRuns : public testing::Test {
protected:
    SiblingRuns() {
        experiment::setOption(m_experiment, "streams=3");
        experiment::setOption(m_experiment, "iterations=4");
        m_hooks.preview = [this](RecordingPtr recording) {
            m_previews.push_back(std::move(recording));
            m_story += 'v';
        };
        m_hooks.yield = [this] { m_story += 'y'; };
        m_traced.onRun = [this](int) { m_story += 'T'; };
        m_plain.onRun = [this](int) { m_story += 'P'; };
    }
    RecordingPtr run(bool withPlain = true) {
        m_story.clear();
        m_previews.clear();
        m_traced.runs = m_plain.runs = 0;
        return runExperiment(m_experiment, {&m_traced, withPlain ? &m_plain : nullptr}, "Run 1", m_control,
                             m_hooks);
    }
    static assertion::AssertionResult check(const Recording& r, std::string_view expression) {
        const io::ReportDocument json(r.report, {r.trace, &*r.experiment, true, ""});
        return assertion::checkAssertion({r.report, json}, expression);
    }
    /// Nothing is claimed of it, and no assertion about it holds.
    static void expectRaced(const Recording& r, const std::string& howMany) {
        EXPECT_THAT(r.raceText(), HasSubstr("The pipeline raced in " + howMany));
        EXPECT_FALSE(r.report.bounds.efficiency);
        for (const analysis::Verdict& v : r.report.verdicts)
            EXPECT_THAT(v.kind, testing::AnyOf(analysis::VerdictKind::Inconclusive,
                                               analysis::VerdictKind::NotApplicable));
        for (const analysis::Finding& f : r.report.findings)
            EXPECT_THAT(f.status, testing::AnyOf(analysis::FindingStatus::Consistent,
                                                 analysis::FindingStatus::Refuted));
        for (const char* expression : {"overlap(h2d,kernel)>=0", "blocked(h2d,kernel)<=1s",
                                       "finding(pageable)==0", "/bounds/measured_ns<=1s"})
            EXPECT_FALSE(check(r, expression).passed) << check(r, expression).text;
    }
    static void expectClean(const Recording& r) {
        EXPECT_EQ(r.raceText(), "");
        EXPECT_TRUE(r.report.bounds.efficiency);
        const assertion::AssertionResult judged = check(r, "overlap(h2d,kernel)>=0.01");
        EXPECT_TRUE(judged.passed) << judged.text;
    }
    PlantedBackend m_traced, m_plain;
    experiment::HeldExperiment m_experiment;
    RunControl m_control;
    ExperimentHooks m_hooks;
    std::vector<RecordingPtr> m_previews;
    std::string m_story; ///< T, P: a run; v: a preview; y: it has yielded
};

TEST_F(SiblingRuns, WithoutTroubleNothingIsSaidOfThem) {
    const RecordingPtr r = run();
    EXPECT_EQ(m_story, "TvyPTPTPTPTP");
    expectClean(*r);
}

TEST_F(SiblingRuns, ARaceInAnyOfThePairsIsOneOfTheRecording) {
    for (const bool traced : {true, false})
        for (int number = 1; number <= kToolEffectRuns; ++number) {
            m_traced.racing = m_plain.racing = {};
            (traced ? m_traced : m_plain).racing = {number};
            const RecordingPtr r = run();
            SCOPED_TRACE((traced ? "traced " : "plain ") + std::to_string(number));
            expectRaced(*r, traced ? "1 of 10 runs (1 of 5 traced, 0 of 5 untraced)"
                                   : "1 of 10 runs (0 of 5 traced, 1 of 5 untraced)");
            const bool shown = traced && number == 1;
            EXPECT_EQ(r->raceText().find("came out right by luck") == std::string::npos, shown);
        }
}

TEST_F(SiblingRuns, FourOfFiveRepeatsRacedAndTheOneThatIsShownDidNot) {
    experiment::setOption(m_experiment, "trace=on");
    experiment::setOption(m_experiment, "repeat=5");
    for (int right = 1; right <= 5; ++right) {
        m_traced.racing = {1, 2, 3, 4, 5};
        m_traced.racing.erase(right);
        const RecordingPtr r = run();
        SCOPED_TRACE(right);
        expectRaced(*r, "4 of 5 runs: ");
        ASSERT_EQ(r->otherRuns.size(), 4u);
        for (const RecordingPtr& other : r->otherRuns)
            expectRaced(*other, "4 of 5 runs: ");
        const auto lucky = [](const Recording& one) {
            return one.raceText().find("by luck") != std::string::npos;
        };
        EXPECT_EQ(std::ranges::count_if(r->otherRuns, [&](const RecordingPtr& o) { return lucky(*o); }) +
                      (lucky(*r) ? 1 : 0),
                  1);
    }
}

TEST_F(SiblingRuns, UntracedRepeatsCount) {
    experiment::setOption(m_experiment, "trace=off");
    experiment::setOption(m_experiment, "repeat=3");
    m_plain.racing = {2};
    const RecordingPtr r = run();
    EXPECT_THAT(r->raceText(), HasSubstr("raced in 1 of 3 runs: "));
    EXPECT_FALSE(check(*r, "/bounds/measured_ns<=1s").passed);
}

TEST_F(SiblingRuns, WhatIsFoundBehindTheVerdictIsToldAtOnceAndOnce) {
    m_plain.racing = {2, 3};
    m_traced.racing = {4};
    const RecordingPtr r = run();
    EXPECT_EQ(m_story, "TvyPTPvTPTPTP") << "seen first first, and taken back as soon as it is known";
    ASSERT_EQ(m_previews.size(), 2u);
    expectClean(*m_previews[0]);
    expectRaced(*m_previews[1], "1 of 4 runs (0 of 2 traced, 1 of 2 untraced)");
    EXPECT_EQ(m_previews[1]->trace, m_previews[0]->trace) << "the same run";
    expectRaced(*r, "3 of 10 runs (1 of 5 traced, 2 of 5 untraced)");
}

TEST_F(SiblingRuns, WhatWasFoundStaysWhenTheRestIsStopped) {
    std::stop_source stop;
    m_control.stop = stop.get_token();
    m_plain.racing = {1};
    m_traced.onRun = [&](int number) {
        if (number == 3)
            stop.request_stop();
    };
    EXPECT_THROW(run(), Error);
    ASSERT_EQ(m_previews.size(), 2u);
    expectRaced(*m_previews.back(), "1 of 2 runs");
}

TEST_F(SiblingRuns, ARaceAmongTheRepeatsIsToldOfTheFirstOneMeanwhile) {
    experiment::setOption(m_experiment, "repeat=3");
    m_traced.racing = {2};
    const RecordingPtr r = run();
    EXPECT_EQ(m_story, "TvPTvPTvyPTPTP");
    ASSERT_EQ(m_previews.size(), 3u);
    EXPECT_EQ(m_previews[1]->trace, m_previews[0]->trace) << "not another run before all are there";
    EXPECT_TRUE(m_previews[1]->otherRuns.empty());
    expectRaced(*m_previews[1], "1 of 3 runs");
    expectRaced(*m_previews[2], "1 of 5 runs");
    EXPECT_EQ(m_previews[2]->otherRuns.size(), 2u);
    expectRaced(*r, "1 of 10 runs");
}

TEST_F(SiblingRuns, ARememberedToolEffectHidesNoRace) {
    ToolEffectMemory memory;
    m_hooks.memory = &memory;
    m_hooks.place = "here";
    m_plain.racing = {3};
    expectRaced(*run(), "1 of 10 runs");
    expectRaced(*run(), "1 of 10 runs");
    EXPECT_EQ(m_story.size(), 10u + 3u) << "measured again: what raced is not remembered";
    m_plain.racing = {};
    expectClean(*run());
    expectClean(*run());
    EXPECT_EQ(m_story, "T") << "now it is";
    m_traced.racing = {1};
    const RecordingPtr raced = run();
    EXPECT_EQ(m_story, "T");
    EXPECT_NE(raced->raceText(), "");
    m_traced.racing = {};
    run();
    EXPECT_EQ(m_story, "TvyPTPTPTPTP") << "and is forgotten when a later run races";
}

TEST_F(SiblingRuns, ARunThatIsNotUsedCountsToo) {
    ToolEffectMemory memory;
    m_hooks.memory = &memory;
    run();
    m_traced.driver = m_plain.driver = "2"; // the work was calibrated for another device: measured anew
    m_traced.racing = {1};
    const RecordingPtr r = run();
    EXPECT_EQ(m_story, "TTvyPTPTPTPTP");
    expectRaced(*m_previews.front(), "1 of 2 runs");
    expectRaced(*r, "1 of 11 runs (1 of 6 traced, 0 of 5 untraced)");
}

TEST_F(SiblingRuns, DataThatAnotherRunLostIsToldAndNoAssertionRestsOnIt) {
    m_traced.losing = {3};
    const RecordingPtr r = run();
    EXPECT_EQ(m_story, "TvyPTPTvPTPTP");
    EXPECT_EQ(r->raceText(), "");
    const auto lost = std::ranges::find(r->report.defects, DefectCode::DroppedRecords, &Defect::code);
    ASSERT_NE(lost, r->report.defects.end());
    EXPECT_EQ(lost->count, 7u);
    EXPECT_THAT(lost->text(), HasSubstr("(run 5 of 10, traced)"));
    EXPECT_THAT(
        r->report.verdicts,
        Not(testing::Contains(testing::Field(&analysis::Verdict::kind, analysis::VerdictKind::Inconclusive))))
        << "the run that is shown is whole";
    for (const char* expression :
         {"overlap(h2d,kernel)>=0", "hidden(h2d,kernel)>=0", "blocked(memset,kernel)<=1s",
          "finding(pageable)==0", "/bounds/measured_ns<=1s", "/verdicts/0/of_a>=0"})
        EXPECT_THAT(check(*r, expression).text, HasSubstr("cannot be judged")) << expression;
    EXPECT_TRUE(check(*r, "overlap(h2d,d2h)>=0").passed) << "no record of theirs is missing in any run";
}

} // namespace
} // namespace olab::recording
