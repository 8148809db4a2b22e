// Real programs on machines that lack something: libraries that stand in for libcuda and libcupti.
#include "test_places.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Result {
    int code = -1;
    std::string text;
};

Result shell(const std::string& command) {
    Result r;
    std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    std::array<char, 4096> buffer;
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        r.text.append(buffer.data(), n);
    const int status = ::pclose(pipe);
    r.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return r;
}

Result onDriver(const std::string& settings, const std::string& arguments) {
    return shell(settings + " LD_LIBRARY_PATH=" FAKE_DRIVER " " OLAB_PROGRAM " " + arguments);
}

void expectNoDevice(const std::string& settings, const std::string& why) {
    const Result devices = onDriver(settings, "devices");
    EXPECT_EQ(devices.code, 0) << devices.text;
    EXPECT_THAT(devices.text, HasSubstr(why));
    const Result run = onDriver(settings, "run --backend cuda");
    EXPECT_EQ(run.code, 3) << run.text;
    EXPECT_THAT(run.text, HasSubstr(why));
    EXPECT_THAT(run.text, HasSubstr("--backend sim"));
}

TEST(OlabWithoutADevice, SaysThatTheDriverIsTooOld) {
    expectNoDevice("FAKE_CUDA_VERSION=12040", "supports CUDA 12.4; this program needs 13.");
}

TEST(OlabWithoutADevice, SaysThatTheDriversPartsDoNotFit) {
    expectNoDevice("FAKE_CUDA_INIT=803", "different versions");
}

TEST(OlabWithoutADevice, SaysThatServicesAreMissing) {
    expectNoDevice("FAKE_CUDA_INIT=802", "nvidia-fabricmanager");
}

TEST(OlabWithoutADevice, SaysWhatHidesIt) {
    if (fs::exists("/dev/nvidiactl"))
        GTEST_SKIP() << "this machine has device files";
    expectNoDevice("FAKE_CUDA_INIT=100 CUDA_VISIBLE_DEVICES=5", "CUDA_VISIBLE_DEVICES is '5'");
    expectNoDevice("FAKE_CUDA_INIT=999", "The NVIDIA kernel module is not loaded");
}

TEST(OlabWithoutADevice, AutoSimulatesAndSaysWhy) {
    const Result r = onDriver("FAKE_CUDA_VERSION=12040", "run --set iterations=2");
    EXPECT_EQ(r.code, 0);
    EXPECT_THAT(r.text, HasSubstr("SIMULATED: The NVIDIA driver"));
}

// --- CUPTI

Result capture(const std::string& library, const std::string& settings = "") {
    // A preloaded library comes before a sanitizer, which would refuse to start.
    return shell(settings + " ASAN_OPTIONS=verify_asan_link_order=0 OLAB_CUPTI=" + library +
                 " " START_CAPTURE);
}

void expectRefused(const Result& result, const std::string& code, const std::string& message) {
    EXPECT_EQ(result.code, 3) << result.text;
    EXPECT_THAT(result.text, StartsWith(code + "|"));
    EXPECT_THAT(result.text, HasSubstr(message));
    EXPECT_THAT(result.text, Not(testing::EndsWith("|"))) << "no hint";
}

TEST(Capture, ALibraryThatIsNotThereIsNamed) {
    expectRefused(capture("/no/such/libcupti.so"), "no-cupti", "/no/such/libcupti.so");
    EXPECT_THAT(capture("/no/such/libcupti.so").text, HasSubstr("OLAB_CUPTI names"));
}

TEST(Capture, AFileThatIsNoLibraryIsNamed) {
    expectRefused(capture("/etc/passwd"), "no-cupti", "invalid ELF header");
}

TEST(Capture, ALibraryThatIsNoCuptiIsNamed) {
    expectRefused(capture(FAKE_TOOL), "wrong-cupti", "libToolsInjection64.so is not the CUPTI");
}

/// A folder that holds somebody else's library under every name it might be looked for, and a start in it.
class SomebodysFolder : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "intruder-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        m_folder = name;
        for (const char* folder : {".", "lib", "lib64", "extras/CUPTI/lib64"})
            put(folder, {"libcupti.so.13"});
    }
    void put(const char* folder, std::initializer_list<const char*> libraries) const {
        fs::create_directories(m_folder / folder);
        for (const char* library : libraries)
            fs::copy_file(INTRUDER, m_folder / folder / library, fs::copy_options::update_existing);
    }
    void TearDown() override { fs::remove_all(m_folder); }
    Result start(const std::string& settings, const std::string& program) const {
        return shell("cd '" + m_folder.string() + "' && env ASAN_OPTIONS=verify_asan_link_order=0 " +
                     settings + " " + program);
    }
    fs::path m_folder;
};

