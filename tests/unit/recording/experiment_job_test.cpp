#include "fakes.h"

#include <olab/analysis/rules.h>
#include <olab/assertion/assertion.h>
#include <olab/experiment/held_experiment.h>
#include <olab/io/report_json.h>
#include <olab/recording/experiment_job.h>
#include <olab/recording/tool_effect_memory.h>
#include <olab/trace/trace_builder.h>

#include <algorithm>
#include <gtest/gtest.h>

namespace olab::recording {
namespace {

using test::FakeBackend;

std::string joined(const std::vector<std::string>& log) {
    std::string text;
    for (const std::string& entry : log)
        text += (text.empty() ? "" : " ") + entry;
    return text;
}

class ExperimentJobTest : public testing::Test {
protected:
    RecordingPtr run(bool withPlain = true) {
        return runExperiment(m_experiment, {&m_traced, withPlain ? &m_plain : nullptr}, "Run 1", m_control,
                             m_hooks);
    }
    RecordingPtr runWindows(std::vector<Ns> plainWindows, std::vector<Ns> tracedWindows) {
        FakeBackend plain(false, m_log, std::move(plainWindows)),
            traced(true, m_log, std::move(tracedWindows));
        return runExperiment(m_experiment, {&traced, &plain}, "Run 1", m_control);
    }
    std::vector<std::string> m_log;
    FakeBackend m_plain{false, m_log, {1000, 1100, 900, 1050, 950}};
    FakeBackend m_traced{true, m_log, {5000, 1020, 1010, 1030, 500}};
    experiment::HeldExperiment m_experiment;
    RunControl m_control;
    ExperimentHooks m_hooks;
};

TEST_F(ExperimentJobTest, ATracedRunComesFirstThenBothKindsAlternateWithTheSameWork) {
    run();
    EXPECT_EQ(joined(m_log), "Ts:0 P:777 T:777 P:777 T:777 P:777 T:777 P:777 T:777 P:777");
}

TEST_F(ExperimentJobTest, ToolEffectIsTheRatioOfMedians) {
    const RecordingPtr r = run();
    ASSERT_TRUE(r->report.toolEffect);
    EXPECT_EQ(r->report.toolEffect->traced, 1020);
    EXPECT_EQ(r->report.toolEffect->untraced, 1000);
    EXPECT_EQ(r->report.toolEffect->runs, 5);
}

TEST_F(ExperimentJobTest, TheRatioIsThatOfNeighboursSoThatDriftCancels) {
    const RecordingPtr r = runWindows({1000, 2000, 3000, 4000, 5000}, {1020, 2040, 3060, 4080, 5100});
    EXPECT_DOUBLE_EQ(r->report.toolEffect->ratio(), 1.02);
}

TEST_F(ExperimentJobTest, ALargeEffectIsMeasuredLongerBeforeItIsBelieved) {
    const std::vector<Ns> steady(20, 1000);
    const RecordingPtr noisy =
        runWindows(steady, {1200, 1200, 1200, 1010, 1010, 1010, 1010, 1010, 1010, 1010});
    EXPECT_EQ(noisy->report.toolEffect->runs, 7) << "four of seven pairs show no effect";
    const RecordingPtr slow = runWindows(steady, {1300});
    EXPECT_EQ(slow->report.toolEffect->runs, kMaxToolEffectRuns);
    EXPECT_DOUBLE_EQ(slow->report.toolEffect->ratio(), 1.3);
}

TEST_F(ExperimentJobTest, TheFirstRunIsTheOneThatIsKept) {
    const RecordingPtr r = run();
    EXPECT_EQ(r->trace.windows()[0].end - r->trace.windows()[0].begin, 5000);
    EXPECT_TRUE(r->otherRuns.empty());
    ASSERT_EQ(r->trace.solos().size(), 1u);
    EXPECT_EQ(r->trace.solos()[0].duration, 123);
    EXPECT_EQ(r->tracedRun, 1);
    EXPECT_EQ(r->tracedRuns, 5);
    EXPECT_TRUE(r->live);
    EXPECT_EQ(r->title, "Run 1");
    ASSERT_TRUE(r->experiment);
    EXPECT_EQ(*r->experiment, m_experiment);
    ASSERT_TRUE(r->schedule);
}

TEST_F(ExperimentJobTest, TheFirstResultIsThereBeforeTheFirstPairIs) {
    std::vector<std::string> atPreview, atYield;
    RecordingPtr first;
    m_hooks.preview = [&](RecordingPtr recording) {
        first = std::move(recording);
        atPreview = m_log;
    };
    m_hooks.yield = [&] { atYield = m_log; };
    const RecordingPtr last = run();
    EXPECT_EQ(joined(atPreview), "Ts:0");
    EXPECT_EQ(joined(atYield), "Ts:0");
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->report.toolEffect);
    EXPECT_FALSE(first->report.verdicts.empty());
    ASSERT_TRUE(last->report.toolEffect);
    EXPECT_EQ(first->trace, last->trace) << "nothing is exchanged for another run";
    EXPECT_EQ(first->title, last->title);
}

TEST_F(ExperimentJobTest, RepeatsComeBeforeTheToolEffect) {
    experiment::setOption(m_experiment, "repeat=3");
    std::vector<std::string> atYield;
    std::vector<RecordingPtr> previews;
    m_hooks.preview = [&](const RecordingPtr& recording) { previews.push_back(recording); };
    m_hooks.yield = [&] { atYield = m_log; };
    const RecordingPtr last = run();
    EXPECT_EQ(joined(atYield), "Ts:0 P:777 T:777 P:777 T:777");
    ASSERT_EQ(previews.size(), 2u);
    EXPECT_EQ(previews[0]->report.bounds.measured, 5000) << "the first run";
    EXPECT_EQ(previews[1]->report.bounds.measured, 1020) << "the median of what was asked for";
    EXPECT_EQ(previews[1]->otherRuns.size(), 2u);
    EXPECT_FALSE(previews[1]->report.toolEffect);
    EXPECT_EQ(last->trace, previews[1]->trace);
    EXPECT_TRUE(last->report.toolEffect);
}

TEST_F(ExperimentJobTest, WhatIsAllThereAtOnceIsNoPreview) {
    experiment::setOption(m_experiment, "trace=on");
    int calls = 0;
    m_hooks.preview = [&](const RecordingPtr&) { ++calls; };
    m_hooks.yield = [&] { ++calls; };
    run();
    EXPECT_EQ(calls, 0);
}

TEST_F(ExperimentJobTest, AnErrorBehindThePreviewComesThroughAfterIt) {
    m_plain.onRun = [](const RunControl&) { throw Error(ErrorKind::DeviceFailed, "sticky", "broken"); };
    RecordingPtr first;
    m_hooks.preview = [&](RecordingPtr recording) { first = std::move(recording); };
    EXPECT_THROW(run(), Error);
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->report.verdicts.empty());
}

