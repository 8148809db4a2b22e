// Which programs are found and started: never one of the folder one happens to be in.
#include "test_places.h"

#include <olab/run/child_backend.h>
#include <olab/run/programs.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace olab::run {
namespace {

namespace fs = std::filesystem;

TEST(ProbeEngine, AnswersWithoutThrowing) {
    const EngineProbe none = probeEngine("/no/such/olab");
    EXPECT_FALSE(none.usable);
    EXPECT_FALSE(none.why.empty());
    const EngineProbe real = probeEngine(OLAB_PROGRAM);
    EXPECT_EQ(real.usable, real.why.empty());
    EXPECT_EQ(real.usable, !real.what.empty());
}

TEST(FindOlab, LooksOnPath) {
    const fs::path folder = fs::path(OLAB_PROGRAM).parent_path();
    const std::string before = std::getenv("PATH") ? std::getenv("PATH") : "";
    ::setenv("PATH", ("/nowhere::" + folder.string()).c_str(), 1);
    EXPECT_TRUE(fs::equivalent(findOlab(), OLAB_PROGRAM));
    ::setenv("PATH", before.c_str(), 1);
}

/// A program in the folder one happens to be in.
class FindProgram : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "programs-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        m_folder = name;
        fs::create_directory(m_folder / "bin");
        for (const char* file : {"somebodys", "bin/somebodys"}) {
            std::ofstream(m_folder / file) << "#!/bin/sh\n";
            fs::permissions(m_folder / file, fs::perms::owner_all);
        }
        m_before = fs::current_path();
        fs::current_path(m_folder);
    }
    void TearDown() override {
        fs::current_path(m_before);
        ::setenv("PATH", m_path.c_str(), 1);
        fs::remove_all(m_folder);
    }
    static fs::path foundOn(const std::string& path) {
        ::setenv("PATH", path.c_str(), 1);
        return findProgram("somebodys");
    }
    fs::path m_folder, m_before;
    std::string m_path = std::getenv("PATH") ? std::getenv("PATH") : "";
};

TEST_F(FindProgram, IsOnlyLookedForInAbsoluteFolders) {
    for (const char* path : {"", ".", "bin", "./bin", ":", "/nowhere:bin", "/nowhere::/nowhere", "/nowhere:"})
        EXPECT_EQ(foundOn(path), "") << path;
    EXPECT_EQ(foundOn("bin:" + (m_folder / "bin").string()), m_folder / "bin/somebodys");
}

TEST(AbsoluteFolders, KeepsTheirOrderAndDropsTheRest) {
    EXPECT_EQ(absoluteFolders("/a:b::/c:./d:"), "/a:/c");
    EXPECT_EQ(absoluteFolders(""), "");
    EXPECT_EQ(absoluteFolders("."), "");
}

} // namespace
} // namespace olab::run
