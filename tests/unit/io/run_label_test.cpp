// The name and the note that a person gave a recording, in its file and in its report.
#include "sample.h"

#include <olab/io/formats.h>
#include <olab/io/recording_file.h>
#include <olab/io/report_json.h>
#include <olab/trace/container.h>

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

using namespace olab;

namespace {

class LabelFile : public testing::Test {
protected:
    void SetUp() override { std::filesystem::create_directories(m_folder); }
    void TearDown() override { std::filesystem::remove_all(m_folder); }
    void write(std::string_view json) {
        ContainerWriter file(m_file);
        file.append(ChunkType::Label, json);
        RecordWriter records(file);
        m_trace.replay(records);
        records.flush();
        file.finish();
    }
    const std::filesystem::path m_folder =
        std::filesystem::path(testing::TempDir()) /
        ("label-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    const std::filesystem::path m_file = m_folder / "a.olab";
    const Trace m_trace = test::sampleTrace();
};

} // namespace

TEST_F(LabelFile, IsKeptAndCarriedOver) {
    const io::RunLabel label{"größer", "two lines\nof a note"};
    io::writeRecording(m_file, m_trace, nullptr, std::nullopt, {}, {}, {}, label);
    const io::RecordingData data = io::readRecording(m_file);
    EXPECT_EQ(data.label, label);
    EXPECT_FALSE(data.labelPartly);
    EXPECT_TRUE(data.trace == m_trace);
    io::exporters().front().write(m_folder / "b.olab", data, {}); // as olab convert does
    EXPECT_EQ(io::readRecording(m_folder / "b.olab").label, label);
}

TEST_F(LabelFile, WithoutOneTheFileIsAsBefore) {
    io::writeRecording(m_file, m_trace, nullptr, std::nullopt);
    std::vector<RefusedRecord> defects;
    readContainer(
        m_file, [](Chunk&& chunk) { EXPECT_NE(chunk.type, ChunkType::Label); }, defects);
    EXPECT_TRUE(io::readRecording(m_file).label.empty());
}

TEST_F(LabelFile, WhatIsNoLabelIsADefectAndCostsNothingElse) {
    for (const char* text : {"nonsense", "[]", "{\"title\": 3}", "{\"note\": {}}"}) {
        write(text);
        const io::RecordingData data = io::readRecording(m_file);
        EXPECT_TRUE(data.label.empty()) << text;
        EXPECT_EQ(std::ranges::count(data.trace.defects(), DefectCode::BadChunk, &Defect::code), 1) << text;
        EXPECT_EQ(data.trace.size(), m_trace.size()) << text;
    }
    const std::string deep(200'000, '[');
    write(deep);
    EXPECT_TRUE(io::readRecording(m_file).label.empty());
}

TEST_F(LabelFile, WhatIsNotKeptWholeIsSaid) {
    for (const char* text : {"{\"title\": \"a\", \"colour\": \"red\"}", "{\"title\": \"a\\u001b[31m\"}"}) {
        write(text);
        EXPECT_TRUE(io::readRecording(m_file).labelPartly) << text;
    }
    write("{\"title\": \"" + std::string(io::kMaxTitleBytes + 1, 'x') + "\"}");
    const io::RecordingData data = io::readRecording(m_file);
    EXPECT_TRUE(data.labelPartly);
    EXPECT_EQ(data.label.title.size(), io::kMaxTitleBytes);
}

TEST(RunLabel, ATitleIsOneLineThatMovesNoCursor) {
    EXPECT_EQ(io::cleanTitle("  a\nb\x1b[31m\tc "), "a b [31m c");
    EXPECT_EQ(io::cleanTitle("a\xc2\x9b"
                             "b"),
              "a b")
        << "a control character of two bytes";
    EXPECT_EQ(io::cleanTitle("größe"), "größe");
    EXPECT_EQ(io::cleanTitle(std::string(io::kMaxTitleBytes - 1, 'x') + "ö"),
              std::string(io::kMaxTitleBytes - 1, 'x'));
    EXPECT_EQ(io::cleanNote(" a\n\tb\x07 "), "a\n\tb");
    EXPECT_EQ(io::cleanTitle(" \n "), "");
}

TEST(RunLabel, IsInTheReportIfThereIsOne) {
    const Trace trace = test::sampleTrace();
    const auto with = nlohmann::json::parse(
        io::reportToJson({}, {trace, nullptr, false, "a.olab", {}, {"a name", "a note"}}));
    EXPECT_EQ(with.at("title"), "a name");
    EXPECT_EQ(with.at("note"), "a note");
    const auto without = nlohmann::json::parse(io::reportToJson({}, {trace, nullptr, false, "a.olab"}));
    EXPECT_FALSE(without.contains("title"));
    EXPECT_FALSE(without.contains("note"));
}