TEST_F(SomebodysFolder, NoCuptiIsLoadedFromIt) {
    const std::string loads = "OLAB_CUPTI=" + (m_folder / "libcupti.so.13").string();
    EXPECT_THAT(start(loads, START_CAPTURE).text, HasSubstr("INTRUDER")) << "it tells when it is loaded";
    for (const char* settings :
         {"CUDA_HOME=", "CUDA_HOME=.", "CUDA_PATH=", "CUDA_PATH=./", "LD_LIBRARY_PATH=:/nowhere",
          "LD_LIBRARY_PATH=.", "LD_LIBRARY_PATH=/nowhere:lib64", "LD_LIBRARY_PATH=/nowhere:",
          "OLAB_CUPTI=libcupti.so.13", "OLAB_CUPTI=lib64/libcupti.so.13", "OLAB_CUPTI="})
        EXPECT_THAT(start(settings, START_CAPTURE).text, Not(HasSubstr("INTRUDER"))) << settings;
    expectRefused(start("OLAB_CUPTI=./libcupti.so.13", START_CAPTURE), "no-cupti", "no absolute path");
}

TEST_F(SomebodysFolder, TheProgramItselfLoadsNothingFromIt) {
    put(".", {"libstdc++.so.6", "libm.so.6"}); // what it links
    for (const char* settings : {"CUDA_HOME=", "CUDA_HOME=.", "PATH=$PATH"}) {
        const Result r = start(settings, OLAB_PROGRAM " devices");
        EXPECT_EQ(r.code, 0) << r.text;
        EXPECT_THAT(r.text, Not(HasSubstr("INTRUDER"))) << settings;
    }
}

TEST_F(SomebodysFolder, TheChildThatRunsExperimentsLoadsNothingFromIt) {
    put(".", {"libcuda.so.1"}); // the driver, which the CUDA runtime and CUPTI load by name
    const Result r =
        start("LD_LIBRARY_PATH=:/nowhere", OLAB_PROGRAM " run --backend auto --set iterations=2");
    EXPECT_THAT(r.text, Not(HasSubstr("INTRUDER"))) << r.text;
    EXPECT_FALSE(fs::exists(m_folder / "intruder-was-here")) << "what the child says is not shown";
}

class FakeCupti : public testing::Test {
protected:
    static std::string hidden() { return (fs::path(FAKE_CUPTI).parent_path() / "real.so").string(); }
    void SetUp() override {
        if (std::string(REAL_CUPTI).empty())
            GTEST_SKIP() << "no libcupti to stand behind the made-up one";
        // Under its own name it would be found out to be somebody else's.
        fs::copy_file(REAL_CUPTI, hidden(), fs::copy_options::update_existing);
    }
    static Result start(const std::string& settings) {
        return capture(FAKE_CUPTI, "FAKE_CUPTI_REAL=" + hidden() + " " + settings);
    }
};

TEST_F(FakeCupti, StartsWhenNothingIsWrong) {
    const Result r = start("");
    EXPECT_EQ(r.code, 0) << r.text;
    EXPECT_EQ(r.text, "started||");
}

TEST_F(FakeCupti, AnOldVersionIsRefused) {
    expectRefused(start("FAKE_CUPTI_VERSION=120800"), "wrong-cupti", "is version 120800");
}

TEST_F(FakeCupti, RecordsOfAnotherLengthAreRefused) {
    expectRefused(start("FAKE_CUPTI_LAYOUT=1"), "wrong-cupti", "lays out these records differently");
}

TEST_F(FakeCupti, AnotherSubscriberIsNamed) {
    expectRefused(start("FAKE_CUPTI_SUBSCRIBE=39"), "cupti-busy", "Made-up Profiler");
}

TEST_F(FakeCupti, AProfilersLibraryIsRecognised) {
    expectRefused(start("LD_PRELOAD=" FAKE_TOOL), "cupti-busy", "Nsight Systems");
}

TEST_F(FakeCupti, ALibraryThatCudaWasToldToLoadIsNamed) {
    const fs::path other = fs::path(FAKE_TOOL).parent_path() / "libunheardof.so";
    fs::copy_file(FAKE_TOOL, other, fs::copy_options::overwrite_existing);
    const std::string set = "CUDA_INJECTION64_PATH=" + other.string();
    EXPECT_EQ(start(set).code, 0) << "said, but not loaded: nothing is in the way";
    expectRefused(start(set + " LD_PRELOAD=" + other.string()), "cupti-busy", "libunheardof.so");
    fs::remove(other);
}

TEST_F(FakeCupti, ASecondCuptiIsSomebodyElses) {
    expectRefused(start("LD_PRELOAD=" REAL_CUPTI), "cupti-busy", "a CUPTI of its own");
}

TEST_F(FakeCupti, MissingPrivilegesSayWhoCanGiveThem) {
    expectRefused(start("FAKE_CUPTI_ENABLE=35"), "no-permission", "NVreg_RestrictProfilingToAdminUsers");
    expectRefused(start("FAKE_CUPTI_ENABLE=40"), "no-permission", "virtual GPU");
    expectRefused(start("FAKE_CUPTI_ENABLE=41"), "no-tracing", "confidential");
}

} // namespace
