// What a learner or a class answered, as CSV.
#include <olab/lesson/lesson_file.h>
#include <olab/lesson/lesson_record.h>

#include <gtest/gtest.h>

namespace olab::lesson {
namespace {

Lesson lessonOfAllKinds() {
    return parseLesson("---\ntitle: Mine, too\nminutes: 5\n---\n# One\n```experiment\nstreams: 2\n```\n"
                       "```predict\nquestion: What **now**?\n- This | raced()==0\n- That | raced()>=1\n```\n"
                       "```bars\nquestion: Where?\n- H2D | h2d 1\n- K | kernel 1\n```\n"
                       "```exercise\ntask: Do.\noption: streams\nsays: So.\nholds: raced()==0\nsolution: "
                       "streams=3\n```\n```write\nquestion: Why?\n```\n",
                       "mine.md");
}

TEST(LessonRecord, EachAnswerIsARowThatASpreadsheetReads) {
    const Lesson lesson = lessonOfAllKinds();
    StepRecord one;
    EXPECT_TRUE(one.empty());
    one.predicted = 1;
    one.rightAnswer = 0;
    one.placed = {0, 1.5};
    one.pairsRight = 0;
    one.pairs = 1;
    one.written = "=1+1 \"so\"";
    one.attempts = {"streams=4: reached"};
    one.votes = {7, 12};
    one.origin = "simulated";
    one.when = "2026-03-01 10:15";
    EXPECT_FALSE(one.empty());
    const std::string csv = recordCsv(lesson, {{0, one}, {5, one}});
    const std::string head = "\"Mine, too\",1,One,";
    for (const std::string& row :
         {head + "prediction,What now?,That,1,no,simulated,2026-03-01 10:15\r\n",
          head + "vote,What now?,This,7,yes,simulated,", head + "vote,What now?,That,12,no,simulated,",
          head + "bars,Where?,H2D at 0.00; K at 1.50,1,0 of 1 pairs,",
          head + "exercise,Do.,streams=4: reached,,,"})
        EXPECT_NE(csv.find(row), std::string::npos) << row << "\nin\n" << csv;
    EXPECT_EQ(csv.find(",=1"), std::string::npos) << "a formula is no formula";
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 7) << "a step that is not there has no rows\n" << csv;
}

TEST(LessonRecord, WhatWasNotAnsweredHasNoRow) {
    EXPECT_EQ(recordCsv(lessonOfAllKinds(), {{0, {}}}),
              "lesson,step,title,kind,question,answer,count,right,run,when\r\n");
}

} // namespace
} // namespace olab::lesson
