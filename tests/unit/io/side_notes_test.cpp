// Bookmarks and notes beside a file that another tool wrote.
#include <olab/io/recording_file.h>
#include <olab/io/side_notes.h>
#include <olab/trace/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace olab::io {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SideNotes : public testing::Test {
protected:
    SideNotes() {
        std::string name = (fs::temp_directory_path() / "olab-notes-XXXXXX").string();
        m_folder = ::mkdtemp(name.data());
        ::setenv("XDG_DATA_HOME", (m_folder / "data").c_str(), 1);
        m_file = write("trace.json", 1);
    }
    ~SideNotes() override {
        ::unsetenv("XDG_DATA_HOME");
        fs::remove_all(m_folder);
    }
    fs::path write(const char* name, int kernels) const {
        std::ofstream out(m_folder / name);
        out << R"({"schemaVersion":1,"traceEvents":[)";
        for (int i = 0; i < kernels; ++i)
            out << (i ? "," : "") << R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":)"
                << 100 + i * 50 << R"(,"dur":25,"args":{"stream":7,"device":0,"correlation":)" << i + 1
                << "}}";
        out << "]}";
        return m_folder / name;
    }
    static std::string contentOf(const fs::path& file) {
        std::ostringstream text;
        text << std::ifstream(file).rdbuf();
        return text.str();
    }
    static Annotations some() {
        Annotations added;
        added.bookmarks.push_back({{100'000, 125'000}, "GPU 0 compute", "look here\nsecond line", {}});
        added.label = {"the slow one", "from Tuesday"};
        return added;
    }
    void expectSome(const fs::path& file) const {
        const RecordingData data = readRecording(file);
        ASSERT_EQ(data.bookmarks.size(), 1u) << file;
        EXPECT_EQ(data.bookmarks.front().note, "look here\nsecond line");
        EXPECT_EQ(data.label, some().label);
    }
    fs::path m_folder, m_file;
};

TEST_F(SideNotes, ComeBackWithTheFileWhichStaysAsItIs) {
    const std::string before = contentOf(m_file);
    EXPECT_EQ(keepSideNotes(m_file, some()), m_folder / "trace.json.olab-notes.json");
    EXPECT_EQ(contentOf(m_file), before);
    expectSome(m_file);
}

TEST_F(SideNotes, ThoseThatWereKeptLastHold) {
    keepSideNotes(m_file, some());
    keepSideNotes(m_file, {});
    const RecordingData data = readRecording(m_file);
    EXPECT_TRUE(data.bookmarks.empty());
    EXPECT_TRUE(data.label.empty());
}

TEST_F(SideNotes, AreFoundUnderAnotherNameOfTheFile) {
    keepSideNotes(m_file, some());
    fs::rename(m_file, m_folder / "renamed.json");
    expectSome(m_folder / "renamed.json");
}

TEST_F(SideNotes, OfAnotherFileAreNotTakenAndThatIsSaid) {
    keepSideNotes(m_file, some());
    write("trace.json", 3);
    const RecordingData data = readRecording(m_file);
    EXPECT_TRUE(data.bookmarks.empty());
    ASSERT_TRUE(data.trace.environment().contains("notes beside it"));
    EXPECT_THAT(data.trace.environment().at("notes beside it"), HasSubstr("other content"));
}

TEST_F(SideNotes, GoToTheDataFolderWhereTheyCannotBeBeside) {
    fs::create_directory(m_folder / "trace.json.olab-notes.json"); // root may write everywhere else
    const fs::path kept = keepSideNotes(m_file, some());
    EXPECT_EQ(kept.parent_path(), m_folder / "data/overlap-lab/notes");
    expectSome(m_file);
}

TEST_F(SideNotes, DamagedOnesCostNothingElse) {
    for (const char* text : {"", "{", "[]", "{\"format\":\"olab-notes\"}",
                             "{\"format\":\"olab-notes\",\"of\":{\"bytes\":\"x\",\"hash\":7}}"}) {
        std::ofstream(m_folder / "trace.json.olab-notes.json") << text;
        const RecordingData data = readRecording(m_file);
        EXPECT_EQ(data.trace.size(), 1u) << text;
        EXPECT_TRUE(data.bookmarks.empty()) << text;
        EXPECT_TRUE(data.trace.environment().contains("notes beside it")) << text;
    }
}

TEST_F(SideNotes, WithoutTheFileThereIsNothingToBeBeside) {
    EXPECT_THROW(keepSideNotes(m_folder / "gone.json", some()), Error);
}

} // namespace
} // namespace olab::io
