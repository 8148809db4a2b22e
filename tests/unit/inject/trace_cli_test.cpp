// The program is as it was: output, input, exit code, signals. And what is recorded, and what is said.
#include "trace_fixture.h"

#include <olab/trace/trace_request.h>

#include <algorithm>
#include <limits>

namespace olab::test {
namespace {

using testing::AllOf;
using testing::Not;
using testing::StartsWith;

TEST_F(TraceCli, RecordsAProgramAndChangesNothingOfIt) {
    const std::string words = "say:hello cuda calls:1000 say:bye exit:7";
    const Result plain = shell(program(words)), r = trace("-o run.olab", words);
    EXPECT_EQ(r.code, 7) << r.err;
    EXPECT_EQ(r.out, plain.out);
    EXPECT_THAT(r.err, StartsWith(plain.err)) << "olab speaks when the program has ended";
    EXPECT_THAT(r.err,
                AllOf(HasSubstr("recorded into"), HasSubstr("run.olab"), HasSubstr("1000 operations")));
    const Trace trace = read("run.olab");
    EXPECT_EQ(count(trace, true), 1000u);
    EXPECT_EQ(count(trace, false), 1000u);
    EXPECT_TRUE(trace.defects().empty());
    EXPECT_EQ(trace.provenance().source, SourceKind::Traced);
    EXPECT_THAT(trace.environment().at("program.command"), HasSubstr("say:hello cuda calls:1000"));
    EXPECT_EQ(trace.environment().at("program.name"), "cuda_program");
    EXPECT_EQ(fs::canonical(trace.environment().at("program.folder")), fs::canonical(m_folder));
    EXPECT_EQ(trace.environment().at("calls.not_recorded"), "cudaGetDevice, cudaStreamIsCapturing");
}

TEST_F(TraceCli, ItsInputIsItsOwn) {
    const Result r = shell("printf 'a\\0b\\n' | " + traced("--no-analysis", "cuda cat calls:1"));
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.out, std::string("a\0b\n", 4));
}

TEST_F(TraceCli, IsNamedAfterTheProgramAndReplacesNothing) {
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(trace("--no-analysis", "cuda calls:1").code, 0);
    EXPECT_EQ(files(), (std::vector<std::string>{"cuda_program-2.olab", "cuda_program.olab"}));
}

TEST_F(TraceCli, SignalsReachTheProgramAndItsEndIsOurs) {
    for (const auto& [signal, code] : {std::pair{"TERM", 143}, {"HUP", 129}, {"USR1", 138}}) {
        const Result r =
            shell(traced("-o run.olab --no-analysis", "cuda calls:10 forever") +
                  " & p=$!; until [ -s run.olab ]; do sleep 0.02; done; kill -" + signal + " $p; wait $p");
        EXPECT_EQ(r.code, code) << r.err;
        EXPECT_THAT(r.err, HasSubstr("recorded into")) << "olab itself goes on";
        EXPECT_THAT(find(read("run.olab"), DefectCode::OpenEnd)->text(),
                    HasSubstr(std::string("SIG") + signal));
        fs::remove(m_folder / "run.olab");
    }
}

TEST_F(TraceCli, AProgramThatHandlesASignalEndsAsItWants) {
    const Result r = shell(traced("-o run.olab --no-analysis", "handle cuda calls:10 forever") +
                           " & p=$!; until [ -s run.olab ]; do sleep 0.02; done; kill -TERM $p; wait $p");
    EXPECT_EQ(r.code, 9) << r.err;
    EXPECT_FALSE(find(read("run.olab"), DefectCode::OpenEnd)) << "it ended in good order";
}

TEST_F(TraceCli, AForkedChildRecordsNothing) {
    const Result r = trace("-o run.olab", "cuda calls:10 fork calls:10 exit:3");
    EXPECT_EQ(r.code, 3) << r.err;
    EXPECT_EQ(count(read("run.olab"), true), 20u);
    EXPECT_EQ(files().size(), 1u);
}

TEST_F(TraceCli, ChildrenRecordThemselvesIfAsked) {
    const std::string words = "cuda calls:10 forkexec:cuda,calls:33";
    EXPECT_EQ(trace("-o run.olab --no-analysis", words).code, 0);
    EXPECT_EQ(files().size(), 1u) << "nobody asked";
    const Result r = trace("-o run.olab --children --no-analysis", words);
    EXPECT_EQ(r.code, 0) << r.err;
    ASSERT_EQ(files().size(), 2u);
    EXPECT_EQ(count(read("run.olab"), true), 10u);
    const auto all = files();
    const auto child =
        std::find_if(all.begin(), all.end(), [](const auto& name) { return name != "run.olab"; });
    EXPECT_EQ(count(read(*child), true), 33u);
    EXPECT_THAT(r.err, AllOf(HasSubstr(*child), HasSubstr("--merge")));
    const std::string more = r.err.substr(r.err.find("olab analyze --merge ") + 5);
    const Result merged = shell("cd / && '" OLAB_PROGRAM "' " + more.substr(0, more.find('\n')) + " --json");
    EXPECT_EQ(merged.code, 0) << merged.err;
    EXPECT_EQ(nlohmann::json::parse(merged.out)["ranks"].size(), 2u) << "as it says";
}

TEST_F(TraceCli, AProcessThatBecomesAnotherProgramKeepsBoth) {
    const Result r = trace("-o run.olab --no-analysis", "cuda calls:10 wait:600 exec:cuda,calls:5,exit:4");
    EXPECT_EQ(r.code, 4) << r.err;
    ASSERT_EQ(files().size(), 2u) << r.err;
    EXPECT_EQ(count(read("run.olab"), true), 10u);
}

TEST_F(TraceCli, SaysWhyNothingIsRecorded) {
    Result r = trace("-o run.olab", "say:hello exit:5");
    EXPECT_EQ(r.code, 5);
    EXPECT_THAT(r.err, HasSubstr("did not use CUDA"));
    r = trace("-o run.olab", "forkexec:cuda,calls:3");
    EXPECT_THAT(r.err, AllOf(HasSubstr("cuda_program"), HasSubstr("--children")));
    r = shell("OLAB_CUPTI=/no/such/libcupti.so '" OLAB_PROGRAM "' trace -o run.olab -- " +
              program("cuda say:hello exit:6"));
    EXPECT_EQ(r.code, 6);
    EXPECT_EQ(r.out, "hello\n");
    EXPECT_THAT(r.err, AllOf(HasSubstr("Nothing was recorded"), HasSubstr("/no/such/libcupti.so")));
    EXPECT_TRUE(files().empty());
}

TEST_F(TraceCli, RefusesWhatCannotBeTracedBeforeItRuns) {
    const auto refuses = [this](const std::string& command, const std::string& why) {
        const Result r = shell(command);
        EXPECT_EQ(r.code, 2) << command << r.err;
        EXPECT_EQ(r.out, "") << command;
        EXPECT_THAT(r.err, HasSubstr(why)) << command;
    };
    const std::string olab = "'" OLAB_PROGRAM "' trace ";
    refuses("CUDA_INJECTION64_PATH=/opt/nsys/libToolsInjection64.so " + traced("", "say:x"),
            "libToolsInjection64.so");
    refuses(olab + "-- ./no-such-program", "no program");
    refuses("echo x > text; " + olab + "-- ./text", "not executable");
    refuses(olab + "-o /no/such/folder/run.olab -- " + program("say:x"), "folder does not exist");
    refuses("mkdir run.olab; " + olab + "-o run.olab -- " + program("say:x"), "run.olab");
    refuses(olab + "-o /dev/stdout -- " + program("say:x"), "file");
    refuses(olab, "missing");
    refuses(olab + "--delay 0s -- " + program("say:x"), "above 0");
    refuses(olab + "--limit 10 -- " + program("say:x"), "not a size");
    refuses(olab + "--capture-range other -- " + program("say:x"), "not a range");
    refuses(olab + "--capture-range cuda --delay 1s -- " + program("say:x"), "--delay");
    if (::geteuid() != 0)
        return;
    refuses("cp '" CUDA_PROGRAM "' own; chown nobody own; chmod u+s own; " + olab + "-- ./own say:x",
            "setuid");
}

TEST_F(TraceCli, TheLibraryShowsOnlyWhatItIsLoadedFor) {
    const Result r = shell(NM " -D --defined-only " INJECT_LIBRARY);
    EXPECT_EQ(std::count(r.out.begin(), r.out.end(), '\n'), 10) << r.out;
    EXPECT_THAT(r.out,
                AllOf(HasSubstr(" T InitializeInjection\n"), HasSubstr(" T InitializeInjectionNvtx2\n")));
}

TEST_F(TraceCli, WithoutARequestTheLibraryDoesNothing) {
    const Result r =
        shell("CUDA_INJECTION64_PATH='" INJECT_LIBRARY "' " + program("cuda calls:10 say:x exit:2"));
    EXPECT_EQ(r.code, 2);
    EXPECT_EQ(r.out, "x\n");
    EXPECT_TRUE(files().empty());
}

TEST(TraceRequests, GoThroughTheEnvironment) {
    static std::vector<std::pair<std::string, std::string>> set;
    TraceRequest request{"/tmp/a b.olab",        "/tmp/s", 17, 5, true, true, 2, 3, 4, 99, true,
                         "a range, with spaces", true};
    set = request.toEnvironment();
    const auto variable = [](const char* name) -> const char* {
        for (const auto& [key, value] : set)
            if (key == name)
                return value.c_str();
        return nullptr;
    };
    EXPECT_EQ(TraceRequest::from(variable), request);
    set = {{"OLAB_TRACE_FILE", "relative.olab"}};
    EXPECT_FALSE(TraceRequest::from(variable));
}

/// Each with the call that issued it and the ranges that it belongs to.
TEST_F(TraceCli, TheLongestWaitsSayWhichCodeTheyBelongTo) {
    std::string words = "cuda wall nvtx:training";
    for (int i = 1; i <= 14; ++i)
        words += " nvtx:step calls:2 wait:" + std::to_string(i) + " nvtx-end";
    EXPECT_EQ(trace("-o run.olab --no-analysis", words + " nvtx-end").code, 0);
    const auto report = nlohmann::json::parse(olab("analyze --json run.olab").out);
    const auto& waits = report["waits"];
    ASSERT_EQ(waits.size(), 10u) << report["headline"];
    Ns before = std::numeric_limits<Ns>::max();
    for (const auto& wait : waits) {
        EXPECT_LE(wait["own_ns"].get<Ns>(), before) << "the longest first";
        before = wait["own_ns"];
        EXPECT_LE(before, wait["waited_ns"].get<Ns>());
        EXPECT_EQ(wait["call"]["name"], "cudaLaunchKernel") << wait;
        EXPECT_EQ(wait["ranges"], (std::vector<std::string>{"step", "training"})) << wait;
        EXPECT_NE(wait["cause"], "none");
    }
    EXPECT_GE(waits[0]["own_ns"].get<Ns>(), 12'000'000) << "the host slept for that long";
    const std::string text = olab("analyze run.olab").out;
    EXPECT_THAT(text, AllOf(HasSubstr("longest waits"),
                            HasSubstr("issued by cudaLaunchKernel in step, in training")));
}

} // namespace
} // namespace olab::test