TEST_F(ExperimentJobTest, ASecondRunOfTheSameReusesWhatWasMeasured) {
    ToolEffectMemory memory;
    m_hooks.memory = &memory;
    m_hooks.place = "here";
    const RecordingPtr first = run();
    EXPECT_EQ(first->report.toolEffect->measuredWith, "");
    m_log.clear();
    int previews = 0;
    m_hooks.preview = [&](const RecordingPtr&) { ++previews; };
    const RecordingPtr again = run();
    EXPECT_EQ(joined(m_log), "Ts:777") << "one run, of the same work";
    EXPECT_EQ(previews, 0) << "all is known at once";
    ASSERT_TRUE(again->report.toolEffect);
    EXPECT_EQ(again->report.toolEffect->measuredWith, "Run 1");
    EXPECT_EQ(again->report.toolEffect->runs, 5);
    EXPECT_DOUBLE_EQ(again->report.toolEffect->ratio(), first->report.toolEffect->ratio());
    experiment::setOption(m_experiment, "repeat=2"); // does not touch the work
    m_log.clear();
    EXPECT_EQ(run()->report.toolEffect->measuredWith, "Run 1");
    EXPECT_EQ(m_log.size(), 2u);
}

TEST_F(ExperimentJobTest, NothingIsReusedElsewhereOrForOtherWork) {
    ToolEffectMemory memory;
    m_hooks.memory = &memory;
    m_hooks.place = "here";
    run();
    m_log.clear();
    m_hooks.place = "there";
    run();
    EXPECT_EQ(m_log.size(), 10u) << "another program or environment";
    m_log.clear();
    m_hooks.place = "here";
    experiment::setOption(m_experiment, "streams=3");
    run();
    EXPECT_EQ(m_log.size(), 10u) << "another experiment";
    m_log.clear();
    experiment::setNumber(m_experiment, "streams",
                          experiment::optionNumber(experiment::HeldExperiment{}, "streams"));
    m_traced.device = m_plain.device = "Another";
    run();
    EXPECT_EQ(joined(m_log).substr(0, 11), "Ts:777 Ts:0") << "another device: calibrated anew";
    EXPECT_EQ(m_log.size(), 11u);
}

