// Groups, outliers, history and order of rows that were made by hand.
#include <olab/survey/standing.h>
#include <olab/survey/survey_table.h>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace olab::survey {
namespace {

using io::ReportValue;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

ReportValue number(long double value) {
    return {ReportValue::Is::Number, value, "", std::to_string(static_cast<long long>(value))};
}

Row row(const std::string& file, long double value, const std::string& day = "",
        const char* program = "train") {
    Row made;
    made.file = file;
    made.program = program;
    made.machine = "H200";
    made.recordedAt = day.empty() ? day : "2026-01-" + day + "T10:00:00Z";
    made.values = {number(value)};
    return made;
}

const std::vector<Column> kTime{{"time", "/bounds/measured_ns"}};

std::vector<std::string> namesOf(const Survey& survey) {
    std::vector<std::string> names;
    for (const Row& one : survey.rows)
        names.push_back(one.file.string());
    return names;
}

TEST(RowOrder, WithoutTheNumberComesLastAndWithAProblemBehindAll) {
    Row none = row("none", 0), word = row("word", 0), bad = row("bad", 0);
    none.values = {ReportValue{}};
    word.values = {ReportValue{ReportValue::Is::Text, 0, "b", "\"b\""}};
    bad.problem = "damaged";
    const std::vector<Row> rows{bad, word, row("small", 1), none, row("large", 3), row("same", 3)};
    EXPECT_THAT(namesOf(surveyOf(rows, kTime, {0, false})),
                ElementsAre("large", "same", "small", "none", "word", "bad"));
    EXPECT_THAT(namesOf(surveyOf(rows, kTime, {0, true})),
                ElementsAre("small", "large", "same", "none", "word", "bad"));
}

TEST(Groups, AreOfOneProgramOnOneMachine) {
    Row other = row("other", 1), bad = row("bad", 1), part = row("part", 1);
    other.machine = "H100";
    bad.problem = "damaged";
    part.loss = "records were lost";
    const std::vector<Row> rows{row("a", 1, "02"),       other, bad, part, row("b", 1, "01"),
                                row("c", 1, "", "serve")};
    const std::vector<Group> groups = groupsOf(rows);
    ASSERT_THAT(groups, SizeIs(3));
    EXPECT_THAT(groups[0].rows, ElementsAre(4u, 0u)) << "by their time";
    EXPECT_EQ(groups[0].program, "train");
}

TEST(Outliers, AreFarFromTheOthersOfTheirGroup) {
    std::vector<Row> rows;
    for (const long double value : {100, 101, 99, 100, 102, 98, 140, 100})
        rows.push_back(row("r" + std::to_string(rows.size()), value));
    for (const long double value : {1, 1000, 5, 7}) // too few to say
        rows.push_back(row("s" + std::to_string(rows.size()), value, "", "serve"));
    const auto groups = groupsOf(rows);
    const std::vector<Outlier> found = outliersOf(rows, groups, 1);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].row, 6u);
    EXPECT_EQ(found[0].value, 140);
    EXPECT_EQ(found[0].runs, 8u);
    EXPECT_EQ(found[0].median, 100);
    EXPECT_GT(found[0].distance, kFarAway);
}

TEST(Outliers, SayWhichNumberAndByHowMuch) {
    const Column time{"time", "/bounds/measured_ns"}, share{"overlap", "/survey/of_attainable"},
        count{"kept", "/counts/kept"};
    EXPECT_EQ(outlierText({0, 0, 1'500'000, 1'000'000, 8.24, 24}, time),
              "time 1.50 ms, typical is 1.00 ms (24 runs): 50 % more, 8.2 deviations away");
    EXPECT_THAT(outlierText({0, 0, 3'000'000, 1'000'000, 8.24, 24}, time), HasSubstr("3 times as much"));
    EXPECT_THAT(outlierText({0, 0, 0.25L, 0.5L, 4, 9}, share),
                testing::StartsWith("overlap 25.0 %, typical is 50.0 % (9 runs): 50 % less"));
    EXPECT_THAT(outlierText({0, 0, 5, 0, 4, 9}, count), HasSubstr("kept 5, typical is 0 (9 runs): more"));
}

TEST(Outliers, OfEqualNumbersALittleIsNotFar) {
    std::vector<Row> rows;
    for (const long double value : {1000, 1000, 1000, 1000, 1000, 1000, 1015, 1030})
        rows.push_back(row("r" + std::to_string(rows.size()), value));
    const std::vector<Outlier> found = outliersOf(rows, groupsOf(rows), 1);
    ASSERT_THAT(found, SizeIs(1)) << "1.5 % are none, 3 % are";
    EXPECT_EQ(found[0].value, 1030);
    std::vector<Row> zeros(8, row("z", 0));
    EXPECT_THAT(outliersOf(zeros, groupsOf(zeros), 1), SizeIs(0));
}

