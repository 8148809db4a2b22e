// What a lesson says is decided by the run: the right answer, each statement, the values in sentences.
#include "test_places.h"

#include <olab/analysis/waits.h>
#include <olab/lesson/lesson_check.h>
#include <olab/lesson/lesson_file.h>
#include <olab/recording/experiment_job.h>
#include <olab/sim/sim_backend.h>

#include <gtest/gtest.h>

namespace olab::lesson {
namespace {

LessonRunPtr simulated(int streams) {
    experiment::HeldExperiment experiment;
    experiment::setNumber(experiment, "streams", streams);
    experiment::setOption(experiment, "iterations=6");
    sim::SimBackend simulator;
    return std::make_shared<const LessonRun>(
        recording::runExperiment(experiment, {&simulator, nullptr}, "test", {}));
}

LessonRunPtr recorded(const std::string& name, const std::string& device = "h200") {
    return std::make_shared<const LessonRun>(recording::openRecording(
        std::string(OLAB_SOURCE_DIR) + "/resources/recordings/" + name + "-" + device + ".olab"));
}

LessonStep stepWith(std::vector<LessonCheck> checks) {
    LessonStep step;
    step.question = LessonQuestion{
        "Does it overlap?",
        {{"Yes", {"verdict(h2d,kernel)==overlapped"}}, {"No", {"verdict(h2d,kernel)==serialized"}}}};
    step.checks = std::move(checks);
    return step;
}

TEST(LessonCheck, TheRunDecidesWhichAnswerIsRight) {
    const LessonStep step = stepWith({});
    const LessonRunPtr one = simulated(1), four = simulated(4);
    EXPECT_EQ(judgeStep(step, *one, {}).answers[0].outcome, Outcome::Differs);
    EXPECT_EQ(judgeStep(step, *one, {}).answers[1].outcome, Outcome::Holds);
    EXPECT_EQ(judgeStep(step, *four, {}).answers[0].outcome, Outcome::Holds);
    EXPECT_EQ(judgeStep(step, *four, {}).answers[1].outcome, Outcome::Differs);
}

TEST(LessonCheck, AnAnswerSaysWhyWithTheMeasuredValue) {
    LessonStep step = stepWith({});
    step.question->answers[0].why = "There were {{count(kernel)}} kernels.";
    EXPECT_EQ(judgeStep(step, *simulated(4), {}).answers[0].why, "There were 24 kernels.");
    EXPECT_EQ(judgeStep(step, *simulated(4), {}).answers[1].why, "");
}

TEST(LessonCheck, WhereAMachineDiffersTheTextSaysSo) {
    const LessonStep step = stepWith(
        {{"It overlapped.", {"verdict(h2d,kernel)==overlapped"}, "Here it is {{verdict(h2d,kernel)}}."}});
    const StepOutcome outcome = judgeStep(step, *simulated(1), {});
    EXPECT_EQ(outcome.checks[0].outcome, Outcome::Differs);
    EXPECT_EQ(outcome.checks[0].text, "Here it is serialized.");
    EXPECT_NE(outcome.checks[0].found.find("does not hold"), std::string::npos);
}

TEST(LessonCheck, ValuesAreThoseOfTheRun) {
    const LessonRunPtr run = simulated(4);
    const auto& bounds = run->recording()->report.bounds;
    const LessonStep step =
        stepWith({{"{{/bounds/measured_ns}}, {{percent /bounds/efficiency}}, {{count(kernel)}}, {{/none}}",
                   {"count(kernel)==24"},
                   ""}});
    ASSERT_TRUE(bounds.efficiency && bounds.measured);
    const std::string percent = std::to_string(static_cast<int>(*bounds.efficiency * 100 + 0.5));
    EXPECT_EQ(judgeStep(step, *run, {}).checks[0].text,
              analysis::timeText(*bounds.measured) + ", " + percent + " %, 24, (not known)");
}

TEST(LessonCheck, AnEarlierRunThatIsMissingLeavesItOpen) {
    const LessonStep step = stepWith({{"Faster.", {"/bounds/measured_ns<10*@before"}, "Slower."}});
    const LessonRunPtr run = simulated(4);
    StepOutcome outcome = judgeStep(step, *run, {});
    EXPECT_EQ(outcome.checks[0].outcome, Outcome::Unknown);
    EXPECT_EQ(outcome.checks[0].text, "Faster.") << "that it differs is not known";
    EXPECT_NE(outcome.checks[0].found.find("was not run yet"), std::string::npos);
    outcome = judgeStep(step, *run, {{"before", simulated(1)}});
    EXPECT_EQ(outcome.checks[0].outcome, Outcome::Holds);
}

TEST(LessonCheck, ASimulatedRunIsNotHeldAgainstARecordedOne) {
    const LessonStep step =
        stepWith({{"Faster: {{/bounds/measured_ns @before}}.", {"/bounds/measured_ns<100*@before"}, ""}});
    const StepOutcome outcome = judgeStep(step, *simulated(4), {{"before", recorded("default")}});
    EXPECT_EQ(outcome.checks[0].outcome, Outcome::Unknown);
    EXPECT_EQ(outcome.checks[0].text, "Faster: (not known).");
    EXPECT_NE(outcome.checks[0].found.find("run both on the same machine"), std::string::npos);
    EXPECT_EQ(judgeStep(step, *recorded("one-stream"), {{"before", recorded("default")}}).checks[0].outcome,
              Outcome::Holds);
}

TEST(LessonCheck, RunsOfTwoDevicesAreNotHeldAgainstEachOther) {
    const LessonStep step =
        stepWith({{"As long: {{/bounds/measured_ns @before}}.", {"/bounds/measured_ns<100*@before"}, ""}});
    const LessonRuns before{{"before", recorded("lessons/priorities-equal", "h100")}};
    const StepOutcome outcome = judgeStep(step, *recorded("priorities"), before);
    EXPECT_EQ(outcome.checks[0].outcome, Outcome::Unknown);
    EXPECT_EQ(outcome.checks[0].text, "As long: (not known).");
    EXPECT_NE(outcome.checks[0].found.find("run both on the same machine"), std::string::npos);
}

TEST(LessonCheck, WhereARunCameFromIsSaid) {
    EXPECT_EQ(originText(*simulated(1)->recording()), "simulated");
    EXPECT_EQ(originText(*recorded("default")->recording()), "recorded on NVIDIA H200");
}

/// A lesson whose statements held of any run would teach nothing: each experiment is held against that of
/// another step.
TEST(LessonCheck, StatementsOfALessonAreAboutItsOwnRuns) {
    const LessonRunPtr other = recorded("launch-bound");
    for (const Lesson& lesson : shippedLessons()) {
        bool all = true;
        for (const LessonStep& step : lesson.steps)
            for (const CheckOutcome& check : judgeStep(step, *other, {}).checks)
                all = all && check.outcome == Outcome::Holds;
        EXPECT_FALSE(all) << lesson.id;
    }
}

TEST(LessonCheck, AnAttemptChangesOneOfTheOptionsOfTheExercise) {
    LessonStep step;
    step.experiment.emplace();
    step.exercise = LessonExercise{
        "Do.", "", {"streams", "order"}, {"So.", {"verdict(h2d,kernel)==overlapped"}, ""}, {"streams", "4"}};
    experiment::setOption(step.experiment->experiment, "streams=1");
    experiment::HeldExperiment made = step.experiment->experiment;
    EXPECT_FALSE(attemptedChange(step, made)) << "the same";
    experiment::setOption(made, "streams=3");
    EXPECT_EQ(attemptedChange(step, made), (std::pair<std::string, std::string>("streams", "3")));
    experiment::setOption(made, "order=breadth");
    EXPECT_FALSE(attemptedChange(step, made)) << "two at once";
    experiment::setOption(made, "streams=1");
    EXPECT_EQ(attemptedChange(step, made)->first, "order");
    experiment::setOption(made, "order=depth");
    experiment::setOption(made, "iterations=5");
    EXPECT_FALSE(attemptedChange(step, made)) << "none of its options";
    EXPECT_EQ(judgeExercise(*step.exercise, *simulated(4), {}).outcome, Outcome::Holds);
    EXPECT_EQ(judgeExercise(*step.exercise, *simulated(1), {}).outcome, Outcome::Differs);
}

} // namespace
} // namespace olab::lesson