TEST_F(ExperimentJobTest, WhatWasStoppedIsNotRemembered) {
    ToolEffectMemory memory;
    m_hooks.memory = &memory;
    std::stop_source stop;
    m_control.stop = stop.get_token();
    m_hooks.yield = [&] { stop.request_stop(); };
    EXPECT_THROW(run(), Error);
    EXPECT_EQ(joined(m_log), "Ts:0");
    m_control.stop = {};
    m_hooks.yield = {};
    run();
    EXPECT_EQ(m_log.size(), 11u);
}

TEST_F(ExperimentJobTest, RepeatsAreAllKeptAndTheMedianReported) {
    experiment::setOption(m_experiment, "repeat=3");
    const RecordingPtr r = run();
    EXPECT_EQ(m_log.size(), 10u);
    EXPECT_EQ(r->trace.windows()[0].end - r->trace.windows()[0].begin, 1020) << "median of 5000, 1020, 1010";
    ASSERT_EQ(r->otherRuns.size(), 2u);
    EXPECT_EQ(r->otherRuns[0]->trace.windows()[0].end - r->otherRuns[0]->trace.windows()[0].begin, 5000);
    EXPECT_EQ(r->otherRuns[1]->trace.windows()[0].end - r->otherRuns[1]->trace.windows()[0].begin, 1010);
    for (const RecordingPtr& other : r->otherRuns)
        EXPECT_EQ(other->trace.solos().size(), 1u);
}

TEST_F(ExperimentJobTest, MoreRepeatsThanTheToolEffectNeeds) {
    experiment::setOption(m_experiment, "repeat=7");
    const RecordingPtr r = run();
    EXPECT_EQ(m_log.size(), 14u);
    EXPECT_EQ(r->otherRuns.size(), 6u);
    EXPECT_EQ(r->report.toolEffect->runs, 7);
}

TEST_F(ExperimentJobTest, TraceOnNeedsNoPlainRun) {
    experiment::setOption(m_experiment, "trace=on");
    experiment::setOption(m_experiment, "repeat=2");
    const RecordingPtr r = run();
    EXPECT_EQ(joined(m_log), "Ts:0 T:777");
    EXPECT_FALSE(r->report.toolEffect);
    EXPECT_EQ(r->otherRuns.size(), 1u);
}

TEST_F(ExperimentJobTest, WithoutAPlainBackendThereIsNoToolEffect) {
    const RecordingPtr r = run(false);
    EXPECT_EQ(joined(m_log), "Ts:0");
    EXPECT_FALSE(r->report.toolEffect);
}

TEST_F(ExperimentJobTest, TraceOffSaysSoAndJudgesNothing) {
    experiment::setOption(m_experiment, "trace=off");
    const RecordingPtr r = run();
    EXPECT_EQ(joined(m_log), "P:0");
    EXPECT_TRUE(r->trace.empty());
    EXPECT_FALSE(r->report.toolEffect);
    EXPECT_EQ(r->report.bounds.measured, 1000);
    ASSERT_FALSE(r->report.verdicts.empty());
    for (const analysis::Verdict& v : r->report.verdicts) {
        EXPECT_EQ(v.kind, analysis::VerdictKind::NotApplicable);
        EXPECT_NE(v.text.find("Tracing was off"), std::string::npos);
    }
    EXPECT_TRUE(r->report.findings.empty());
    EXPECT_TRUE(r->report.defects.empty()) << "nothing is missing: nothing was asked for";
}

