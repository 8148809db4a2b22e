// Bookmarks in JSON and in files: nothing a person wrote is lost, and no text from outside does harm.
#include "sample.h"

#include <olab/io/formats.h>
#include <olab/io/notes.h>
#include <olab/io/report_json.h>
#include <olab/trace/container.h>

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace olab::io {
namespace {

namespace fs = std::filesystem;

const std::vector<Bookmark> kThree{
    {{1'700'000'000'000'000'001, 1'700'000'000'000'000'001}, "", "a moment", std::nullopt},
    {{-5, 17}, "GPU 0 compute", "größe 核心\n</script>\"\\ \x01 second line", std::nullopt},
    {{100, 200}, "GPU 1 copy H2D", "", 7}};

std::vector<Bookmark> again(std::string_view text) {
    std::vector<std::string> refused;
    auto read = bookmarksFromJson(text, refused);
    EXPECT_TRUE(refused.empty()) << refused.front();
    return read;
}

std::vector<std::string> refusedIn(std::string_view text, std::size_t good) {
    std::vector<std::string> refused;
    EXPECT_EQ(bookmarksFromJson(text, refused).size(), good) << text.substr(0, 200);
    return refused;
}

class BookmarkFile : public testing::Test {
protected:
    BookmarkFile() {
        std::string name = (fs::temp_directory_path() / "olab-bookmarks-XXXXXX").string();
        m_folder = ::mkdtemp(name.data());
        m_file = m_folder / "a.olab";
    }
    ~BookmarkFile() override { fs::remove_all(m_folder); }
    void write(const std::vector<std::string>& chunks) const {
        ContainerWriter file(m_file);
        for (const std::string& chunk : chunks)
            file.append(ChunkType::Bookmarks, chunk);
        RecordWriter records(file);
        m_trace.replay(records);
        records.flush();
    }
    fs::path m_folder, m_file;
    Trace m_trace = test::sampleTrace();
};

} // namespace

TEST(Bookmarks, WhatIsWrittenIsReadAgain) {
    EXPECT_EQ(again(bookmarksToJson(kThree)), kThree);
    EXPECT_EQ(again(bookmarksToJson({})), std::vector<Bookmark>{});
}

TEST(Bookmarks, WhatALaterProgramAddsIsIgnored) {
    const auto read =
        again(R"({"version": 9, "bookmarks": [{"begin_ns": 1, "end_ns": 2, "colour": {"r": 1}}]})");
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read[0].time, (Interval{1, 2}));
    EXPECT_TRUE(read[0].note.empty());
}

TEST(Bookmarks, WhatMakesNoSenseIsSaidAndTheRestIsKept) {
    for (const char* text : {"", "not json", "[]", "{}", "{\"bookmarks\": 7}", "{\"bookmarks\": {}}", "\xff"})
        EXPECT_EQ(refusedIn(text, 0).size(), 1u) << text;
    for (const char* bad :
         {"7", "{}", R"({"begin_ns": 5, "end_ns": 4})", R"({"begin_ns": 1.5, "end_ns": 4})",
          R"({"begin_ns": "1", "end_ns": 4})", R"({"begin_ns": 1, "end_ns": 18446744073709551615})",
          R"({"begin_ns": -9223372036854775808, "end_ns": 4})",
          R"({"begin_ns": 1, "end_ns": 4, "note": [1]})"}) {
        const std::string text =
            R"({"bookmarks": [{"begin_ns": 1, "end_ns": 2}, )" + std::string(bad) + ", " + bad + "]}";
        EXPECT_EQ(refusedIn(text, 1).size(), 1u) << text << ": the same fault is said once";
    }
    const auto read = again(R"({"bookmarks": [{"begin_ns": 1, "end_ns": 2, "activity": -3}]})");
    EXPECT_FALSE(read.at(0).activity);
}

TEST(Bookmarks, AreNeitherTooManyNorTooLong) {
    std::vector<Bookmark> many(kMaxBookmarks + 5);
    EXPECT_EQ(refusedIn(bookmarksToJson(many), kMaxBookmarks).size(), 1u);
    std::string letters;
    while (letters.size() <= kMaxNoteBytes)
        letters += "核";
    const std::string cut = cutNote("x" + letters);
    EXPECT_LE(cut.size(), kMaxNoteBytes);
    EXPECT_GT(cut.size(), kMaxNoteBytes - 4);
    EXPECT_EQ((cut.size() - 1) % 3, 0u) << "no half letter";
    EXPECT_EQ(again(bookmarksToJson(std::vector{Bookmark{{1, 2}, "", cut, {}}})).at(0).note, cut);
    EXPECT_EQ(cutNote("short"), "short");
}

