// The traces in a folder.
#include <olab/io/folder_traces.h>

#include <gtest/gtest.h>

#include <fstream>

namespace olab::io {
namespace {

namespace fs = std::filesystem;

class FolderTraces_ : public testing::Test {
protected:
    FolderTraces_()
        : m_folder(
              fs::path(testing::TempDir()) /
              ("olab-folder-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
        fs::remove_all(m_folder);
        fs::create_directories(m_folder / "deep/er");
    }
    ~FolderTraces_() override { fs::remove_all(m_folder); }
    void write(const std::string& name, std::string_view text) { std::ofstream(m_folder / name) << text; }
    std::vector<std::string> names(const FolderTraces& found) const {
        std::vector<std::string> all;
        for (const fs::path& file : found.files)
            all.push_back(file.lexically_relative(m_folder).string());
        return all;
    }
    fs::path m_folder;
    static constexpr std::string_view kTrace = R"({"traceEvents": []})";
};

TEST_F(FolderTraces_, AreFoundByNameAndContentAndInTheOrderOfTheirNumbers) {
    for (const char* name : {"rank10.json", "rank2.json", "deep/er/x.json", ".hidden.json"})
        write(name, kTrace);
    write("package.json", R"({"name": "no trace"})");
    write("notes.txt", kTrace);
    write("wrong.sqlite", "no database");
    write("alone.nsys-rep", "NVIDIA Tegra Profiler Report 1");
    const FolderTraces found = tracesIn(m_folder, {});
    EXPECT_EQ(names(found),
              (std::vector<std::string>{"alone.nsys-rep", "deep/er/x.json", "rank2.json", "rank10.json"}));
    EXPECT_EQ(found.more, 0u);
    EXPECT_FALSE(found.stopped);
}

TEST_F(FolderTraces_, AreBoundedAndSayWhatIsLeftOut) {
    for (int i = 0; i < 5; ++i)
        write("t" + std::to_string(i) + ".json", kTrace);
    const FolderTraces few = tracesIn(m_folder, {}, {.traces = 2});
    EXPECT_EQ(names(few), (std::vector<std::string>{"t0.json", "t1.json"}));
    EXPECT_EQ(few.more, 3u);
    EXPECT_TRUE(tracesIn(m_folder, {}, {.entries = 3}).stopped);
    write("deep/er/x.json", kTrace);
    EXPECT_EQ(tracesIn(m_folder, {}, {.depth = 1}).files.size(), 5u) << "not so deep";
}

TEST_F(FolderTraces_, AFolderThatCannotBeReadIsAnErrorAndCancellingEndsTheSearch) {
    EXPECT_THROW(tracesIn(m_folder / "missing", {}), Error);
    write("a.json", kTrace);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(tracesIn(m_folder, {.stop = stop.get_token(), .progress = {}}), Error);
}

} // namespace
} // namespace olab::io