TEST(Histories, SayHowTheLaterHalfDiffersFromTheEarlier) {
    std::vector<Row> rows, flat;
    const auto day = [](int i) { return (i < 10 ? "0" : "") + std::to_string(i); };
    for (int i = 20; i >= 1; --i) {
        rows.push_back(row("r" + std::to_string(i), (i > 10 ? 1100 : 1000) + i % 3, day(i)));
        flat.push_back(row("f" + std::to_string(i), 1000 + i * 7 % 5, day(i)));
    }
    rows.push_back(row("unknown time", 9999));
    const Survey survey = surveyOf(rows, kTime, {});
    ASSERT_THAT(survey.histories, SizeIs(1));
    const History& history = survey.histories[0];
    EXPECT_THAT(history.rows, SizeIs(20));
    EXPECT_EQ(survey.rows[history.rows.front()].file, "r1");
    EXPECT_EQ(history.first.substr(0, 10), "2026-01-01");
    EXPECT_EQ(history.last.substr(0, 10), "2026-01-20");
    ASSERT_TRUE(history.change);
    EXPECT_TRUE(history.change->rises());
    EXPECT_NEAR(history.change->ratio, 1.1, 0.002);
    const Survey same = surveyOf(flat, kTime, {});
    EXPECT_FALSE(same.histories[0].change->rises() || same.histories[0].change->falls());
    std::vector<Row> few(rows.begin(), rows.begin() + 9);
    EXPECT_FALSE(surveyOf(few, kTime, {}).histories[0].change) << "nine are too few";
}

TEST(SurveyTable, JsonHasRowsOutliersAndHistory) {
    std::vector<Row> rows;
    for (int i = 0; i < 6; ++i)
        rows.push_back(row("r" + std::to_string(i), i == 5 ? 200 : 100, "0" + std::to_string(i + 1)));
    Row bad = row("bad", 0);
    bad.problem = "damaged";
    rows.push_back(bad);
    const Survey survey = surveyOf(rows, kTime, {});
    const json all = json::parse(surveyToJson(survey, 2));
    EXPECT_EQ(all["format"], "olab-survey");
    EXPECT_EQ(all["files"], 7);
    EXPECT_EQ(all["problems"], 1);
    ASSERT_THAT(all["rows"], SizeIs(2)) << "at most two";
    EXPECT_EQ(all["rows"][0]["values"]["/bounds/measured_ns"], 200);
    EXPECT_EQ(all["outliers"][0]["file"], "r5");
    EXPECT_EQ(all["outliers"][0]["median"], 100);
    EXPECT_THAT(all["history"][0]["points"], SizeIs(6));
    EXPECT_EQ(all["history"][0]["later_half"], nullptr);
    std::string lines = surveyToJsonLines(survey, 99);
    EXPECT_EQ(std::ranges::count(lines, '\n'), 7);
    EXPECT_EQ(json::parse(lines.substr(lines.rfind('\n', lines.size() - 2) + 1))["problem"], "damaged");
}

TEST(SurveyTable, CsvHasAFieldForEachColumn) {
    Row strange = row("=a,\"b\"", 5);
    strange.program = "two\nlines";
    strange.values.push_back({ReportValue::Is::Text, 0, "@word", "\"@word\""});
    const Survey survey = surveyOf({strange}, {kTime[0], {"cause", "/ledger/causes/0/id"}}, {});
    const std::string csv = surveyToCsv(survey, 99);
    EXPECT_THAT(csv, testing::StartsWith("file,problem,loss,program,machine,source,recorded_at,headline,"
                                         "/bounds/measured_ns,/ledger/causes/0/id\n"));
    EXPECT_THAT(csv, HasSubstr("\"'=a,\"\"b\"\"\",,,")) << "no formula for a spreadsheet";
    EXPECT_THAT(csv, testing::EndsWith(",5,'@word\n"));
}

TEST(SurveyWords, AnEfficiencyThatNobodyCouldUseIsNone) {
    const survey::Column efficiency{"efficiency", "/bounds/efficiency"};
    EXPECT_EQ(survey::numberText(efficiency, -14.836L), "none");
    EXPECT_EQ(survey::numberText(efficiency, 0.971L), "97.1 %");
    EXPECT_EQ(survey::numberText({"other", "/other_share"}, -0.5L), "-50.0 %");
}

} // namespace
} // namespace olab::survey