TEST(Bookmarks, WhatIsNoneOfThemIsNotKeptInMemory) {
    std::string text = R"({"bookmarks":[{"begin_ns":1,"end_ns":2,"note":"kept","x":[[[[1]]]])";
    for (int i = 0; i < 300'000; ++i)
        text += ",\"k" + std::to_string(i) + "\":[{}]";
    text += "}]}";
    std::vector<std::string> refused;
    const auto good = bookmarksFromJson(text, refused);
    ASSERT_EQ(good.size(), 1u);
    EXPECT_EQ(good.front().note, "kept");
    EXPECT_TRUE(refused.empty());
}

TEST(Bookmarks, SaysWhenNotAllIsKept) {
    const auto isPartly = [](const std::string& members) {
        std::vector<std::string> refused;
        bool partly = false;
        const std::string text = R"({"bookmarks": [{"begin_ns": 1, "end_ns": 2)" + members + "}";
        EXPECT_EQ(bookmarksFromJson(text, refused, &partly).size(), 1u) << text.substr(0, 200);
        EXPECT_TRUE(refused.empty());
        return partly;
    };
    EXPECT_FALSE(isPartly(R"(, "row": "r", "note": "n", "activity": 3}])"));
    EXPECT_FALSE(isPartly(R"(, "note": ")" + std::string(kMaxNoteBytes, 'n') + "\"}]"));
    EXPECT_TRUE(isPartly(R"(, "note": "n)" + std::string(kMaxNoteBytes, 'n') + "\"}]"));
    EXPECT_TRUE(isPartly(R"(, "row": "n)" + std::string(kMaxNoteBytes, 'n') + "\"}]"));
    EXPECT_TRUE(isPartly(R"(, "colour": 3}])"));
    EXPECT_TRUE(isPartly(R"(, "activity": "third"}])"));
    EXPECT_TRUE(isPartly(R"(}], "version": 2)"));
}

TEST(Bookmarks, TheTitleIsTheFirstLineThatSaysSomething) {
    EXPECT_EQ(titleOf(kThree[0]), "a moment");
    EXPECT_EQ(titleOf(kThree[1]), "größe 核心");
    EXPECT_EQ(titleOf(kThree[2]), "");
    EXPECT_EQ(titleOf({{}, {}, " \n  what for\r\nmore", {}}), "what for");
}

TEST_F(BookmarkFile, KeepsThem) {
    ASSERT_GT(m_trace.size(), 2u);
    const std::vector<Bookmark> written{{m_trace.time(2), "GPU 0 compute", "the second", 2},
                                        {{-10, -4}, "", "before all", 1}, // not when 1 ran
                                        {{0, 0}, "", "where", 4'000'000'000}};
    writeRecording(m_file, m_trace, nullptr, std::nullopt, {}, {}, written);
    const RecordingData data = readRecording(m_file);
    ASSERT_EQ(data.bookmarks.size(), 3u);
    EXPECT_EQ(data.bookmarks[0].note, "before all") << "sorted by begin";
    EXPECT_FALSE(data.bookmarks[0].activity);
    const auto second = std::ranges::find(data.bookmarks, "the second", &Bookmark::note);
    ASSERT_NE(second, data.bookmarks.end());
    EXPECT_EQ(*second, written[0]);
    EXPECT_TRUE(data.trace == m_trace);
    exporters().front().write(m_folder / "b.olab", data, {}); // as olab convert does
    EXPECT_EQ(readRecording(m_folder / "b.olab").bookmarks, data.bookmarks);
}

TEST_F(BookmarkFile, WithoutAnyIsAsBefore) {
    writeRecording(m_file, m_trace, nullptr, std::nullopt);
    std::vector<RefusedRecord> defects;
    readContainer(
        m_file, [](Chunk&& chunk) { EXPECT_NE(chunk.type, ChunkType::Bookmarks); }, defects);
    EXPECT_TRUE(readRecording(m_file).bookmarks.empty());
}

TEST_F(BookmarkFile, ABadChunkIsADefectAndCostsNothingElse) {
    write({"{\"bookmarks\": [{}, {\"begin_ns\": 3, \"end_ns\": 4}]}", "nonsense",
           "{\"bookmarks\": [{\"begin_ns\": 1, \"end_ns\": 2}]}"});
    const RecordingData data = readRecording(m_file);
    EXPECT_EQ(data.bookmarks.size(), 2u) << "of both chunks that hold some";
    EXPECT_EQ(data.trace.size(), m_trace.size());
    std::uint64_t bad = 0, unknown = 0;
    for (const Defect& defect : data.trace.defects()) {
        bad += defect.code == DefectCode::BadChunk ? defect.count : 0;
        unknown += defect.code == DefectCode::UnknownChunk ? defect.count : 0;
    }
    EXPECT_EQ(bad, 2u);
    EXPECT_EQ(unknown, 0u);
}

TEST_F(BookmarkFile, SaysWhenItHoldsMoreThanIsKept) {
    const std::string most = bookmarksToJson(std::vector<Bookmark>(kMaxBookmarks));
    write({most});
    EXPECT_FALSE(readRecording(m_file).bookmarksPartly);
    write({most, bookmarksToJson(kThree)});
    const RecordingData data = readRecording(m_file);
    EXPECT_EQ(data.bookmarks.size(), kMaxBookmarks);
    EXPECT_TRUE(data.bookmarksPartly);
}

TEST_F(BookmarkFile, TheReportHasThemOnlyIfThereAreAny) {
    ReportContext context{m_trace, nullptr, false, ""};
    EXPECT_FALSE(nlohmann::json::parse(reportToJson({}, context)).contains("bookmarks"));
    context.bookmarks = kThree;
    const auto list = nlohmann::json::parse(reportToJson({}, context)).at("bookmarks");
    ASSERT_EQ(list.size(), 3u);
    EXPECT_EQ(list[1].at("note"), kThree[1].note);
    EXPECT_EQ(list[0].at("begin_ns"), kThree[0].time.begin);
    EXPECT_TRUE(list[0].at("activity").is_null());
    EXPECT_EQ(list[2].at("activity"), 7);
}

} // namespace olab::io
