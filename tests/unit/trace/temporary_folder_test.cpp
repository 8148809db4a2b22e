// Folders of the dead are swept, those of the living and of people are not.
#include <olab/trace/temporary_folder.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace olab {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolderTest, WhatTheDeadLeftIsSweptByTheNext) {
    std::string name = (fs::temp_directory_path() / "parent-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    const std::string before = std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "";
    ::setenv("TMPDIR", name.c_str(), 1);
    const auto count = [&] { return std::distance(fs::directory_iterator(name), {}); };
    int ready[2]{};
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const TemporaryFolder folder;
        (void)!::write(ready[1], "x", 1);
        for (;;)
            ::pause();
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    {
        const TemporaryFolder mine;
        EXPECT_EQ(count(), 2) << "the living keep theirs";
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(count(), 1);
    fs::create_directory(fs::path(name) / "olab-person");
    {
        const TemporaryFolder mine;
        EXPECT_EQ(count(), 2) << "the dead one's is gone; what is no lock's is a person's";
    }
    EXPECT_EQ(count(), 1);
    before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
    fs::remove_all(name);
    ::close(ready[0]);
    ::close(ready[1]);
}

/// Each sweeps while others are being made: none takes the folder of a living one.
TEST(TemporaryFolderTest, ManyAtOnceKeepTheirs) {
    std::string name = (fs::temp_directory_path() / "parent-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    constexpr int kAtOnce = 8, kTurns = 400;
    std::atomic<int> lost = 0;
    std::vector<std::jthread> makers;
    for (int i = 0; i < kAtOnce; ++i)
        makers.emplace_back([&] {
            for (int turn = 0; turn < kTurns; ++turn) {
                const TemporaryFolder folder{fs::path(name)};
                lost += fs::exists(folder.path() / ".lock") ? 0 : 1;
            }
        });
    makers.clear();
    EXPECT_EQ(lost, 0);
    EXPECT_TRUE(fs::is_empty(name));
    fs::remove_all(name);
}

} // namespace
} // namespace olab
