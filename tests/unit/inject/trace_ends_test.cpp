// However the program ends, the file can be read and says what it lacks.
#include "trace_fixture.h"

#include <random>
#include <set>

namespace olab::test {
namespace {

using testing::AllOf;

TEST_F(TraceCli, AProgramThatEndsAtOnceLeavesAReadableFileWithAnOpenEnd) {
    struct Case {
        const char* end;
        int code;
        const char* why;
    };
    for (const Case& c : {Case{"_exit:3", 3, "ended at once"},
                          {"abort", 134, "SIGABRT"},
                          {"crash", 139, "SIGSEGV"},
                          {"kill", 137, "SIGKILL"}}) {
        const Result r = shell("ulimit -c 0; " + traced("-o run.olab --no-analysis",
                                                        "cuda calls:1000 wait:1500 " + std::string(c.end)));
        EXPECT_EQ(r.code, c.code) << c.end << r.err;
        const Trace trace = read("run.olab");
        EXPECT_EQ(count(trace, true), 1000u) << c.end << ": they were complete long before";
        const Defect* const open = find(trace, DefectCode::OpenEnd);
        ASSERT_TRUE(open) << c.end;
        EXPECT_THAT(open->text(), HasSubstr(c.why));
        EXPECT_EQ(trace.defects().size(), 1u) << "and nothing is damaged";
        fs::remove(m_folder / "run.olab");
    }
}

TEST_F(TraceCli, OrderlyEndsCloseTheFile) {
    for (const char* end : {"exit:1", "quick:2", ""}) {
        (void)trace("-o run.olab --no-analysis", "cuda calls:100 " + std::string(end));
        EXPECT_TRUE(read("run.olab").defects().empty()) << end;
        EXPECT_EQ(count(read("run.olab"), true), 100u) << end;
    }
}

/// Calls are numbered from 1: what is there is all that was made up to some moment.
void expectNoGap(const Trace& trace) {
    std::set<std::uint32_t> numbers;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == ActivityClass::Api)
            numbers.insert(trace[i].correlation);
    if (!numbers.empty()) {
        EXPECT_EQ(*numbers.rbegin(), numbers.size());
    }
}

/// A kill is sent until there is somebody to get it. (dash knows no -- there.)
TEST_F(TraceCli, KilledAtAnyMomentTheFileCanBeRead) {
    std::minstd_rand random(7);
    for (int i = 0; i < 30; ++i) {
        const bool both = i % 3 == 0; // olab too, which then cannot close the file
        const std::string wait = std::to_string(random() % 600);
        const std::string whom = both ? "-$p" : "$(cat /proc/$p/task/$p/children)";
        const Result r =
            shell("export OLAB_CUPTI='" STREAM_CUPTI "'; setsid '" OLAB_PROGRAM
                  "' trace -o run.olab --no-analysis -- " +
                  program("cuda forever") + " & p=$!; until [ -s run.olab ]; do sleep 0.01; done; sleep 0." +
                  std::string(3 - wait.size(), '0') + wait + "; until kill -KILL " + whom +
                  "; do sleep 0.01; done; wait $p");
        EXPECT_EQ(r.code, 137) << r.err;
        const Trace trace = read("run.olab");
        EXPECT_EQ(trace.provenance().source, SourceKind::Traced);
        ASSERT_EQ(trace.defects().size(), 1u);
        EXPECT_EQ(trace.defects().front().code, both ? DefectCode::TruncatedFile : DefectCode::OpenEnd);
        expectNoGap(trace);
        fs::remove(m_folder / "run.olab");
    }
}

/// The first is passed on to a program that has ended, and the second is there when nobody takes it any more.
/// It has ended when its last thread has: the first is gone before.
TEST_F(TraceCli, SignalsAfterTheProgramsEndWaitUntilThatIsNoted) {
    const Result r =
        shell(traced("-o run.olab --no-analysis", "cuda calls:100 forever") +
              " & p=$!; until [ -s run.olab ]; do sleep 0.02; done; read -r c </proc/$p/task/$p/children; "
              "kill -STOP $p; kill -KILL $c; "
              "until [ $(grep -Ec '^(State:.Z|Threads:.1$)' /proc/$c/status) = 2 ]; do sleep 0.01; done; "
              "kill -HUP $p; kill -TERM $p; kill -CONT $p; wait $p");
    EXPECT_THAT(r.code, testing::AnyOf(129, 143)) << r.err;
    const Trace trace = read("run.olab");
    ASSERT_TRUE(find(trace, DefectCode::OpenEnd));
    EXPECT_THAT(find(trace, DefectCode::OpenEnd)->text(), HasSubstr("SIGKILL"));
}

TEST_F(TraceCli, OfTwoIntoOneFileTheSecondIsRefused) {
    const std::string options = "-o run.olab --no-analysis";
    const Result r = shell(traced(options, "cuda calls:100 touch:begun await:done") +
                           " & p=$!; until [ -e begun ]; do sleep 0.02; done; " +
                           traced(options, "say:ran cuda calls:300") + "; echo $?; touch done; wait $p");
    EXPECT_EQ(r.out, "2\n") << "it was not started";
    EXPECT_THAT(r.err, AllOf(HasSubstr("run.olab: another process still writes into it"),
                             HasSubstr("recorded into")));
    EXPECT_EQ(count(read("run.olab"), true), 100u);
}

TEST_F(TraceCli, OfTwoThatUseCudaLateTheSecondRecordsNothing) {
    const std::string options = "-o run.olab --no-analysis";
    const Result r = shell(traced(options, "touch:ready await:begun cuda calls:300 exit:3") +
                           " & p=$!; until [ -e ready ]; do sleep 0.02; done; " +
                           traced(options, "cuda calls:100 touch:begun await:done") +
                           " & q=$!; wait $p; echo $?; touch done; wait $q");
    EXPECT_EQ(r.out, "3\n");
    EXPECT_THAT(r.err,
                AllOf(HasSubstr("Nothing was recorded"), HasSubstr("another process still writes into it")));
    EXPECT_EQ(count(read("run.olab"), true), 100u);
}

TEST_F(TraceCli, WhatAKilledOneLeftIsReplaced) {
    const Result r = shell("export OLAB_CUPTI='" STREAM_CUPTI "'; setsid '" OLAB_PROGRAM
                           "' trace -o run.olab --no-analysis -- " +
                           program("cuda forever") +
                           " & p=$!; until [ -s run.olab ]; do sleep 0.01; done; kill -KILL -$p; wait $p; "
                           "while kill -0 -$p; do sleep 0.01; done; " +
                           traced("-o run.olab --no-analysis", "cuda calls:100"));
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(count(read("run.olab"), true), 100u);
}

TEST_F(TraceCli, AFullDiskEndsTheRecordingAndNotTheProgram) {
    const Result r = trace("-o run.olab --no-analysis",
                           "small-files cuda calls:40000 wait:700 calls:40000 wait:700 say:still exit:4");
    EXPECT_EQ(r.code, 4) << r.err;
    EXPECT_EQ(r.out, "still\n");
    EXPECT_THAT(r.err, AllOf(HasSubstr("ended before the program did"), HasSubstr("File too large")));
    const Trace trace = read("run.olab");
    EXPECT_GT(trace.size(), 1'000u);
    ASSERT_TRUE(find(trace, DefectCode::OpenEnd));
    EXPECT_THAT(find(trace, DefectCode::OpenEnd)->text(), HasSubstr("File too large"));
}

TEST_F(TraceCli, NothingIsWrittenIntoFilesOfTheProgram) {
    const Result r = trace("-o run.olab --no-analysis",
                           "cuda calls:1000 wait:1500 close-all calls:50000 wait:600 calls:50000 exit:2");
    EXPECT_EQ(r.code, 2) << r.err;
    for (int i = 0; i < 10; ++i)
        EXPECT_EQ(fs::file_size(m_folder / ("own" + std::to_string(i))), 0u) << i;
    EXPECT_THAT(r.err, HasSubstr("closed the file"));
    EXPECT_EQ(count(read("run.olab"), true), 1000u);
}

TEST_F(TraceCli, WhatHangsAtTheEndHangsNotTheProgram) {
    const Result r = trace("-o run.olab --no-analysis", "cuda calls:100 wait:1500 hang exit:6");
    EXPECT_EQ(r.code, 6) << r.err;
    const Trace trace = read("run.olab");
    EXPECT_EQ(count(trace, true), 100u);
    EXPECT_TRUE(find(trace, DefectCode::OpenEnd));
}

TEST_F(TraceCli, WorkThatHasNotEndedIsNoActivity) {
    EXPECT_EQ(trace("-o run.olab --no-analysis", "cuda calls:10 unfinished:4").code, 0);
    const Trace trace = read("run.olab");
    EXPECT_EQ(count(trace, true), 14u);
    EXPECT_EQ(count(trace, false), 10u);
    const Defect* const open = find(trace, DefectCode::OpenRange);
    ASSERT_TRUE(open);
    EXPECT_EQ(open->count, 4u);
    EXPECT_EQ(trace.defects().size(), 1u) << "no data was lost";
}

} // namespace
} // namespace olab::test
