// Writing a file as a user of Unix expects it: whole or not at all, and never over what is not meant.
#include <olab/trace/output_file.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <future>
#include <poll.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace olab {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class OutputFileTest : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "output-test-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        m_folder = name;
    }
    void TearDown() override {
        fs::permissions(m_folder, fs::perms::owner_all);
        fs::remove_all(m_folder);
    }
    fs::path at(const std::string& name) const { return m_folder / name; }
    void put(const std::string& name, const std::string& text) const { std::ofstream(at(name)) << text; }
    std::string get(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(at(name), std::ios::binary).rdbuf();
        return text.str();
    }
    std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(m_folder))
            found.push_back(entry.path().filename().string());
        return found;
    }
    struct stat stated(const std::string& name) const {
        struct stat is {};
        EXPECT_EQ(::stat(at(name).c_str(), &is), 0);
        return is;
    }
    /// What it says when it refuses; empty when it does not.
    static std::string refusalOf(const fs::path& path) {
        try {
            writeFile(path, "new");
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), "cannot-write");
            EXPECT_FALSE(error.hint().empty());
            return error.what();
        }
        return {};
    }
    fs::path m_folder;
};

TEST_F(OutputFileTest, IsSeenWhenItIsWholeAndNotBefore) {
    {
        OutputFile file(at("a"));
        file.write("one ");
        EXPECT_FALSE(fs::exists(at("a")));
        file.write("two");
        file.commit();
    }
    EXPECT_EQ(get("a"), "one two");
    EXPECT_EQ(names().size(), 1u) << "nothing else stays";
    {
        OutputFile file(at("a"));
        file.write("half");
    }
    EXPECT_EQ(get("a"), "one two") << "not committed";
    EXPECT_EQ(names().size(), 1u);
}

TEST_F(OutputFileTest, AReadOnlyFileIsNotReplacedNotEvenByRoot) {
    put("a", "precious");
    fs::permissions(at("a"), fs::perms::owner_read);
    EXPECT_THAT(refusalOf(at("a")), HasSubstr("read-only"));
    EXPECT_THAT(refusalOf(at("a")), HasSubstr((m_folder / "a").string()));
    EXPECT_EQ(get("a"), "precious");
    EXPECT_EQ(names().size(), 1u);
}

TEST_F(OutputFileTest, ModeOwnerAndOtherNamesOfAReplacedFileStay) {
    put("a", "old");
    ASSERT_EQ(::chmod(at("a").c_str(), 0640), 0);
    if (::geteuid() == 0) {
        ASSERT_EQ(::chown(at("a").c_str(), 1234, 4321), 0);
    }
    const struct stat before = stated("a");
    writeFile(at("a"), "new");
    EXPECT_EQ(get("a"), "new");
    EXPECT_EQ(stated("a").st_mode, before.st_mode);
    EXPECT_EQ(stated("a").st_uid, before.st_uid);
    EXPECT_EQ(stated("a").st_gid, before.st_gid);
    fs::create_hard_link(at("a"), at("b"));
    writeFile(at("a"), "newer");
    EXPECT_EQ(get("b"), "newer") << "it has two names";
    EXPECT_EQ(stated("a").st_nlink, 2u);
}

TEST_F(OutputFileTest, ANewFileHasTheModeOfTheUmask) {
    const mode_t before = ::umask(027);
    writeFile(at("a"), "x");
    ::umask(before);
    EXPECT_EQ(stated("a").st_mode & 07777u, 0640u);
}

TEST_F(OutputFileTest, ALinkStaysOneAndItsTargetIsWritten) {
    fs::create_directory(at("d"));
    put("d/real", "old");
    fs::create_symlink("d/real", at("link"));
    writeFile(at("link"), "new");
    EXPECT_TRUE(fs::is_symlink(at("link")));
    EXPECT_EQ(get("d/real"), "new");
    fs::create_symlink("d/later", at("dangling"));
    writeFile(at("dangling"), "made");
    EXPECT_EQ(get("d/later"), "made");
    fs::create_symlink("round", at("round"));
    EXPECT_FALSE(refusalOf(at("round")).empty());
}

