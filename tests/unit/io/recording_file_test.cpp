#include "sample.h"

#include <olab/experiment/held_experiment.h>
#include <olab/io/formats.h>
#include <olab/io/recording_file.h>
#include <olab/io/report_json.h>
#include <olab/trace/container.h>
#include <olab/trace/trace_builder.h>

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace olab::io {
namespace {

namespace fs = std::filesystem;

class RecordingFile : public testing::Test {
protected:
    RecordingFile() {
        std::string name = (fs::temp_directory_path() / "olab-io-test-XXXXXX").string();
        m_folder = ::mkdtemp(name.data());
    }
    ~RecordingFile() override { fs::remove_all(m_folder); }
    fs::path path(const char* name) const { return m_folder / name; }
    fs::path write(const char* name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }
    static std::string bytesOf(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    fs::path m_folder;
    Trace m_trace = test::sampleTrace();
};

bool hasDefect(const Trace& trace, DefectCode code) {
    return std::any_of(trace.defects().begin(), trace.defects().end(),
                       [code](const Defect& d) { return d.code == code; });
}

template <typename Action>
void expectUsageError(Action action, const std::string& code) {
    try {
        action();
        ADD_FAILURE() << "no error, expected " << code;
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::Usage) << e.what();
        EXPECT_EQ(e.code(), code) << e.what();
        EXPECT_FALSE(e.hint().empty());
    }
}

TEST_F(RecordingFile, WhatIsWrittenIsReadAgain) {
    experiment::HeldExperiment experiment;
    experiment::setOption(experiment, "streams=5");
    experiment::setOption(experiment, "h2d.memory=pageable");
    writeRecording(path("a.olab"), m_trace, &*experiment, analysis::ToolEffect{1010, 1000, 5}, {}, "{}");
    const RecordingData data = readRecording(path("a.olab"));
    EXPECT_TRUE(data.trace == m_trace);
    EXPECT_EQ(data.trace.counts(), m_trace.counts());
    ASSERT_TRUE(data.experiment);
    EXPECT_EQ(*data.experiment, experiment);
    ASSERT_TRUE(data.toolEffect);
    EXPECT_EQ(data.toolEffect->traced, 1010);
    EXPECT_EQ(data.toolEffect->untraced, 1000);
    EXPECT_EQ(data.toolEffect->runs, 5);
}

TEST_F(RecordingFile, OptionalThingsMayBeMissing) {
    writeRecording(path("a.olab"), m_trace, nullptr, std::nullopt);
    const RecordingData data = readRecording(path("a.olab"));
    EXPECT_FALSE(data.experiment);
    EXPECT_FALSE(data.toolEffect);
    EXPECT_TRUE(data.trace == m_trace);
}

TEST_F(RecordingFile, WritingLeavesNothingBesideTheFile) {
    writeRecording(path("a.olab"), m_trace, nullptr, std::nullopt);
    writeRecording(path("a.olab"), m_trace, nullptr, std::nullopt);
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), {}), 1);
}

TEST_F(RecordingFile, ACancelledWriteLeavesTheOldFile) {
    write("a.olab", "precious");
    std::stop_source stop;
    stop.request_stop();
    RunControl control;
    control.stop = stop.get_token();
    EXPECT_THROW(writeRecording(path("a.olab"), m_trace, nullptr, std::nullopt, control), Error);
    EXPECT_EQ(bytesOf(path("a.olab")), "precious");
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), {}), 1);
}

/// 200 000 activities, a few MiB.
Trace largeTrace() {
    TraceBuilder builder;
    for (int i = 0; i < 200'000; ++i) {
        ActivityRecord r;
        r.cls = ActivityClass::Memset;
        r.begin = 1000 + 10 * i, r.end = r.begin + 5, r.device = 0, r.context = 1, r.stream = 7;
        r.bytes = i * 7919;
        builder.add(r);
    }
    return builder.finish();
}

TEST_F(RecordingFile, ALongWriteSaysHowFarItIsAndCanBeCancelledInTheMiddle) {
    const Trace large = largeTrace();
    write("a.olab", "precious");
    std::vector<double> shares;
    std::stop_source stop;
    RunControl control;
    control.stop = stop.get_token();
    control.progress = [&](double share, std::string_view) {
        shares.push_back(share);
        if (share > 0.5)
            stop.request_stop();
    };
    EXPECT_THROW(writeRecording(path("a.olab"), large, nullptr, std::nullopt, control), Error);
    EXPECT_EQ(bytesOf(path("a.olab")), "precious");
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), {}), 1);
    ASSERT_GT(shares.size(), 10u);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_LT(shares.back(), 0.6) << "it stopped where it was told to, not at the end";
    EXPECT_LE(shares.size(), 100u) << "no more often than a person sees";
}

TEST_F(RecordingFile, ALinkStaysALink) {
    writeRecording(path("target.olab"), m_trace, nullptr, std::nullopt);
    fs::create_symlink("target.olab", path("link.olab"));
    const experiment::HeldExperiment experiment;
    writeRecording(path("link.olab"), m_trace, &*experiment, std::nullopt);
    EXPECT_TRUE(fs::is_symlink(path("link.olab")));
    EXPECT_TRUE(readRecording(path("target.olab")).experiment);
}

TEST_F(RecordingFile, PlacesThatCannotBeWrittenAreRefused) {
    expectUsageError([&] { writeRecording(m_folder, m_trace, nullptr, std::nullopt); }, "cannot-write");
    writeRecording("/dev/null", m_trace, nullptr, std::nullopt); // as with any other program
    EXPECT_THROW(writeRecording(path("no/such/folder/a.olab"), m_trace, nullptr, std::nullopt), Error);
}

