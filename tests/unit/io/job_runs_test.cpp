// What went wrong in the other runs of a job, in files, in the report's JSON and before an assertion.
#include "sample.h"

#include <olab/assertion/assertion.h>
#include <olab/io/formats.h>
#include <olab/io/recording_file.h>
#include <olab/io/report_document.h>
#include <olab/trace/container.h>

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace olab::io {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class JobRunsFile : public testing::Test {
protected:
    JobRunsFile() {
        std::string name = (fs::temp_directory_path() / "olab-runs-test-XXXXXX").string();
        m_folder = ::mkdtemp(name.data());
        m_file = m_folder / "a.olab";
    }
    ~JobRunsFile() override { fs::remove_all(m_folder); }
    void write(const analysis::JobRuns& runs) const {
        writeRecording(m_file, m_trace, nullptr, analysis::ToolEffect{1010, 1000, 5}, {}, {}, {}, {}, runs);
    }
    RecordingData readWith(const std::string& environment) const {
        {
            ContainerWriter file(m_file);
            file.append(ChunkType::Environment, environment);
        }
        return readRecording(m_file);
    }
    fs::path m_folder, m_file;
    Trace m_trace = test::sampleTrace();
    analysis::JobRuns m_runs{
        5,
        5,
        1,
        true,
        {{4, false, {{DefectCode::DataMismatch, 12, kAllClasses, "ops that met another's data"}}},
         {7, true, {{DefectCode::DroppedRecords, 3, maskOf(ActivityClass::Kernel), {}}}}}};
};

bool hasBadChunk(const RecordingData& data) {
    return std::ranges::find(data.trace.defects(), DefectCode::BadChunk, &Defect::code) !=
           data.trace.defects().end();
}

TEST_F(JobRunsFile, WhatIsWrittenIsReadAgain) {
    write(m_runs);
    const RecordingData data = readRecording(m_file);
    EXPECT_EQ(data.runs, m_runs);
    ASSERT_TRUE(data.toolEffect);
    EXPECT_EQ(data.toolEffect->untraced, 1000);
    EXPECT_TRUE(data.trace == m_trace) << "no defect";
    for (const Exporter& row : exporters())
        if (row.id == "olab")
            row.write(m_folder / "b.olab", data, {});
    EXPECT_EQ(readRecording(m_folder / "b.olab").runs, m_runs) << "and converted";
}

TEST_F(JobRunsFile, WithoutAToolEffectToo) {
    writeRecording(m_file, m_trace, nullptr, std::nullopt, {}, {}, {}, {}, m_runs);
    const RecordingData data = readRecording(m_file);
    EXPECT_EQ(data.runs, m_runs);
    EXPECT_FALSE(data.toolEffect);
}

TEST_F(JobRunsFile, WithoutTroubleTheFileIsAsBefore) {
    std::string environment;
    std::vector<RefusedRecord> damage;
    write({});
    readContainer(m_file,
                  [&](Chunk&& chunk) {
                      if (chunk.type == ChunkType::Environment)
                          environment.assign(reinterpret_cast<const char*>(chunk.payload.data()),
                                             chunk.payload.size());
                  },
                  damage, {});
    EXPECT_EQ(environment, R"({"tool_effect":{"ratio":1.01,"runs":5,"traced_ns":1010,"untraced_ns":1000}})");
    EXPECT_TRUE(readRecording(m_file).runs.empty());
}

/// What cannot be read might have been a race: it is a loss, and nothing is taken from it.
TEST_F(JobRunsFile, WhatMakesNoSenseIsADefect) {
    const std::string whole =
        R"({"traced":5,"untraced":5,"shown":1,"shown_traced":true,"troubled":[{"run":3,"traced":true,"defects":[)"
        R"({"code":"data-mismatch","count":2,"classes":4095,"detail":""}]}]})";
    ASSERT_FALSE(readWith(R"({"runs":)" + whole + "}").runs.empty());
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = whole;
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    for (const std::string& runs :
         {std::string("7"), std::string("[]"), std::string("{}"), changed("\"traced\":5", "\"traced\":-1"),
          changed("\"traced\":5", "\"traced\":1e9"), changed("\"untraced\":5", "\"untraced\":99999999999"),
          changed("\"shown\":1", "\"shown\":11"), changed("\"shown\":1", "\"shown\":0"),
          changed("\"run\":3", "\"run\":11"), changed("\"run\":3", "\"run\":2.5"),
          changed("\"shown_traced\":true", "\"shown_traced\":1"), changed("\"count\":2", "\"count\":-2"),
          changed("\"count\":2", "\"count\":18446744073709551615"),
          changed("\"classes\":4095", "\"classes\":-1"), changed("\"detail\":\"\"", "\"detail\":3"),
          changed("\"data-mismatch\"", "17"), changed("[{\"code\"", "[7,{\"code\""),
          changed(R"("troubled":[)", R"("troubled":[{},)"),
          changed(R"("troubled":[)",
                  R"("troubled":[{"run":3,"traced":true,"defects":[{"code":"data-mismatch","count":2,)"
                  R"("classes":1,"detail":""}]},)")}) {
        const RecordingData data =
            readWith(R"({"runs":)" + runs +
                     R"(,"tool_effect":{"traced_ns":1010,"untraced_ns":1000,"runs":5,"ratio":1.01}})");
        EXPECT_TRUE(data.runs.empty()) << runs;
        EXPECT_TRUE(hasBadChunk(data)) << runs;
        EXPECT_TRUE(data.toolEffect) << "the other member is as good as before";
    }
}

TEST_F(JobRunsFile, ADefectOfANewerVersionIsStillALoss) {
    const RecordingData data = readWith(
        R"({"runs":{"traced":2,"untraced":0,"shown":1,"shown_traced":true,"later":[1],"troubled":[{"run":2,)"
        R"("traced":true,"defects":[{"code":"of-tomorrow","count":1,"classes":1,"detail":"x"}]}]}})");
    ASSERT_EQ(data.runs.troubled.size(), 1u);
    EXPECT_EQ(data.runs.troubled[0].defects.at(0).severity(), Severity::DataLoss);
    EXPECT_FALSE(hasBadChunk(data));
}

TEST_F(JobRunsFile, LongDetailsAreCut) {
    m_runs.troubled[0].defects[0].detail.assign(100'000, 'x');
    m_runs.troubled[1].defects[0].detail = "no \xff UTF-8";
    write(m_runs);
    const RecordingData data = readRecording(m_file);
    EXPECT_FALSE(hasBadChunk(data));
    EXPECT_LT(data.runs.troubled.at(0).defects.at(0).detail.size(), 1000u);
}

class JobRunsReport : public testing::Test {
protected:
    JobRunsReport() {
        m_report.defects.clear();
        m_report.abstained.clear();
        m_report.verdicts.resize(1);
    }
    ReportDocument document() const { return {m_report, {m_trace, nullptr, true, ""}}; }
    std::string text() const { return document().text(); }
    assertion::AssertionResult check(std::string_view expression) const {
        return assertion::checkAssertion({m_report, document()}, expression);
    }
    Trace m_trace = test::sampleTrace();
    analysis::Report m_report = test::sampleReport();
};

TEST_F(JobRunsReport, TheJsonSaysWhichRunAndWhat) {
    EXPECT_FALSE(json::parse(text()).contains("runs"));
    analysis::addOtherRuns({5,
                            5,
                            1,
                            true,
                            {{4, false, {{DefectCode::DataMismatch, 12, kAllClasses, {}}}},
                             {7, true, {{DefectCode::DroppedRecords, 3, kAllClasses, {}}}}}},
                           m_report);
    const json j = json::parse(text());
    EXPECT_THAT(j["race"].get<std::string>(), HasSubstr("The pipeline raced in 1 of 10 runs"));
    EXPECT_EQ(j["runs"]["count"], 10);
    EXPECT_EQ(j["runs"]["traced"], 5);
    EXPECT_EQ(j["runs"]["untraced"], 5);
    EXPECT_EQ(j["runs"]["shown"], 1);
    EXPECT_EQ(j["runs"]["raced"], 1);
    ASSERT_EQ(j["runs"]["troubled"].size(), 2u);
    const json& first = j["runs"]["troubled"][0];
    EXPECT_EQ(first["run"], 4);
    EXPECT_EQ(first["traced"], false);
    EXPECT_EQ(first["defects"][0]["code"], "data-mismatch");
    EXPECT_EQ(first["defects"][0]["severity"], "error");
    EXPECT_EQ(first["defects"][0]["count"], 12);
    EXPECT_EQ(j["defects"].size(), 2u);
}

TEST_F(JobRunsReport, NoAssertionRestsOnWhatAnotherRunLost) {
    EXPECT_TRUE(check("overlap(h2d,kernel)>=0.8").passed);
    EXPECT_TRUE(check("finding(launch-bound)==0").passed);
    analysis::addOtherRuns(
        {5, 5, 1, true, {{7, true, {{DefectCode::DroppedRecords, 3, maskOf(ActivityClass::Kernel), {}}}}}},
        m_report);
    for (const char* form : {"overlap", "hidden", "blocked"})
        for (const char* op : {">=0", "<=1s", "<=1"}) {
            if (std::string_view(form) != "blocked" && std::string_view(op) == "<=1s")
                continue;
            const assertion::AssertionResult r = check(std::string(form) + "(h2d,kernel)" + op);
            EXPECT_FALSE(r.passed) << r.text;
            EXPECT_THAT(r.text, HasSubstr("run 7 of 10, traced is not whole (dropped-records)"));
        }
    for (const char* other :
         {"finding(launch-bound)==0", "/bounds/efficiency>=0", "/verdicts/0/of_a>=0", "/counts/refused==0"})
        EXPECT_THAT(check(other).text, HasSubstr("cannot be judged")) << other;
    EXPECT_TRUE(check("/source/kind==cuda").passed || check("/source/kind!=cuda").passed)
        << "a fact about the file";
}

} // namespace
} // namespace olab::io