TEST_F(OutputFileTest, WhatCannotBeWrittenIsSaidOfTheFileThatWasNamed) {
    EXPECT_THAT(refusalOf(m_folder), HasSubstr("folder"));
    EXPECT_THAT(refusalOf(at("nowhere/a.olab")), HasSubstr("folder does not exist"));
    EXPECT_THAT(refusalOf(""), HasSubstr("no name"));
    EXPECT_FALSE(refusalOf(at(std::string(256, 'n'))).empty()) << "a byte too long";
    if (::geteuid() != 0) {
        fs::permissions(m_folder, fs::perms::owner_read | fs::perms::owner_exec);
        EXPECT_THAT(refusalOf(at("a.olab")), HasSubstr("a.olab"));
        EXPECT_THAT(refusalOf(at("a.olab")), Not(HasSubstr(".part")));
        EXPECT_THROW(checkWritable(at("a.olab")), Error);
    }
}

TEST_F(OutputFileTest, AFullDiskNamesTheFileAndLeavesTheOldOne) {
    put("a", "old");
    const auto before = ::signal(SIGXFSZ, SIG_IGN);
    rlimit usual{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
    const rlimit small{1000, usual.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    std::string said;
    try {
        writeFile(at("a"), std::string(5000, 'x'));
    } catch (const Error& error) {
        said = error.what();
    }
    ::setrlimit(RLIMIT_FSIZE, &usual);
    ::signal(SIGXFSZ, before);
    EXPECT_THAT(said, HasSubstr(at("a").string()));
    EXPECT_THAT(said, Not(HasSubstr(".part")));
    EXPECT_EQ(get("a"), "old");
    EXPECT_EQ(names().size(), 1u);
}

TEST_F(OutputFileTest, NamesOf255BytesAndOfAnyBytes) {
    const std::string longest = std::string(250, 'n') + ".olab", bytes = "\xff\xfe"
                                                                         "caf\xe9.olab";
    for (const std::string& name : {longest, bytes}) {
        writeFile(at(name), "x");
        EXPECT_EQ(get(name), "x");
        writeFile(at(name), "y");
        EXPECT_EQ(get(name), "y");
    }
    EXPECT_EQ(names().size(), 2u);
}

TEST_F(OutputFileTest, WhatTheDeadLeftIsSweptAndWhatTheLivingWriteIsNot) {
    int ready[2]{};
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const OutputFile file(at("never"));
        (void)!::write(ready[1], "x", 1);
        for (;;)
            ::pause();
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ASSERT_EQ(names().size(), 1u) << "it writes";
    {
        const OutputFile other(at("other"));
        EXPECT_EQ(names().size(), 2u) << "the living keep theirs";
    }
    ASSERT_EQ(names().size(), 1u);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(names().size(), 1u) << "the dead left it";
    put(".olab-notes.part", "a person's");
    writeFile(at("a"), "x");
    EXPECT_THAT(names(), testing::UnorderedElementsAre("a", ".olab-notes.part"));
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST_F(OutputFileTest, NobodyGuessesTheTemporary) {
    const OutputFile one(at("a"));
    const OutputFile two(at("a"));
    const auto found = names();
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NE(found[0], found[1]);
    for (const std::string& name : found) {
        EXPECT_THAT(name, Not(HasSubstr(std::to_string(::getpid()))));
        EXPECT_EQ(stated(name).st_mode & 022u & ~0u, stated(name).st_mode & 022u);
    }
}

TEST_F(OutputFileTest, ATemporaryOfAReplacedSecretIsNobodyElses) {
    put("a", "secret");
    ASSERT_EQ(::chmod(at("a").c_str(), 0600), 0);
    const OutputFile file(at("a"));
    for (const std::string& name : names())
        EXPECT_EQ(stated(name).st_mode & 077u, 0u) << name;
}

TEST_F(OutputFileTest, AFifoIsWrittenStraight) {
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    checkWritable(at("pipe")); // does not wait for a reader
    std::string got;
    std::thread reader([&] {
        std::ostringstream text;
        text << std::ifstream(at("pipe")).rdbuf();
        got = text.str();
    });
    writeFile(at("pipe"), "through");
    reader.join();
    EXPECT_EQ(got, "through");
    EXPECT_TRUE(fs::is_fifo(at("pipe"))) << "it stays one";
    EXPECT_EQ(names().size(), 1u);
}

TEST_F(OutputFileTest, AFifoThatNobodyReadsIsNotWaitedForForEver) {
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    EXPECT_THAT(refusalOf(at("pipe")), HasSubstr("nobody reads it"));
}

TEST_F(OutputFileTest, AFileThatGrowsIsNobodyElsesToReplace) {
    std::optional<OutputFile> first(std::in_place, at("a"), OutputFile::Kind::Growing);
    OutputFile late(at("a"), OutputFile::Kind::Growing); // neither is there yet
    first->write("first");
    first->commit();
    EXPECT_THROW(late.commit(), Error);
    EXPECT_THAT(refusalOf(at("a")), HasSubstr("another process still writes into it"));
    EXPECT_THROW(checkWritable(at("a")), Error);
    {
        OutputFile next(at("a"), OutputFile::Kind::Growing, &*first);
        next.write("next");
        next.commit();
        EXPECT_EQ(get("a"), "next") << "its own writer may";
        EXPECT_THROW(checkWritable(at("a")), Error);
    }
    EXPECT_EQ(refusalOf(at("a")), "") << "its writer has ended";
    first.reset();
}

TEST_F(OutputFileTest, AFileThatGrowsAndHasTwoNamesIsNotCutOff) {
    put("a", "old");
    fs::create_hard_link(at("a"), at("b"));
    OutputFile first(at("a"), OutputFile::Kind::Growing);
    first.write("first");
    EXPECT_THAT(refusalOf(at("b")), HasSubstr("another process still writes into it"));
    EXPECT_THROW(OutputFile(at("b"), OutputFile::Kind::Growing), Error);
    EXPECT_EQ(get("b"), "first");
}

/// As ranks of one start do.
TEST_F(OutputFileTest, WhoOnlyLooksIsNoWriterToOthersWhoLook) {
    put("a", "old");
    const auto look = [this] {
        for (int i = 0; i < 30'000; ++i)
            checkWritable(at("a"));
    };
    auto other = std::async(std::launch::async, look);
    EXPECT_NO_THROW(look());
    EXPECT_NO_THROW(other.get());
}

TEST_F(OutputFileTest, TwoWholeFilesReplaceEachOther) {
    OutputFile first(at("a")), second(at("a"));
    first.commit();
    second.write("second");
    second.commit();
    EXPECT_EQ(get("a"), "second");
    EXPECT_EQ(refusalOf(at("a")), "");
}

/// Whoever may write to a folder could else choose what is replaced.
TEST_F(OutputFileTest, ALinkOfAnotherUserIsNotFollowed) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "needs two users";
    constexpr uid_t kOther = 65534;
    put("precious", "precious");
    fs::create_symlink(at("precious"), at("link"));
    ASSERT_EQ(::lchown(at("link").c_str(), kOther, kOther), 0);
    EXPECT_THAT(refusalOf(at("link")), HasSubstr("a link that another user put there"));
    EXPECT_EQ(get("precious"), "precious");
    ASSERT_EQ(::chown(at("").c_str(), kOther, kOther), 0); // in a folder of theirs it is their business
    EXPECT_EQ(refusalOf(at("link")), "");
}

TEST_F(OutputFileTest, StandardOutputGoesOnWhereItIs) {
    EXPECT_TRUE(isStandardOutput("/dev/stdout"));
    EXPECT_TRUE(isStandardOutput("/dev/fd/1"));
    EXPECT_TRUE(isStandardOutput("/proc/self/fd/1"));
    EXPECT_FALSE(isStandardOutput("/dev/stderr"));
    EXPECT_FALSE(isStandardOutput(at("stdout")));
    const int kept = ::dup(STDOUT_FILENO);
    const int file = ::open(at("out").c_str(), O_WRONLY | O_CREAT, 0600);
    ASSERT_EQ(::write(file, "before ", 7), 7);
    std::fflush(stdout);
    ::dup2(file, STDOUT_FILENO);
    writeFile("/dev/stdout", "after");
    ::dup2(kept, STDOUT_FILENO);
    ::close(kept);
    ::close(file);
    EXPECT_EQ(get("out"), "before after") << "a redirection is not written over from its start";
}

TEST_F(OutputFileTest, AFullDeviceIsAnError) {
    if (fs::exists("/dev/full")) {
        EXPECT_THAT(refusalOf("/dev/full"), HasSubstr("/dev/full"));
    }
    EXPECT_EQ(refusalOf("/dev/null"), "");
    EXPECT_TRUE(fs::is_character_file("/dev/null")) << "and it is still there";
}

} // namespace
} // namespace olab