TEST_F(RecordingFile, FilesThatAreNoRecordingAreRefused) {
    expectUsageError([&] { readRecording(path("missing.olab")); }, "cannot-read");
    expectUsageError([&] { readRecording(m_folder); }, "cannot-read");
    expectUsageError([&] { readRecording(write("empty.olab", "")); }, "unknown-format");
    expectUsageError([&] { readRecording(write("text.olab", "{\"events\": []}")); }, "unknown-format");
}

TEST_F(RecordingFile, ATruncatedFileIsReadUpToTheDamage) {
    writeRecording(path("a.olab"), m_trace, nullptr, std::nullopt);
    const std::string whole = bytesOf(path("a.olab"));
    const RecordingData data = readRecording(write("cut.olab", whole.substr(0, whole.size() - 3)));
    EXPECT_TRUE(hasDefect(data.trace, DefectCode::TruncatedFile));
}

TEST_F(RecordingFile, AFileCutInItsFirstRecordsSaysWhatItIs) {
    writeRecording(path("a.olab"), m_trace, nullptr, std::nullopt);
    const std::string bytes = bytesOf(path("a.olab"));
    ASSERT_TRUE(originKnown(m_trace));
    std::size_t known = 0;
    for (std::size_t kept = 32; kept < bytes.size(); kept += 7) {
        const Trace trace = readRecording(write("cut.olab", bytes.substr(0, kept))).trace;
        EXPECT_EQ(originKnown(trace), trace.provenance() == m_trace.provenance()) << kept;
        known += originKnown(trace) && trace.empty() ? 1 : 0;
    }
    EXPECT_GT(known, 10u) << "before the first activity is read";
}

TEST_F(RecordingFile, AFileCutAnywhereNeverThrowsAnythingButAnError) {
    const experiment::HeldExperiment experiment;
    writeRecording(path("a.olab"), m_trace, &*experiment, analysis::ToolEffect{2, 1, 5});
    const std::string whole = bytesOf(path("a.olab"));
    for (std::size_t size = 0; size < whole.size(); ++size) {
        try {
            readRecording(write("cut.olab", whole.substr(0, size)));
        } catch (const Error& e) {
            EXPECT_EQ(e.kind(), ErrorKind::Usage);
        }
    }
}

TEST_F(RecordingFile, JsonChunksThatMakeNoSenseAreDefects) {
    {
        ContainerWriter file(path("a.olab"));
        file.append(ChunkType::Experiment, std::string_view("{\"streams\": \"many\"}"));
        file.append(ChunkType::Experiment, std::string_view("not json"));
        file.append(ChunkType::Environment, std::string_view("[1,2"));
        file.append(ChunkType::Environment, std::string_view("{\"tool_effect\": {\"traced_ns\": 1}}"));
        RecordWriter records(file);
        m_trace.replay(records);
        records.flush();
    }
    const RecordingData data = readRecording(path("a.olab"));
    EXPECT_TRUE(hasDefect(data.trace, DefectCode::BadChunk));
    EXPECT_FALSE(data.experiment);
    EXPECT_FALSE(data.toolEffect);
    EXPECT_EQ(data.trace.size(), m_trace.size());
    EXPECT_EQ(data.trace.counts(), m_trace.counts());
}

/// Numbers are never cast: what is no number of its kind is a defect, and no tool effect is better than a
/// wrong one.
TEST_F(RecordingFile, ImpossibleNumbersInJsonAreDefects) {
    for (const char* effect : {R"("traced_ns": 1e999, "untraced_ns": 1, "runs": 5)",
                               R"("traced_ns": 1e300, "untraced_ns": 1, "runs": 5)",
                               R"("traced_ns": 10.5, "untraced_ns": 10, "runs": 5)",
                               R"("traced_ns": -9223372036854775808, "untraced_ns": 1, "runs": 5)",
                               R"("traced_ns": 18446744073709551615, "untraced_ns": 1, "runs": 5)",
                               R"("traced_ns": 1, "untraced_ns": 1, "runs": 1e18)",
                               R"("traced_ns": 1, "untraced_ns": 1, "runs": 5000000000)",
                               R"("traced_ns": 1, "untraced_ns": 1, "runs": 5, "ratio": -9.2e18)",
                               R"("traced_ns": 1, "untraced_ns": 1, "runs": 5, "ratio": "1.1")",
                               R"("traced_ns": true, "untraced_ns": 1, "runs": 5)"}) {
        {
            ContainerWriter file(path("a.olab"));
            file.append(ChunkType::Environment, "{\"tool_effect\": {" + std::string(effect) + "}}");
        }
        const RecordingData data = readRecording(path("a.olab"));
        EXPECT_TRUE(hasDefect(data.trace, DefectCode::BadChunk)) << effect;
        EXPECT_FALSE(data.toolEffect) << effect;
    }
}

TEST(Formats, RowsAreWhole) {
    for (const Importer& row : importers()) {
        EXPECT_FALSE(row.id.empty() || row.name.empty());
        EXPECT_TRUE(row.pattern.starts_with("*."));
        EXPECT_TRUE(row.sniff != nullptr && row.read != nullptr);
        EXPECT_FALSE(row.sniff({})) << row.id;
    }
    for (const Exporter& row : exporters()) {
        EXPECT_TRUE(row.pattern.starts_with("*."));
        EXPECT_TRUE(row.write != nullptr);
    }
    EXPECT_EQ(importers().front().id, "olab");
}

} // namespace
} // namespace olab::io