TEST_F(ExperimentJobTest, TraceOffProvesNothing) {
    experiment::setOption(m_experiment, "trace=off");
    const RecordingPtr r = run();
    const io::ReportDocument json(r->report, {r->trace, &*r->experiment, true, ""});
    const auto expectFail = [&](const std::string& expression, const std::string& why) {
        const assertion::AssertionResult result = assertion::checkAssertion({r->report, json}, expression);
        EXPECT_FALSE(result.passed) << result.text;
        EXPECT_NE(result.text.find(why), std::string::npos) << result.text;
    };
    EXPECT_EQ(r->report.abstained.size(), analysis::ruleTable().size());
    for (const analysis::RuleRow& rule : analysis::ruleTable())
        for (const char* op : {"==0", "<=0", ">=0", "<1"})
            expectFail("finding(" + std::string(rule.id) + ")" + op, "tracing was off");
    for (const char* bound : {"serial_ns", "one_copy_engine_ns", "two_copy_engines_ns", "critical_path_ns"})
        expectFail("/bounds/" + std::string(bound) + "<=1", "null");
    for (const char* form : {"overlap", "hidden", "blocked"})
        expectFail(std::string(form) + "(h2d,kernel)<=1", "Tracing was off");
    for (const char* absent :
         {"/host/host_fn/count==0", "/devices/0/busy_any_ns==0", "/tool_effect/ratio<=1.1"})
        expectFail(absent, "no such value");
    EXPECT_TRUE(assertion::checkAssertion({r->report, json}, "/bounds/measured_ns==1us").passed)
        << "that was measured";
}

TEST_F(ExperimentJobTest, ProgressGrowsOverAllRuns) {
    std::vector<double> shares;
    std::vector<std::string> texts;
    m_control.progress = [&](double share, std::string_view what) {
        if (share >= 0) {
            shares.push_back(share);
            texts.emplace_back(what);
        }
    };
    run();
    ASSERT_GE(shares.size(), 10u);
    const auto behind = std::find_if(texts.begin(), texts.end(), [](const std::string& text) {
        return text.find("measuring the tool effect") != text.npos;
    });
    const auto at = behind - texts.begin();
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.begin() + at)) << "the run that is waited for";
    EXPECT_TRUE(std::is_sorted(shares.begin() + at, shares.end())) << "what is measured behind it";
    EXPECT_DOUBLE_EQ(shares.front(), 0.5);
    EXPECT_EQ(texts.front(), "half");
    EXPECT_NEAR(shares[static_cast<std::size_t>(at)], 0.5 / 9, 1e-9);
    EXPECT_EQ(*behind, "measuring the tool effect: run 2 of 10, untraced: half");
}

TEST_F(ExperimentJobTest, CancelIsSeenBetweenRuns) {
    std::stop_source stop;
    m_control.stop = stop.get_token();
    m_plain.onRun = [&stop](const RunControl&) { stop.request_stop(); };
    try {
        run();
        ADD_FAILURE();
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::Cancelled);
    }
    EXPECT_EQ(m_log.size(), 2u);
}

TEST_F(ExperimentJobTest, TheStopTokenReachesTheBackend) {
    std::stop_source stop;
    m_control.stop = stop.get_token();
    m_traced.onRun = [&stop](const RunControl& control) {
        stop.request_stop();
        control.throwIfCancelled();
    };
    EXPECT_THROW(run(), Error);
    EXPECT_EQ(m_log.size(), 1u);
}

TEST_F(ExperimentJobTest, ABackendsErrorComesThrough) {
    m_traced.onRun = [](const RunControl&) { throw Error(ErrorKind::DeviceFailed, "sticky", "broken"); };
    try {
        run();
        ADD_FAILURE();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), "sticky");
    }
}

TEST_F(ExperimentJobTest, LoopsThatAreNoNumberAreNotPassedOn) {
    m_plain.loops = m_traced.loops = "many";
    run();
    EXPECT_EQ(joined(m_log).find("many"), std::string::npos);
    EXPECT_EQ(m_log.back(), "P:0");
}

TEST_F(ExperimentJobTest, NoBackendIsAnError) {
    EXPECT_THROW(runExperiment(m_experiment, {}, "x", {}), Error);
}

TEST(RecordingBadge, SaysWhatATraceIs) {
    const auto badge = [](SourceKind source, bool live) {
        TraceBuilder builder;
        builder.add(ProvenanceRecord{source, "a tool", "", ""});
        Recording recording;
        recording.trace = builder.finish();
        recording.live = live;
        return recording.badge();
    };
    EXPECT_EQ(badge(SourceKind::Cuda, true), "");
    EXPECT_EQ(badge(SourceKind::Cuda, false), "RECORDED");
    for (const bool live : {true, false}) {
        EXPECT_EQ(badge(SourceKind::Simulated, live), "SIMULATED");
        EXPECT_EQ(badge(SourceKind::Imported, live), "IMPORTED");
        EXPECT_EQ(badge(SourceKind::Traced, live), "TRACED");
    }
    EXPECT_EQ(Recording().badge(), "ORIGIN NOT KNOWN") << "no record says it";
}

} // namespace
} // namespace olab::recording
