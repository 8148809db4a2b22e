// Another client of CUPTI in the program: it gets all that it asks for, and the recording says when that was.
#include "trace_fixture.h"

#include <algorithm>
#include <sstream>

namespace olab::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::Not;

constexpr const char* kTool = "libprofiling_tool.so";

/// "FROM-UNTIL": from before until.
void expectSpans(const std::string& text, std::size_t count) {
    std::istringstream in(text);
    std::int64_t last = 0;
    std::size_t found = 0;
    for (std::string span; in >> span; ++found) {
        const std::size_t dash = span.find('-');
        ASSERT_NE(dash, span.npos) << text;
        const std::int64_t from = std::stoll(span.substr(0, dash));
        EXPECT_GT(from, last) << text;
        last = dash + 1 < span.size() ? std::stoll(span.substr(dash + 1)) : INT64_MAX;
        EXPECT_GT(last, from) << text;
    }
    EXPECT_EQ(found, count) << text;
}

/// Bound to CUPTI before our library comes, and after.
TEST_F(TraceCli, AnotherToolGetsItsRecordsAndWeTheRest) {
    for (const char* order : {"tool cuda", "cuda tool"}) {
        const std::string words = std::string(order) +
                                  " calls:100 profile-begin calls:5000 profile-end wait:2200 calls:70 "
                                  "wait:300 profile-begin calls:9 profile-end exit:3";
        const Result plain = shell(program(words)), r = trace("-o run.olab --no-analysis", words);
        EXPECT_EQ(r.code, 3) << order << r.err;
        EXPECT_EQ(r.out, "the tool saw 5000 calls\nthe tool saw 9 calls\n") << order;
        EXPECT_EQ(r.out, plain.out) << order << ": as without us";
        EXPECT_THAT(r.err, HasSubstr(kTool)) << order;
        const Trace trace = read("run.olab");
        EXPECT_EQ(count(trace, true), 170u) << order;
        EXPECT_TRUE(trace.defects().empty()) << order;
        expectSpans(trace.environment().at("recorded.spans"), 2);
        EXPECT_THAT(trace.environment().at("recorded.yielded"), AllOf(HasSubstr("-"), EndsWith(kTool)));
        fs::remove(m_folder / "run.olab");
    }
}

/// As PyTorch's is; CUPTI keeps it when the tool has ended.
TEST_F(TraceCli, AToolsClockIsNotOurs) {
    for (const std::string order :
         {"tool cuda", "cuda tool", "tool profile-begin cuda profile-end wait:2200"}) {
        const std::string again = order == "tool cuda" ? "profile-again" : "profile-begin";
        const auto before = static_cast<Ns>(std::time(nullptr)) * 1'000'000'000;
        const Result r =
            trace("-o run.olab --no-analysis",
                  "wall " + order + " calls:100 profile-begin calls:20 profile-end wait:2200 calls:70 " +
                      again + " calls:10 profile-end wait:2200 calls:30");
        EXPECT_THAT(r.out, EndsWith("the tool saw 20 calls\nthe tool saw 10 calls\n")) << order << r.err;
        const Trace trace = read("run.olab");
        EXPECT_EQ(count(trace, true), 200u) << order;
        EXPECT_EQ(count(trace, false), 200u) << order;
        EXPECT_TRUE(trace.defects().empty()) << order;
        for (ActivityIndex i = 0; i < trace.size(); ++i)
            ASSERT_GE(trace.begin(i), before) << order << i;
        fs::remove(m_folder / "run.olab");
    }
}

/// What runs is waited for.
TEST_F(TraceCli, NothingIsLostWhenAToolBeginsRightAfterWork) {
    const Result r = trace("-o run.olab --no-analysis",
                           "tool cuda slow:80 calls:100 profile-begin calls:20 slow:0 calls:5 profile-end");
    EXPECT_THAT(r.out, HasSubstr("the tool saw 25 calls")) << r.err;
    const Trace trace = read("run.olab");
    EXPECT_EQ(count(trace, false), 100u);
    EXPECT_TRUE(trace.defects().empty());
}

