// Reports of Nsight Systems, exported by a program that stands in for nsys.
#include "made_database.h"

#include "import/nsys_export.h"

#include <olab/io/recording_file.h>
#include <olab/trace/temporary_folder.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace olab::io {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Sets a variable of the environment, and puts it back.
class Variable {
public:
    Variable(const char* name, const std::string& value)
        : m_name(name) {
        if (const char* before = std::getenv(name))
            m_before = before;
        ::setenv(name, value.c_str(), 1);
    }
    ~Variable() { m_before ? ::setenv(m_name, m_before->c_str(), 1) : ::unsetenv(m_name); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* m_name;
    std::optional<std::string> m_before;
};

class NsysReport : public testing::Test {
protected:
    NsysReport()
        : m_folder(
              fs::path(testing::TempDir()) /
              ("olab-report-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
        fs::remove_all(m_folder);
        fs::create_directories(m_folder / "tmp");
        std::ofstream(report()) << "NVIDIA Tegra Profiler Report 1.\n";
        makeTrace(m_folder / "made.sqlite", 1);
    }
    ~NsysReport() override { fs::remove_all(m_folder); }
    fs::path report() const { return m_folder / "run 1.nsys-rep"; }
    static void makeTrace(const fs::path& path, int kernels) {
        std::string text = "CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);"
                           "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT);";
        for (int i = 0; i < kernels; ++i)
            text += "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(" + std::to_string(100 + i * 200) + "," +
                    std::to_string(200 + i * 200) + ");";
        test::makeDatabase(path, text);
    }
    /// `script` knows the output as $out, and what is copied there as $made.
    std::string fakeNsys(const std::string& script) {
        const fs::path program = m_folder / "nsys";
        std::ofstream(program) << "#!/bin/sh\necho \"$@\" > '" << (m_folder / "words").string() << "'\nmade='"
                               << (m_folder / "made.sqlite").string()
                               << "'\nwhile [ \"$1\" != -o ]; do shift; done\nout=$2\n"
                               << script << "\n";
        fs::permissions(program, fs::perms::owner_all);
        return program.string();
    }
    std::string words() const {
        std::ifstream file(m_folder / "words");
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::string errorOf(const RunControl& control = {}) const {
        try {
            readRecording(report(), control);
        } catch (const Error& error) {
            return error.code() + ": " + error.what() + " " + error.hint();
        }
        return "none";
    }
    bool nothingIsLeft() const { return fs::is_empty(m_folder / "tmp"); }
    fs::path m_folder;
    Variable m_temporary{"TMPDIR", (m_folder / "tmp").string()};
};

TEST_F(NsysReport, IsExportedByNsysAndReadWithItsProgress) {
    const Variable nsys("OLAB_NSYS",
                        fakeNsys("printf 'Processing [==  40%%]\\r'; sleep 0.1; echo 'done 100%'\n"
                                 "cp \"$made\" \"$out\""));
    std::vector<double> shares;
    const RecordingData data = readRecording(report(), {.stop = {}, .progress = [&](double share, auto what) {
                                                            if (what.starts_with("nsys"))
                                                                shares.push_back(share);
                                                        }});
    EXPECT_EQ(data.trace.size(), 1u);
    EXPECT_EQ(data.format, "Nsight Systems report");
    EXPECT_THAT(words(), HasSubstr("export --type sqlite -o "));
    EXPECT_THAT(words(), HasSubstr("run 1.nsys-rep")) << "the report, as one word";
    EXPECT_THAT(shares, testing::Contains(0.4));
    EXPECT_TRUE(nothingIsLeft());
}

TEST_F(NsysReport, ANewerExportBesideItIsUsedAndAnOlderOneIsNot) {
    const Variable nsys("OLAB_NSYS", fakeNsys("cp \"$made\" \"$out\""));
    makeTrace(m_folder / "run 1.sqlite", 3);
    EXPECT_EQ(readRecording(report()).trace.size(), 3u);
    fs::last_write_time(m_folder / "run 1.sqlite", fs::last_write_time(report()) - std::chrono::hours(1));
    EXPECT_EQ(readRecording(report()).trace.size(), 1u);
}

TEST_F(NsysReport, WithoutNsysItSaysWhatToDo) {
    const Variable nsys("OLAB_NSYS", (m_folder / "missing").string());
    EXPECT_THAT(errorOf(), testing::AllOf(HasSubstr("no-nsys"), HasSubstr("missing"),
                                          HasSubstr("nsys export --type sqlite run 1.nsys-rep")));
}

/// A file of that name in the working folder is none of it, nor is one that a relative path leads to.
TEST_F(NsysReport, NoneIsAWordAndARelativePathIsRefused) {
    const fs::path before = fs::current_path(), ran = m_folder / "words";
    fakeNsys("exit 0");
    fs::rename(m_folder / "nsys", m_folder / "none");
    fs::current_path(m_folder);
    for (const auto& [named, said] :
         {std::pair{"none", "OLAB_NSYS=none says not to run it"}, {"./none", "no absolute path"}}) {
        const Variable nsys("OLAB_NSYS", named);
        EXPECT_THAT(errorOf(), testing::AllOf(HasSubstr("no-nsys"), HasSubstr(said)));
        EXPECT_FALSE(fs::exists(ran));
    }
    fs::current_path(before);
}

TEST_F(NsysReport, WorksInItsOwnFolder) {
    const Variable nsys("OLAB_NSYS",
                        fakeNsys("[ \"$PWD\" = \"${out%/*}\" ] || exit 3; cp \"$made\" \"$out\""));
    EXPECT_EQ(errorOf(), "none");
}

TEST_F(NsysReport, APipeBesideItIsNoExport) {
    const Variable nsys("OLAB_NSYS", fakeNsys("cp \"$made\" \"$out\""));
    ASSERT_EQ(::mkfifo((m_folder / "run 1.sqlite").c_str(), 0600), 0);
    EXPECT_EQ(readRecording(report()).trace.size(), 1u);
}

/// Nobody is left to end it, or to remove its folder.
TEST_F(NsysReport, EndsWithAKilledReaderWhoseFolderIsSwept) {
    const fs::path helper = m_folder / "helper";
    const Variable nsys("OLAB_NSYS",
                        fakeNsys("trap '' TERM; sleep 600 & echo $! > '" + helper.string() + ".new'; mv '" +
                                 helper.string() + ".new' '" + helper.string() + "'\nwait"));
    const pid_t reader = ::fork();
    if (reader == 0) {
        (void)errorOf();
        ::_exit(0);
    }
    while (!fs::exists(helper))
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ::kill(reader, SIGKILL);
    ::waitpid(reader, nullptr, 0);
    pid_t process = 0;
    std::ifstream(helper) >> process;
    const auto lives = [process] {
        std::ifstream status("/proc/" + std::to_string(process) + "/stat");
        const std::string text{std::istreambuf_iterator<char>(status), {}};
        return !text.empty() && text.find(" Z ") == text.npos;
    };
    for (int i = 0; i < 1000 && lives(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(lives());
    EXPECT_FALSE(nothingIsLeft());
    TemporaryFolder::sweep();
    EXPECT_TRUE(nothingIsLeft());
}

TEST_F(NsysReport, WhatNsysSaysOfAFailureIsShown) {
    const Variable nsys("OLAB_NSYS",
                        fakeNsys("echo 'working 10%'; echo 'The report is newer than this nsys.' >&2\n"
                                 "touch \"$out.tmp\"; exit 3"));
    EXPECT_THAT(errorOf(), testing::AllOf(HasSubstr("nsys-failed"), HasSubstr("exit code 3"),
                                          HasSubstr("The report is newer than this nsys."),
                                          testing::Not(HasSubstr("10%"))));
    EXPECT_TRUE(nothingIsLeft());
}

TEST_F(NsysReport, AnNsysThatWritesNothingHasFailed) {
    const Variable nsys("OLAB_NSYS", fakeNsys("exit 0"));
    EXPECT_THAT(errorOf(), HasSubstr("nsys-failed"));
}

TEST_F(NsysReport, CancellingEndsNsysAndItsHelpers) {
    const fs::path helper = m_folder / "helper";
    const Variable nsys("OLAB_NSYS", fakeNsys("sleep 600 & echo $! > '" + helper.string() + "'\nwait"));
    std::stop_source stop;
    const std::jthread canceller([&] {
        while (!fs::exists(helper) || fs::file_size(helper) == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        stop.request_stop();
    });
    EXPECT_THAT(errorOf({.stop = stop.get_token(), .progress = {}}), HasSubstr("cancelled"));
    pid_t process = 0;
    std::ifstream(helper) >> process;
    for (int i = 0; i < 200 && ::kill(process, 0) == 0; ++i) // until its parent has noticed
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::ifstream status("/proc/" + std::to_string(process) + "/stat");
    const std::string text{std::istreambuf_iterator<char>(status), {}};
    EXPECT_TRUE(text.empty() || text.find(" Z ") != text.npos) << text;
    EXPECT_TRUE(nothingIsLeft());
}

TEST_F(NsysReport, NsysIsFoundInTheSearchPathButNotInTheCurrentFolder) {
    fakeNsys("exit 0");
    const Variable none("OLAB_NSYS", "");
    {
        const Variable path("PATH", "/nowhere:" + m_folder.string());
        EXPECT_EQ(imports::findNsys(), m_folder / "nsys");
    }
    const fs::path before = fs::current_path();
    fs::current_path(m_folder);
    const Variable path("PATH", ".:");
    EXPECT_NE(imports::findNsys().value_or("").parent_path(), fs::path("."));
    fs::current_path(before);
}

} // namespace
} // namespace olab::io
