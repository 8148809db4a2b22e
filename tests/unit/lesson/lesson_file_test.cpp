// Lessons as files: what a good one means, and what is said of a bad one.
#include "test_places.h"

#include <olab/lesson/lesson_file.h>
#include <olab/trace/error.h>

#include <gtest/gtest.h>

#include <ctime>
#include <fstream>
#include <random>
#include <set>

namespace olab::lesson {
namespace {

namespace fs = std::filesystem;

const std::string kHead = "---\ntitle: Mine\nminutes: 5\n---\n";

Lesson read(const std::string& text) {
    return parseLesson(text, "mine.md");
}

/// What is said of it; empty: it was accepted.
std::string refusal(const std::string& text) {
    try {
        read(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        EXPECT_EQ(error.code(), "bad-lesson");
        return error.what();
    }
    return {};
}

std::string step(const std::string& blocks) {
    return kHead + "# One\nText.\n" + blocks;
}

const std::string kExperiment = "```experiment\nname: one\nstreams: 2\n```\n";

TEST(LessonFile, AGoodOneIsReadWhole) {
    const Lesson lesson =
        read("---\ntitle: Mine\nminutes: 5\nabout: About\n  two lines.\n---\n\n# One\nRead **this** and "
             "`that`.\n\n"
             "```experiment\nname: one\npreset: full-grid\nkernel.blocks: 64\nrecording: default-h200\n```\n"
             "```predict\nquestion: What?\n- This | raced()==0 | count(kernel)>=1\n- That | raced()>=1\n```\n"
             "```check\nsays: It took {{/bounds/measured_ns}}.\nholds: raced()==0\nholds: "
             "count(kernel)>=1\ndiffers: Other.\nshows: memset 12\n```\n"
             "```why\nBecause.\n```\n# Two\n```cpp\nint i = 0;\n```\n");
    EXPECT_EQ(lesson.id, "mine");
    EXPECT_EQ(lesson.about, "About two lines.");
    ASSERT_EQ(lesson.steps.size(), 2u);
    const LessonStep& first = lesson.steps[0];
    ASSERT_TRUE(first.experiment && first.question);
    EXPECT_EQ(experiment::optionNumber(first.experiment->experiment, "streams"), 2) << "of the preset";
    EXPECT_EQ(experiment::optionText(first.experiment->experiment, "kernel.blocks"), "64") << "changed";
    EXPECT_EQ(first.question->answers[0].holds.size(), 2u);
    EXPECT_EQ(first.checks.at(0).holds.size(), 2u);
    ASSERT_TRUE(first.checks.at(0).shows);
    EXPECT_EQ(first.checks.at(0).shows->cls, ActivityClass::Memset);
    EXPECT_EQ(first.checks.at(0).shows->number, 12);
    EXPECT_EQ(plainWords(first.why), "Because.");
    EXPECT_EQ(first.text.at(0).spans.at(1), (TextSpan{SpanStyle::Strong, "this"}));
    EXPECT_EQ(lesson.steps[1].text.at(0).kind, BlockKind::Code);
}

TEST(LessonFile, WhatIsWrongIsSaidWithFileAndLine) {
    const std::vector<std::pair<std::string, std::string>> all{
        {"", "mine.md:1: a lesson begins with"},
        {"---\ntitle: x\n", "mine.md:1: the lines after --- do not end"},
        {"---\ntitle: x\nminutes: soon\n---\n", "mine.md:3: minutes is a whole number"},
        {"---\ntitle: x\nminutes: 5\nauthor: me\n---\n", "mine.md:4: 'author' is none of"},
        {"---\ntitle: x\n---\n", "mine.md:1: title: and minutes: are needed"},
        {kHead, "a lesson needs a step"},
        {kHead + "words\n# One\n", "mine.md:5: text before the first step"},
        {kHead + "```check\n```\n", "mine.md:5: a block before the first step"},
        {step("```experiment\nname: one\n"), "mine.md:7: this block has no end"},
        {step("```experiment\npreset: nothing\n```\n"), "mine.md:8: there is no preset 'nothing'"},
        {step("```experiment\nkernel.block: 64\n```\n"), "mine.md:8: "},
        {step("```experiment\nstreams: many\n```\n"), "mine.md:8: "},
        {step("```experiment\nsubmit: graph\nnull_op: memset\n```\n"),
         "mine.md:7: this experiment cannot be: "},
        {step("```experiment\nrecording: ../../etc/passwd\n```\n"), "mine.md:8: recording is made of"},
        {step(kExperiment + kExperiment), "mine.md:11: a step has one experiment"},
        {step(kExperiment + "# Two\n" + kExperiment), "an earlier experiment has the name 'one'"},
        {step("```experiment\ncompare: none\n```\n"), "mine.md:8: no earlier experiment has the name 'none'"},
        {step("```experimnt\n```\n"),
         "mine.md:7: there is no block 'experimnt'; the nearest is 'experiment'"},
        {step(kExperiment + "```predict\nquestion: What?\n- This\n```\n"), "mine.md:13: an answer is"},
        {step(kExperiment + "```predict\nquestion: What?\n- This | raced()==0\n```\n"),
         "mine.md:11: a prediction needs"},
        {step(kExperiment + "```predict\nwhy: So.\n- This | raced()==0\n```\n"),
         "mine.md:12: a question has the rows"},
        {step(kExperiment + "```predict\nquestion: What?\n- This | raced()==0\nwhy: {{rased()}}\n```\n"),
         "mine.md:14: "},
        {step(kExperiment + "```myth\nclaim: nine\n```\n"), "mine.md:12: claim: is a claim's id"},
        {step(kExperiment + "```myth\nclaim: 001-9\nsays: So.\ntrue: raced()==0\n```\n"),
         "mine.md:11: a myth needs"},
        {step(kExperiment + "```myth\nclaim: 001-9\nsays: So.\ntrue: rased()==0\n```\n"), "mine.md:14: "},
        {step(kExperiment + "```myth\nclaim: 001-9\nmaybe: raced()==0\n```\n"),
         "mine.md:13: a myth has the rows"},
        {step(kExperiment + "```predict\nquestion: What?\n- A | raced()==0\n- B | "
                            "raced()>=1\n```\n```myth\nclaim: 001-9\n```\n"),
         "mine.md:16: a step asks one question"},
        {step(kExperiment + "```predict\nquestion: What?\n- This | raced()=0\n- That | raced()>=1\n```\n"),
         "mine.md:13: "},
        {step(kExperiment + "```check\nsays: So.\n```\n"), "mine.md:11: a statement needs"},
        {step(kExperiment + "```check\nsays: So.\nholds: rased()==0\n```\n"), "mine.md:13: "},
        {step(kExperiment + "```check\nsays: So.\nholds: /bounds/measured_ns<2*@two\n```\n"),
         "mine.md:13: no earlier experiment has the name 'two'"},
        {step(kExperiment + "```check\nsays: {{verdikt(h2d,kernel)}}\nholds: raced()==0\n```\n"),
         "mine.md:12: "},
        {step(kExperiment + "```check\nsays: So.\nshows: memsets 1\n```\n"), "mine.md:13: shows: is a class"},
        {step(kExperiment + "```check\nsays: So.\nshows: memset 0\n```\n"), "mine.md:13: shows: is a class"},
        {step(kExperiment + "```check\nbecause: So.\n```\n"), "mine.md:12: a statement has the rows"},
        {step("```check\nsays: So.\nholds: raced()==0\n```\n"),
         "mine.md:5: this step asks or says something about a run"},
        {step(kExperiment + "```frist\nx\n```\n"), "mine.md:11: there is no block 'frist'"},
        {step(kExperiment + "```figure\npicture: none\nabout: x\n```\n"),
         "mine.md:12: there is no picture 'none.svg'"},
        {step(kExperiment + "```figure\npicture: ../../x\nabout: x\n```\n"),
         "mine.md:12: there is no picture"},
        {step(kExperiment + "```figure\npicture: queues-and-engines\n```\n"), "mine.md:11: a figure needs"},
        {step(kExperiment + "```code\nshow: isue\n```\n"),
         "mine.md:12: the program has no function 'isue'; it has"},
        {step(kExperiment + "```code\nlit: nul_op\n```\n"), "mine.md:12: no line shown is made by 'nul_op'"},
        {step(kExperiment + "```code\nof: two\n```\n"),
         "mine.md:12: no earlier experiment has the name 'two'"},
        {step("```code\n```\n"), "mine.md:7: this step has no experiment: of: NAME"},
        {step(kExperiment + "```exercise\ntask: Do.\n```\n"), "mine.md:11: an exercise needs"},
        {step(kExperiment + "```exercise\ntask: Do.\noption: strems\n```\n"),
         "mine.md:13: there is no option 'strems'"},
        {step(kExperiment + "```exercise\ntask: Do.\noption: order\nsays: So.\nholds: raced()==0\nsolution: "
                            "streams=3\n```\n"),
         "mine.md:11: the solution changes 'streams', which is none"},
        {step(kExperiment +
              "```exercise\ntask: Do.\noption: streams\nsays: So.\nholds: raced()==0\nsolution: "
              "streams=2\n```\n"),
         "mine.md:11: the solution changes nothing"},
        {step(kExperiment +
              "```exercise\ntask: Do.\noption: streams\nsays: So.\nholds: raced()==0\nsolution: "
              "streams=no\n```\n"),
         "mine.md:11: the solution cannot be: "},
        {step(kExperiment + "```write\nasks: Why?\n```\n"), "mine.md:12: this block has the rows question:"},
        {step("```experiment\nrows: top\n```\n"), "mine.md:8: rows: is engines, streams or host"},
        {step("```experiment\nalso: measured\n```\n"), "mine.md:8: also: is simulated"},
        {std::string(kMaxLessonBytes + 1, ' '), "mine.md:1: a lesson has a mebibyte at most"},
    };
    for (const auto& [text, said] : all)
        EXPECT_NE(refusal(text).find(said), std::string::npos)
            << "wanted: " << said << "\nsaid:   " << refusal(text) << "\nof:\n"
            << text.substr(0, 400);
}

TEST(LessonFile, AllThatIsWrongIsSaidAtOnceInOrderOfLines) {
    const std::string text = "---\ntitle: Mine\nminutes: long\nauthor: me\n---\n# One\nText.\n"
                             "```experiment\nname: one\nstreams: many\nkernel.block: 64\n```\n"
                             "```chek\n```\n"
                             "```predict\nquestion: What?\n- This\n- That | raced()=0\n```\n"
                             "# Two\n```check\nsays: {{verdikt(h2d,kernel)}}\nholds: rased()==0\n```\n"
                             "# Three\n```experiment\npreset: nothing\n```\n```check\nsays: So.\nholds: "
                             "/bounds/measured_ns<2*@one\n```\n```why\nopen\n";
    std::vector<std::string> problems;
    try {
        read(text);
    } catch (const LessonError& error) {
        problems = error.problems();
    }
    std::vector<int> lines;
    for (const std::string& problem : problems)
        lines.push_back(std::stoi(problem.substr(problem.find(':') + 1)));
    EXPECT_EQ(lines, (std::vector<int>{3, 4, 10, 11, 13, 17, 18, 22, 23, 27, 33}))
        << testing::PrintToString(problems);
}

TEST(LessonFile, ThousandsOfErrorsAreCountedNotListed) {
    std::string text = kHead + "# One\n";
    for (int i = 0; i < 3'000; ++i)
        text += "```nothing\n```\n";
    try {
        read(text);
        FAIL();
    } catch (const LessonError& error) {
        ASSERT_EQ(error.problems().size(), kMostProblems + 1);
        EXPECT_EQ(error.problems().back(), "and 2950 more");
    }
}

TEST(LessonFile, AnExcerptIsAFunctionOfTheProgramWithItsLinesLit) {
    const Lesson lesson = read(
        step("Before.\n```code\nlit: null_op\nlit: d2h\nlit: `int rounds`\n```\nAfter.\n```experiment\nname: "
             "one\nnull_op: memset\n```\n# Two\n```code\nof: one\nshow: setUp\n```\n"));
    const LessonText& text = lesson.steps[0].text;
    ASSERT_EQ(text.size(), 3u);
    EXPECT_EQ(plainWords({text[0]}), "Text. Before.");
    ASSERT_EQ(text[1].kind, BlockKind::Excerpt);
    EXPECT_EQ(plainWords({text[2]}), "After.");
    EXPECT_NE(text[1].spans.front().text.find("issue("), std::string::npos);
    EXPECT_EQ(text[1].spans.back().text, "}");
    EXPECT_EQ(text[1].spans.front().style, SpanStyle::Strong);
    int lit = 0;
    for (const TextSpan& line : text[1].spans) {
        const bool isLit = line.style == SpanStyle::Strong;
        lit += isLit;
        EXPECT_EQ(line.text.find("CHECK"), std::string::npos) << line.text;
        if (line.text.find("cudaMemcpyHostToDevice") != std::string::npos) {
            EXPECT_FALSE(isLit) << line.text;
        }
        if (line.text.find("cudaMemcpyDeviceToHost") != std::string::npos) {
            EXPECT_TRUE(isLit) << line.text;
        }
    }
    EXPECT_GE(lit, 3);
    EXPECT_NE(lesson.steps[1].text[0].spans.front().text.find("setUp("), std::string::npos);
}

TEST(LessonFile, AFigureIsOfTheProgramOrBesideTheLessonAndLoadsNothing) {
    const fs::path folder = fs::path(testing::TempDir()) / "olab_figures";
    fs::remove_all(folder);
    fs::create_directories(folder);
    const std::string good =
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><rect id='a' width='9' "
        "height='9'/><use href='#a'/></svg>";
    std::ofstream(folder / "mine.svg") << good;
    std::ofstream(folder / "bad.svg") << "<svg><image href='file:///etc/passwd'/></svg>";
    std::ofstream(folder / "l.md") << step("```figure\npicture: mine\nabout: A square.\n```\n");
    std::ofstream(folder / "b.md") << step("```figure\npicture: bad\nabout: A square.\n```\n");
    const Lesson lesson = readLesson(folder / "l.md");
    ASSERT_EQ(lesson.steps[0].text.size(), 2u);
    EXPECT_EQ(lesson.steps[0].text[1].kind, BlockKind::Figure);
    EXPECT_EQ(lesson.steps[0].text[1].spans[0].text, good);
    EXPECT_EQ(plainWords({lesson.steps[0].text[1]}), "A square. ");
    EXPECT_EQ(lesson.folder, folder);
    try {
        readLesson(folder / "b.md");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(
            std::string(error.what()).find("b.md:8: the picture 'bad.svg' cannot be shown: it has '<image'"),
            std::string::npos)
            << error.what();
    }
    EXPECT_EQ(figureProblem(good), "");
    for (const char* bad :
         {"<svg><a HREF='http://x'/></svg>", "<svg style=\"fill:url( 'http://x')\"></svg>",
          "<!DOCTYPE svg><svg></svg>", "<svg><script/></svg>", "words", "<svg>@import</svg>"})
        EXPECT_NE(figureProblem(bad), "") << bad;
    fs::remove_all(folder);
}

TEST(LessonFile, ARecordingThatIsMissingOrOfOtherSettingsIsSaidWithItsLine) {
    const fs::path folder = fs::path(OLAB_SOURCE_DIR) / "resources/recordings";
    const Lesson lesson = read(
        step("```experiment\npreset: full-grid\nkernel.blocks: 63\nrecording: full-grid-h200\n```\n# Two\n"
             "```experiment\npreset: full-grid\nrecording: no-such-h200\n```\n# Three\n"
             "```experiment\npreset: full-grid\nrecording: full-grid-h200\n```\n"));
    const std::vector<std::string> problems = recordingProblems(lesson, folder);
    ASSERT_EQ(problems.size(), 2u) << testing::PrintToString(problems);
    EXPECT_NE(problems[0].find("mine.md:10: the recording 'full-grid-h200' is of another experiment: "
                               "kernel.blocks=fill:8, and here 63"),
              std::string::npos)
        << problems[0];
    EXPECT_NE(problems[1].find("mine.md:15: there is no recording 'no-such-h200.olab'"), std::string::npos)
        << problems[1];
    const fs::path file = fs::path(testing::TempDir()) / "olab_recordings.md";
    std::ofstream(file) << step("```experiment\nrecording: none\n```\n```chek\n```\n");
    try {
        readLesson(file, folder);
        FAIL();
    } catch (const LessonError& error) {
        EXPECT_EQ(error.problems().size(), 2u) << "with what else is wrong\n" << error.what();
    }
    EXPECT_THROW(readLesson(file), LessonError);
    fs::remove(file);
    for (const Lesson& shipped : shippedLessons())
        EXPECT_EQ(recordingProblems(shipped, folder), std::vector<std::string>{}) << shipped.id;
}

/// Who copies a block of the page gets one that can be read.
TEST(LessonFile, TheExamplesOfItsPageAreLessons) {
    std::ifstream page(std::string(OLAB_SOURCE_DIR) + "/resources/doc/lessons.md");
    std::vector<std::string> examples(1);
    for (std::string line; std::getline(page, line);) {
        if (line.starts_with("    "))
            examples.back() += line.substr(4) + "\n";
        else if (!line.empty() && !examples.back().empty())
            examples.emplace_back();
        else if (line.empty())
            examples.back() += examples.back().empty() ? "" : "\n";
    }
    int read = 0;
    for (const std::string& example : examples) {
        if (example.find("```") == std::string::npos)
            continue;
        const bool hasOne = example.find("```experiment") != std::string::npos;
        EXPECT_EQ(refusal(step((hasOne ? "" : "```experiment\npreset: null-stream\n```\n") + example)), "")
            << example;
        ++read;
    }
    EXPECT_GE(read, 4);
}

TEST(LessonFile, AnswersSayWhyAndAQuestionMayHaveAHint) {
    const Lesson lesson =
        read(step(kExperiment + "```predict\nquestion: What?\nhint: Look.\n- This | raced()==0\nwhy: "
                                "Because\n  of it.\n- That | raced()>=1\n```\n"));
    ASSERT_TRUE(lesson.steps[0].question);
    EXPECT_EQ(lesson.steps[0].question->hint, "Look.");
    EXPECT_EQ(lesson.steps[0].question->answers[0].why, "Because of it.");
    EXPECT_TRUE(lesson.steps[0].question->answers[1].why.empty());
    EXPECT_FALSE(lesson.steps[0].myth);
}

TEST(LessonFile, AMythIsAQuestionWhoseAnswersAreVerdicts) {
    const Lesson lesson = read(step("```cpp\nkernel();\n```\n" + kExperiment +
                                    "```myth\nclaim: 001-9\nsays: It waits.\ntrue: raced()==0 | "
                                    "count(kernel)>=1\nfalse: raced()>=1\n```\n"));
    ASSERT_TRUE(lesson.steps[0].myth && lesson.steps[0].question);
    EXPECT_EQ(lesson.steps[0].myth->claim, "001-9");
    EXPECT_EQ(lesson.steps[0].question->text, "It waits.");
    ASSERT_EQ(lesson.steps[0].question->answers.size(), 2u);
    EXPECT_EQ(lesson.steps[0].question->answers[0].text, "True");
    EXPECT_EQ(lesson.steps[0].question->answers[0].holds.size(), 2u);
    EXPECT_EQ(lesson.steps[0].question->answers[1].text, "False");
}

/// What an answer says when it was wrong is half of what a lesson teaches.
TEST(LessonFile, ThoseOfTheProgramSayWhyOfEachAnswerAndNeverGiveItAwayInATitle) {
    for (const Lesson& lesson : shippedLessons())
        for (const LessonStep& s : lesson.steps) {
            if (!s.question || s.myth)
                continue;
            for (const LessonAnswer& answer : s.question->answers)
                EXPECT_FALSE(answer.why.empty()) << lesson.id << ", " << s.title << ": " << answer.text;
        }
    for (const char* id : {"first-overlap", "bounds", "pinned-or-pageable", "null-stream", "events", "races"})
        for (const char* given :
             {"barrier", "is a kernel", "turns", "stop", "fixes", "saved by accident\"", "enough"})
            EXPECT_EQ((findShippedLesson(id)->title + findShippedLesson(id)->steps[0].title).find(given),
                      std::string::npos)
                << id;
}

TEST(LessonFile, TwelveMythsBeginWithTheirCode) {
    const Lesson* const myths = findShippedLesson("myths");
    ASSERT_NE(myths, nullptr);
    EXPECT_EQ(myths->steps.size(), 12u);
    for (const LessonStep& s : myths->steps) {
        EXPECT_TRUE(s.myth) << s.title;
        ASSERT_FALSE(s.text.empty()) << s.title;
        EXPECT_EQ(s.text[0].kind, BlockKind::Code) << s.title;
        EXPECT_FALSE(s.why.empty()) << s.title;
    }
}

TEST(LessonFile, MarkupOfOthersStaysLetters) {
    const LessonText text =
        lessonText("<b>x</b> <img src='http://a/b.png'> ![x](file:///etc/passwd) [words](http://a/b)");
    ASSERT_EQ(text.size(), 1u);
    EXPECT_EQ(plainWords(text), "<b>x</b> <img src='http://a/b.png'> !x words")
        << "no address is kept of a link";
    for (const TextSpan& span : text[0].spans)
        EXPECT_EQ(span.style, SpanStyle::Plain);
}

TEST(LessonFile, MarksThatDoNotEndAreLetters) {
    EXPECT_EQ(plainWords(lessonText("2 * 3 * 4, **open, `open, {{open")), "2 * 3 * 4, **open, `open, {{open");
    const LessonText items = lessonText("- one\n  more\n- two\n\n1. three\n\n## Head\nwords");
    ASSERT_EQ(items.size(), 5u);
    EXPECT_EQ(plainWords({items[0]}), "one more");
    EXPECT_EQ(items[2].kind, BlockKind::Numbered);
    EXPECT_EQ(items[3].kind, BlockKind::Heading);
}

TEST(LessonFile, HostileOnesAreReadOrRefusedAtOnce) {
    const std::clock_t begun = std::clock(); // of this process: what others do does not count
    const std::vector<std::string> parts{"```",       "experiment\n",
                                         "check\n",   "# ",
                                         "\n",        "---\n",
                                         "name: a\n", "says: {{",
                                         "}}\n",      "holds: ",
                                         "@",         "|",
                                         "**",        "`",
                                         "\0\xff",    "- ",
                                         "[x](",      "streams: 1\n",
                                         "predict\n", "why\n",
                                         " ",         "kernel.us: 99999999999\n"};
    std::mt19937 random(7);
    for (int i = 0; i < 2'000; ++i) {
        std::string text = i % 2 ? kHead + "# One\n" : "";
        for (int n = 0; n < 40; ++n)
            text += parts[random() % parts.size()];
        refusal(text);
    }
    for (const char* part : {"*", "`", "[", "{{", "# a\n", "```\n", "- a\n", "[a](b"}) {
        std::string text = kHead + "# One\n";
        while (text.size() + 8 < kMaxLessonBytes)
            text += part;
        refusal(text);
    }
    EXPECT_LT(std::clock() - begun, 60 * CLOCKS_PER_SEC) << "nothing grows with the square of a file";
}

TEST(LessonFile, ThoseOfTheProgramAreTenOrMoreAndEachIsFiveToTenMinutes) {
    std::set<std::string> ids;
    for (const Lesson& lesson : shippedLessons()) {
        EXPECT_TRUE(ids.insert(lesson.id).second) << lesson.id;
        EXPECT_GE(lesson.minutes, 5) << lesson.id;
        EXPECT_LE(lesson.minutes, 10) << lesson.id;
        EXPECT_FALSE(lesson.about.empty()) << lesson.id;
        for (const LessonStep& s : lesson.steps) {
            ASSERT_TRUE(s.experiment && (s.question || s.bars)) << lesson.id << ": " << s.title;
            EXPECT_FALSE(s.checks.empty() || s.why.empty()) << lesson.id << ": " << s.title;
            const fs::path file =
                recordingFile(*s.experiment, fs::path(OLAB_SOURCE_DIR) / "resources/recordings");
            EXPECT_EQ(file.empty(), s.experiment->recording.empty()) << s.experiment->recording;
        }
    }
    EXPECT_GE(ids.size(), 10u);
}

TEST(LessonFile, RecordingsOfStepsAreFoundBesideThoseOfPresetsAndEachIsOfAStep) {
    const fs::path folder = fs::path(OLAB_SOURCE_DIR) / "resources/recordings";
    LessonExperiment asked;
    EXPECT_TRUE(recordingFile(asked, folder).empty()) << "it names none";
    asked.recording = "bounds-2-h200";
    EXPECT_EQ(recordingFile(asked, folder), folder / "lessons/bounds-2-h200.olab");
    EXPECT_TRUE(recordingFile(asked, {}).empty()) << "no folder is not the one that one happens to be in";
    asked.recording = "default-h200";
    EXPECT_EQ(recordingFile(asked, folder), folder / "default-h200.olab");
    EXPECT_EQ(recordingFile(asked, folder / "lessons", folder), folder / "default-h200.olab")
        << "beside the lesson";
    asked.recording = "no-such-h200";
    EXPECT_TRUE(recordingFile(asked, folder).empty());
    std::set<std::string> named;
    for (const Lesson& lesson : shippedLessons())
        for (const LessonStep& s : lesson.steps)
            if (s.experiment)
                named.insert(s.experiment->recording);
    std::size_t there = 0;
    for (const auto& entry : fs::directory_iterator(folder / "lessons")) {
        EXPECT_TRUE(named.contains(entry.path().stem().string())) << entry.path() << " is shown nowhere";
        ++there;
    }
    EXPECT_EQ(there, 14u);
}

TEST(LessonFile, NumbersAreMeasuredNotWrittenDown) {
    for (const Lesson& lesson : shippedLessons())
        for (const LessonStep& s : lesson.steps)
            for (const LessonCheck& check : s.checks)
                for (const char* unit : {" ms", " us", " %", " GB/s"})
                    EXPECT_EQ(check.says.find(unit), std::string::npos) << lesson.id << ": " << check.says;
}

TEST(LessonFile, AFolderGivesItsLessonsAndWhatIsWrongWithOthers) {
    const fs::path folder = fs::path(testing::TempDir()) / "olab_lessons";
    fs::remove_all(folder);
    EXPECT_TRUE(lessonsIn(folder).empty()) << "not there";
    fs::create_directories(folder / "sub.md");
    std::ofstream(folder / "b.md") << kHead << "# One\nText.\n";
    std::ofstream(folder / "a.md") << "nothing";
    std::ofstream(folder / "notes.txt") << "nothing";
    const auto found = lessonsIn(folder);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_FALSE(found[0].lesson);
    ASSERT_FALSE(found[0].problems.empty());
    EXPECT_NE(found[0].problems[0].find("a.md:1: "), std::string::npos);
    ASSERT_TRUE(found[1].lesson);
    EXPECT_EQ(found[1].lesson->id, "b");
    fs::remove_all(folder);
}

} // namespace
} // namespace olab::lesson