TEST_F(TraceCli, AToolThatBeganBeforeIsWaitedFor) {
    const Result r = trace("-o run.olab --no-analysis",
                           "tool profile-begin cuda calls:100 profile-end wait:2200 calls:30");
    EXPECT_EQ(r.out, "the tool saw 100 calls\n") << r.err;
    EXPECT_EQ(count(read("run.olab"), true), 30u);
    EXPECT_THAT(read("run.olab").environment().at("recorded.yielded"), HasSubstr("began before"));
}

TEST_F(TraceCli, AToolThatNeverEndsKeepsItsRecords) {
    const Result r =
        trace("-o run.olab --no-analysis", "tool cuda calls:10 profile-begin calls:20 wait:1500");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(count(read("run.olab"), true), 10u);
    EXPECT_TRUE(read("run.olab").defects().empty());
}

/// A tool that stays subscribed, as torch.profiler does, hides the marks of the program. What they mark
/// before is recorded; nothing that they do not mark is; and it is said.
TEST_F(TraceCli, MarksAreFollowedUntilAToolStaysSubscribed) {
    struct Case {
        const char *range, *words;
        std::size_t calls;
    };
    constexpr Case kCases[] = {
        {"cuda",
         "cuda tool calls:3 start calls:10 stop calls:3 profile-begin calls:20 profile-end wait:2200 "
         "calls:5 start calls:30 stop calls:7",
         10},
        {"cuda",
         "tool cuda start calls:10 profile-begin calls:20 profile-end wait:2200 calls:40 stop calls:7", 10},
        {"nvtx:step",
         "tool cuda push:step calls:10 pop calls:3 profile-begin push:step calls:20 profile-end "
         "wait:2200 calls:40 pop calls:7",
         10},
        {"cuda", "tool profile-begin cuda calls:20 profile-end wait:2200 start calls:30 stop calls:7", 0},
    };
    for (const auto& [range, words, calls] : kCases) {
        const Result r = trace(std::string("-o run.olab --no-analysis --capture-range ") + range, words);
        EXPECT_EQ(r.code, 0) << words << r.err;
        EXPECT_EQ(r.out, "the tool saw 20 calls\n") << words;
        EXPECT_THAT(r.err, HasSubstr("stays subscribed")) << words;
        const Trace trace = read("run.olab");
        EXPECT_EQ(count(trace, true), calls) << words;
        EXPECT_EQ(count(trace, false), calls) << words;
        ASSERT_TRUE(find(trace, DefectCode::OpenEnd)) << words;
        EXPECT_THAT(find(trace, DefectCode::OpenEnd)->detail, HasSubstr("stays subscribed")) << words;
        EXPECT_EQ(trace.defects().size(), 1u) << words;
        fs::remove(m_folder / "run.olab");
    }
}

/// Before it is used a tool is in nobody's way.
TEST_F(TraceCli, MarksAreFollowedBesideAToolThatIsNotUsed) {
    const Result r = trace("-o run.olab --no-analysis --capture-range cuda",
                           "tool cuda calls:3 start calls:10 stop calls:3");
    EXPECT_EQ(count(read("run.olab"), true), 10u) << r.err;
    EXPECT_TRUE(read("run.olab").defects().empty());
}

/// Calls of different threads and of a tool meet; nobody hangs, and each record is somebody's.
TEST_F(TraceCli, ToolsMayComeAndGoWhileThreadsWork) {
    const Result r = trace("-o run.olab --no-analysis",
                           "tool cuda busy:4 wait:300 profile-begin wait:100 profile-end wait:1500 "
                           "profile-begin wait:100 profile-end idle");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, Not(HasSubstr("saw 0 calls")));
    EXPECT_GT(count(read("run.olab"), true), 1000u);
}

} // namespace
} // namespace olab::test
