// When recording is on: from and for a while, where the program marks, at the end, up to a size.
#include "trace_fixture.h"

namespace olab::test {
namespace {

using testing::AllOf;

TEST_F(TraceCli, RecordsBetweenTheCallsOfTheProfiler) {
    const Result r = trace("-o run.olab --capture-range cuda --no-analysis",
                           "cuda calls:10 start calls:20 stop calls:30 start calls:5 stop calls:7");
    EXPECT_EQ(r.code, 0) << r.err;
    const Trace trace = read("run.olab");
    EXPECT_EQ(count(trace, true), 25u);
    EXPECT_EQ(count(trace, false), 25u);
    const std::string& spans = trace.environment().at("recorded.spans");
    EXPECT_EQ(std::count(spans.begin(), spans.end(), '-'), 2) << spans;
    EXPECT_EQ(std::count(spans.begin(), spans.end(), ' '), 1) << spans;
}

TEST_F(TraceCli, RecordsInsideARangeOfAName) {
    const char* const words =
        "cuda push:other calls:10 push:step calls:20 push:step calls:3 pop calls:4 pop calls:30 pop "
        "registered:step calls:5 registered calls:7";
    EXPECT_EQ(trace("-o run.olab --capture-range nvtx:step --no-analysis", words).code, 0);
    EXPECT_EQ(count(read("run.olab"), true), 32u);
    EXPECT_EQ(trace("-o run.olab --capture-range nvtx:ste --no-analysis", words).code, 0);
    EXPECT_EQ(count(read("run.olab"), true), 0u);
}

TEST_F(TraceCli, WaitsAndStops) {
    EXPECT_EQ(trace("-o run.olab --delay 60s --no-analysis", "cuda calls:10").code, 0);
    EXPECT_EQ(count(read("run.olab"), true), 0u) << "it had not begun";
    EXPECT_EQ(trace("-o run.olab --delay 1ms --no-analysis", "cuda wait:2500 calls:10").code, 0);
    EXPECT_EQ(count(read("run.olab"), true), 10u);
    EXPECT_EQ(trace("-o run.olab --duration 1ms --no-analysis", "cuda wait:2500 calls:10").code, 0);
    const Trace over = read("run.olab");
    EXPECT_EQ(count(over, true), 0u) << "it was over";
    EXPECT_THAT(over.environment().at("recorded.spans"), testing::MatchesRegex("[0-9]+-[0-9]+"));
}

TEST_F(TraceCli, AtTheLimitOfItsSizeRecordingEnds) {
    const Result r = trace("-o run.olab --limit 100KB --no-analysis",
                           "cuda calls:50000 wait:1500 calls:50000 wait:700 calls:50000 exit:3");
    EXPECT_EQ(r.code, 3);
    EXPECT_THAT(r.err, HasSubstr("limit"));
    const Trace trace = read("run.olab");
    EXPECT_GE(count(trace, true), 5'000u) << "100 KB hold more";
    EXPECT_LT(count(trace, true), 150'000u);
    EXPECT_TRUE(find(trace, DefectCode::OpenEnd)) << "it does not reach to the end";
}

TEST_F(TraceCli, KeepsTheEnd) {
    std::string words = "cuda";
    for (int i = 0; i < 7; ++i)
        words += " calls:3000 wait:400";
    EXPECT_EQ(trace("-o run.olab --last 500ms --no-analysis", words + " calls:3000 exit:0").code, 0);
    const Trace trace = read("run.olab");
    std::uint32_t first = ~0u, last = 0;
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        first = std::min(first, trace[i].correlation);
        last = std::max(last, trace[i].correlation);
    }
    EXPECT_EQ(last, 24'000u);
    EXPECT_GT(first, 1u) << "the beginning has left the file";
    EXPECT_LT(first, 24'000u);
    EXPECT_EQ(count(trace, true), last - first + 1) << "what is kept is whole";
    EXPECT_EQ(trace.environment().at("program.name"), "cuda_program") << "facts stay";
    EXPECT_TRUE(trace.defects().empty());
    bool named = false;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        named = named || trace.text(trace[i].name) == "one_kernel";
    EXPECT_TRUE(named) << "names are those they were";
}

} // namespace
} // namespace olab::test
