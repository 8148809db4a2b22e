// The Python package overlap_lab, with a made-up CUDA: on its own, and in a program that olab trace started.
#include "trace_fixture.h"

namespace olab::test {
namespace {

using testing::AllOf;
using testing::Not;

class TracePython : public TraceCli {
protected:
    void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        GTEST_SKIP() << "a sanitizer wants to be there before Python is";
#endif
    }
    static std::string python(const std::string& words, const std::string& variables = "") {
        return "env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='" PYTHON_PACKAGE "' OLAB_LIBRARY='" INJECT_LIBRARY
               "' OLAB_CUPTI='" STREAM_CUPTI "' PROFILING_TOOL='" PROFILING_TOOL "' FAKE_DRIVER='" FAKE_DRIVER
               "' " +
               variables + " '" PYTHON3 "' '" PYTHON_PROGRAM "' " + words;
    }
    Result run(const std::string& words, const std::string& variables = "") const {
        return shell(python(words, variables));
    }
};

TEST_F(TracePython, RecordsWhatItIsToldAndNothingElse) {
    const Result r = run("import cuda calls:100 start:run.olab calls:50 step calls:5 stop calls:30 "
                         "start:run.olab calls:20 stop calls:3");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.out, "into run.olab\ninto run.olab\n");
    const Trace trace = read("run.olab");
    EXPECT_EQ(count(trace, true), 75u);
    EXPECT_TRUE(trace.defects().empty()) << "the end of the program closed it";
    EXPECT_EQ(trace.provenance().source, SourceKind::Traced);
    const std::string spans = trace.environment().at("recorded.spans");
    EXPECT_EQ(std::count(spans.begin(), spans.end(), '-'), 2) << spans;
}

TEST_F(TracePython, FinishClosesTheFileForGood) {
    const Result r = run("import cuda start:run.olab calls:10 finish calls:5 start:other.olab");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("error: This process was recorded already."));
    EXPECT_EQ(count(read("run.olab"), true), 10u);
    EXPECT_EQ(files().size(), 1u);
}

TEST_F(TracePython, UnderOlabTraceAllOfItIsRecordedIntoItsFile) {
    const Result r = shell("'" OLAB_PROGRAM "' trace -o all.olab --no-analysis -- " +
                           python("import cuda calls:7 start:run.olab calls:50 stop calls:30"));
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.out, "into all.olab\n");
    EXPECT_EQ(files(), std::vector<std::string>{"all.olab"});
    EXPECT_EQ(count(read("all.olab"), true), 87u);
}

TEST_F(TracePython, ItSwitchesAProgramThatWaits) {
    const Result r =
        shell("XDG_RUNTIME_DIR=$PWD '" OLAB_PROGRAM "' trace --attach-ready -o all.olab --no-analysis -- " +
              python("import cuda calls:7 start calls:50 stop calls:30"));
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.out, "into all.olab\n");
    EXPECT_EQ(count(read("all.olab"), true), 50u);
}

TEST_F(TracePython, SaysWhyNothingCanBeRecorded) {
    Result r = run("import why start:run.olab", "CUDA_INJECTION64_PATH=/opt/nsys/libToolsInjection64.so");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, AllOf(HasSubstr("why: Another tool watches CUDA"),
                             HasSubstr("error: Another tool watches CUDA")));
    r = run("import start", "");
    EXPECT_THAT(r.out, HasSubstr("error: No file was named"));
    r = run("import start:/no/such/folder/run.olab", "");
    EXPECT_THAT(r.out, HasSubstr("folder does not exist"));
    r = run("import step why", "OLAB_LIBRARY=/no/such/library.so");
    EXPECT_THAT(r.out, HasSubstr("why: libolab_inject.so was not found.")) << "a step is no fault then";
    EXPECT_TRUE(files().empty());
}

TEST_F(TracePython, ImportedTooLateItSaysWhatIsMissing) {
    EXPECT_THAT(run("driver import").out, HasSubstr("warning: overlap_lab was imported after the first use"));
    EXPECT_THAT(run("import driver").out, Not(HasSubstr("warning")));
}

/// A tool that begins within, and one that is there before; as torch.profiler does.
TEST_F(TracePython, YieldsToAToolInBothOrders) {
    Result r = run("tool import cuda start:run.olab calls:10 profile-begin calls:20 profile-end wait:1700 "
                   "calls:3 stop");
    EXPECT_THAT(r.out, HasSubstr("the tool saw 20 calls")) << r.err;
    EXPECT_EQ(count(read("run.olab"), true), 13u);
    r = run("import tool cuda profile-begin calls:20 start:other.olab calls:10 profile-end wait:1700 calls:3 "
            "stop");
    EXPECT_THAT(r.out, HasSubstr("the tool saw 30 calls")) << r.err;
    EXPECT_EQ(count(read("other.olab"), true), 3u);
    EXPECT_THAT(r.out, HasSubstr("warning: Nothing is recorded yet: libprofiling_tool.so records"));
    EXPECT_THAT(read("other.olab").environment().at("recorded.yielded"), HasSubstr("libprofiling_tool.so"));
}

/// CUPTI does not tell whether a tool that was there before has ended: it is told that nothing is recorded,
/// and it is, once the end of a session was seen.
TEST_F(TracePython, WarnsOfAToolThatWasThereBefore) {
    Result r =
        run("tool cuda profile-begin calls:20 profile-end import wait:1700 start:run.olab calls:10 stop");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, AllOf(HasSubstr("the tool saw 20 calls"),
                             HasSubstr("warning: A tool has used CUPTI before overlap_lab was imported")));
    EXPECT_EQ(count(read("run.olab"), true), 0u);
    r = run("tool cuda profile-begin calls:20 profile-end import start:more.olab calls:10 profile-begin "
            "calls:30 profile-end wait:1700 calls:3 stop start:more.olab calls:4 stop");
    EXPECT_THAT(r.out, HasSubstr("the tool saw 30 calls")) << r.err;
    EXPECT_EQ(count(read("more.olab"), true), 7u);
    EXPECT_EQ(r.out.rfind("warning"), r.out.find("warning")) << "not after it was seen to end";
}

} // namespace
} // namespace olab::test
