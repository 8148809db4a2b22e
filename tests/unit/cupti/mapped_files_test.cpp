// Who else is in this process: told from what is mapped into it.
#include "other_tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

namespace olab::cupti {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A made-up /proc of this very process, with other files besides.
class MappedFiles : public testing::Test {
protected:
    void SetUp() override {
        m_proc = fs::temp_directory_path() / ("olab-proc-" + std::to_string(::getpid()));
        fs::create_directories(m_proc / "self");
        std::ofstream(m_proc / "self/status") << "Name:\ttest\nTracerPid:\t0\n";
        ::unsetenv("CUDA_INJECTION64_PATH");
    }
    void TearDown() override {
        fs::remove_all(m_proc);
        ::unsetenv("CUDA_INJECTION64_PATH");
    }
    /// `self`: what this code is said to be in.
    void map(const std::string& self, std::initializer_list<const char*> others) {
        const std::string real = cupti::ownFile().string();
        std::ofstream out(m_proc / "self/maps");
        std::ifstream maps("/proc/self/maps");
        for (std::string line; std::getline(maps, line);)
            if (const auto at = line.find(real); at != line.npos)
                out << line.replace(at, real.size(), self) << "\n";
        out << "7f0000000000-7f0000001000 rw-p 00000000 00:00 0 \n";
        for (const char* other : others)
            out << "7f1000000000-7f1000001000 r-xp 00000000 08:01 99    " << other << "\n";
    }
    std::string toolsIn(HostProgram host) const {
        return cupti::otherTools("/usr/lib/libcupti.so.13", host, m_proc);
    }
    fs::path m_proc;
};

TEST_F(MappedFiles, ThisCodeIsInThisProgram) {
    EXPECT_EQ(cupti::ownFile(), fs::canonical("/proc/self/exe")) << "its library is linked into it";
    map("/opt/tools/libolab-capture.so", {"/usr/lib/a.so", "/usr/lib/a.so"});
    EXPECT_EQ(cupti::ownFile(m_proc), "/opt/tools/libolab-capture.so") << "wherever that is";
    EXPECT_EQ(cupti::mappedFiles(m_proc),
              (std::set<std::string>{"/opt/tools/libolab-capture.so", "/usr/lib/a.so"}));
    EXPECT_TRUE(cupti::ownFile(m_proc / "nowhere").empty());
}

TEST_F(MappedFiles, ToolsAreRefusedInAnyProgram) {
    map("/bin/host", {"/opt/nsys/libToolsInjection64.so"});
    for (const HostProgram host : {HostProgram::Ours, HostProgram::Foreign})
        EXPECT_EQ(toolsIn(host), "Nsight Systems");
}

TEST_F(MappedFiles, AProgramsOwnCuptiIsATelltaleInOursOnly) {
    map("/bin/host", {"/bin/sh", "/usr/lib/libcupti.so.12.real"});
    EXPECT_EQ(toolsIn(HostProgram::Foreign), "") << "frameworks bring one along";
}

TEST_F(MappedFiles, TheLibraryThatCudaWasToldToLoadIsATool) {
    ::setenv("CUDA_INJECTION64_PATH", "/opt/other/libunheardof.so", 1);
    map("/bin/host", {"/opt/other/libunheardof.so"});
    EXPECT_THAT(toolsIn(HostProgram::Foreign), HasSubstr("libunheardof.so"));
}

TEST_F(MappedFiles, UnlessItIsThisOne) {
    ::setenv("CUDA_INJECTION64_PATH", "/opt/tools/libolab-capture.so", 1);
    map("/opt/tools/libolab-capture.so", {});
    EXPECT_EQ(toolsIn(HostProgram::Foreign), "");
    EXPECT_EQ(toolsIn(HostProgram::Ours), "");
}

} // namespace
} // namespace olab::cupti
