// Exercises of the shipped lessons, answered in many ways on the simulator: the solution is right, and a
// wrong answer is told to be wrong, not left open.
#include <olab/experiment/option_table.h>
#include <olab/experiment/planned_change.h>
#include <olab/lesson/lesson_check.h>
#include <olab/lesson/lesson_file.h>
#include <olab/recording/experiment_job.h>
#include <olab/sim/sim_backend.h>

#include <gtest/gtest.h>

namespace olab::lesson {
namespace {

std::vector<std::string> someValues(const experiment::OptionRow& row,
                                    const experiment::Experiment& experiment) {
    using enum experiment::OptionType;
    if (!row.choices.empty() && row.type != Integer)
        return {row.choices.begin(),
                row.choices.begin() +
                    std::min<std::ptrdiff_t>(6, static_cast<std::ptrdiff_t>(row.choices.size()))};
    if (row.type == Blocks)
        return {"8", "64", "fill:1", "fill:4", "fill:8"};
    if (row.type == Bytes)
        return {"64KiB", "4MiB", "64MiB"};
    const std::int64_t now = std::stoll(row.get(experiment));
    return {std::to_string(std::max<std::int64_t>(row.min, now / 4)), std::to_string(now * 2)};
}

/// Not set where the change cannot be, or is none.
std::optional<CheckOutcome> outcomeOf(const LessonStep& step, const std::string& key,
                                      const std::string& value) {
    experiment::HeldExperiment changed;
    try {
        changed = experiment::withChanges(step.experiment->experiment, {{key, value}});
    } catch (const Error&) {
        return std::nullopt;
    }
    if (changed == step.experiment->experiment || !experiment::conflicts(changed).empty())
        return std::nullopt;
    sim::SimBackend simulator;
    return judgeExercise(*step.exercise,
                         LessonRun(recording::runExperiment(changed, {&simulator, nullptr}, "answer", {})),
                         {});
}

struct Answers {
    int wrong = 0, given = 0;
};

Answers answersWith(const LessonStep& step, const std::string& key, const std::string& where) {
    Answers answers;
    for (const std::string& value : someValues(*experiment::findOption(key), step.experiment->experiment)) {
        const auto outcome = outcomeOf(step, key, value);
        if (!outcome)
            continue;
        ++answers.given;
        answers.wrong += outcome->outcome == Outcome::Differs ? 1 : 0;
        EXPECT_NE(outcome->outcome, Outcome::Unknown)
            << where << key << '=' << value << ": " << outcome->found;
        for (const char* odd : {"(not known)", " -"})
            EXPECT_EQ(outcome->text.find(odd), std::string::npos)
                << where << key << '=' << value << ": " << outcome->text;
    }
    return answers;
}

TEST(LessonExercises, WrongAnswersAreToldToBeWrong) {
    int exercises = 0;
    for (const Lesson& lesson : shippedLessons())
        for (const LessonStep& step : lesson.steps) {
            if (!step.exercise)
                continue;
            ++exercises;
            const std::string where = lesson.id + ": ";
            EXPECT_FALSE(step.exercise->hint.empty() || step.exercise->check.differs.empty()) << where;
            int wrongOptions = 0;
            for (const std::string& key : step.exercise->options) {
                const Answers answers = answersWith(step, key, where);
                EXPECT_GT(answers.given, 0) << where << "no value of " << key << " can be run";
                wrongOptions += answers.wrong > 0 ? 1 : 0;
            }
            EXPECT_GE(wrongOptions, 2) << where << "hardly an answer is wrong";
            const auto& [key, value] = step.exercise->solution;
            const auto solved = outcomeOf(step, key, value);
            ASSERT_TRUE(solved) << where;
            EXPECT_EQ(solved->outcome, Outcome::Holds) << where << solved->found;
        }
    EXPECT_GE(exercises, 11);
}

} // namespace
} // namespace olab::lesson
