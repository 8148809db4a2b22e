// Bars that are dragged to where operations will run: what a lesson's file says of them, and how a prediction
// is held against the run.
#include <olab/lesson/lesson_check.h>
#include <olab/lesson/lesson_file.h>

#include <olab/recording/experiment_job.h>
#include <olab/sim/sim_backend.h>

#include <gtest/gtest.h>

#include <algorithm>

using namespace olab;

namespace {

lesson::Lesson withBars(const std::string& rows) {
    return lesson::parseLesson(
        "---\ntitle: T\nminutes: 5\n---\n# One\n```experiment\nstreams: 2\n```\n```bars\n" + rows + "```\n",
        "mine.md");
}

std::string refusalOfBars(const std::string& rows) {
    try {
        withBars(rows);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST(LessonBars, AreReadWithLabelClassNumberAndLength) {
    const lesson::Lesson lesson = withBars("question: Where?\n- In | h2d 1\n- Work | kernel 2 | 1.5\n");
    ASSERT_TRUE(lesson.steps[0].bars);
    const lesson::LessonBars& bars = *lesson.steps[0].bars;
    EXPECT_EQ(bars.text, "Where?");
    ASSERT_EQ(bars.bars.size(), 2u);
    EXPECT_EQ(bars.bars[0].op.cls, ActivityClass::MemcpyH2D);
    EXPECT_EQ(bars.bars[0].length, 1);
    EXPECT_EQ(bars.bars[1].label, "Work");
    EXPECT_EQ(bars.bars[1].op.number, 2);
    EXPECT_EQ(bars.bars[1].length, 1.5);
}

TEST(LessonBars, WhatIsWrongIsSaidWithItsLine) {
    const std::string good = "- In | h2d 1\n";
    for (const auto& [rows, why] : std::vector<std::pair<std::string, std::string>>{
             {"question: Q\n" + good, "mine.md:9: bars need question: and 2 to 8 bars"},
             {good + good, "bars need question:"},
             {"question: Q\n- In | sync 1\n" + good, "mine.md:11: a bar is"},
             {"question: Q\n- In | h2d\n" + good, "mine.md:11: a bar is"},
             {"question: Q\n- In | h2d 0\n" + good, "a bar is"},
             {"question: Q\n- In | h2d 1x\n" + good, "a bar is"},
             {"question: Q\n- In | h2d 1 | 2 | 3\n" + good, "a bar is"},
             {"question: Q\n- In | h2d 1 | -2\n" + good, "the length of a bar"},
             {"question: Q\n- In | h2d 1 | nan\n" + good, "the length of a bar"},
             {"question: Q\nwhere: x\n" + good + good, "not 'where'"}})
        EXPECT_NE(refusalOfBars(rows).find(why), std::string::npos) << rows << refusalOfBars(rows);
}

TEST(LessonBars, TwoAreTogetherFromAFifthOfTheShorterOneOn) {
    EXPECT_FALSE(lesson::areTogether({0, 1}, {1, 2})) << "they touch";
    EXPECT_FALSE(lesson::areTogether({0, 10}, {9.9, 11}));
    EXPECT_TRUE(lesson::areTogether({0, 10}, {9.5, 11.5}));
    EXPECT_TRUE(lesson::areTogether({0, 10}, {4, 5})) << "one within the other";
    EXPECT_FALSE(lesson::areTogether({0, 10}, {12, 13}));
}

TEST(LessonBars, APredictionIsRightPairByPair) {
    const std::vector<Interval> ran{{0, 100}, {50, 150}, {150, 250}};
    const auto pairs = lesson::barPairs({{0, 1}, {1, 2}, {2, 3}}, ran); // all apart
    ASSERT_EQ(pairs.size(), 3u);
    EXPECT_FALSE(pairs[0].right()) << "they ran together";
    EXPECT_TRUE(pairs[1].right());
    EXPECT_TRUE(pairs[2].right());
    EXPECT_EQ(lesson::scoreText(pairs), "2 of 3 pairs right.");
    const lesson::LessonBars bars{
        "Q",
        {{"A", {ActivityClass::Kernel}}, {"B", {ActivityClass::Kernel}}, {"C", {ActivityClass::Kernel}}}};
    EXPECT_EQ(lesson::pairText(bars, pairs[0]), "A and B: you had them apart; they ran together.");
    EXPECT_EQ(lesson::scoreText(lesson::barPairs({{0, 1}, {0.5, 1.5}, {2, 3}}, ran)), "3 of 3 pairs right.");
    EXPECT_TRUE(lesson::barPairs({{0, 1}}, ran).empty());
}

TEST(LessonBars, WhatCameFirstCountsWhereTwoAreApart) {
    const std::vector<Interval> ran{{0, 100}, {100, 200}};
    const lesson::LessonBars bars{
        "Q", {{"H2D 1", {ActivityClass::MemcpyH2D}}, {"Kernel 1", {ActivityClass::Kernel}}}};
    const auto pairs = lesson::barPairs({{1, 2}, {0, 1}}, ran); // the kernel before its data
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_FALSE(pairs[0].right());
    EXPECT_EQ(lesson::pairText(bars, pairs[0]),
              "H2D 1 and Kernel 1: you had Kernel 1 first; H2D 1 ran first.");
    EXPECT_TRUE(lesson::barPairs({{0, 1}, {3, 4}}, ran)[0].right()) << "how far apart is not asked for";
    EXPECT_FALSE(lesson::barPairs({{0, 1}, {3, 4}}, {{100, 200}, {0, 100}})[0].right());
}

TEST(LessonBars, AreFoundInTheRunAndWhatIsNotThereIsSaid) {
    sim::SimBackend simulator;
    const lesson::Lesson lesson = withBars("question: Q\n- In | h2d 1\n- Work | kernel 1\n- In 2 | h2d 2\n");
    const lesson::LessonRun run(
        recording::runExperiment(lesson.steps[0].experiment->experiment, {&simulator, nullptr}, "test", {}));
    const lesson::StepOutcome outcome = lesson::judgeStep(lesson.steps[0], run, {});
    ASSERT_EQ(outcome.bars.times.size(), 3u);
    EXPECT_LE(outcome.bars.times[0].begin, outcome.bars.times[2].begin);
    EXPECT_GE(outcome.bars.times[1].begin, outcome.bars.times[0].end) << "the kernel needs its data";
    const lesson::Lesson more = withBars("question: Q\n- In | h2d 1\n- Never | memset 9999\n");
    const lesson::StepOutcome none = lesson::judgeStep(more.steps[0], run, {});
    EXPECT_TRUE(none.bars.times.empty());
    EXPECT_EQ(none.bars.missing, "the run has no memset number 9999");
}

TEST(LessonBars, TwoLessonsOfTheProgramAskForThem) {
    int asking = 0;
    for (const lesson::Lesson& lesson : lesson::shippedLessons())
        asking += std::ranges::any_of(lesson.steps,
                                      [](const lesson::LessonStep& step) { return step.bars.has_value(); });
    EXPECT_GE(asking, 2);
}
