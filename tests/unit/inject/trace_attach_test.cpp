// Programs that wait to be recorded: they are switched on and off from outside, and nothing is asked of CUPTI
// in between.
#include "trace_fixture.h"

#include <olab/trace/trace_request.h>

#include <nlohmann/json.hpp>

#include <cstring>
#include <set>
#include <sstream>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace olab::test {
namespace {

using testing::AllOf;

class TraceAttach : public TraceCli {
protected:
    TraceAttach() { ::setenv("XDG_RUNTIME_DIR", m_folder.c_str(), 1); }
    ~TraceAttach() override { ::unsetenv("XDG_RUNTIME_DIR"); }
    /// Starts it, and runs `script` once it listens: $c is its number, $olab the program.
    Result attached(const std::string& options, const std::string& words, const std::string& script) const {
        return shell(
            "olab='" OLAB_PROGRAM "'; " + traced("--attach-ready --no-analysis " + options, words) +
            " & p=$!; until c=$($olab trace --list 2>&1 | grep -o '^[1-9][0-9]*'); do sleep 0.02; done; " +
            script + "; wait $p");
    }
};

TEST_F(TraceAttach, RecordsFromOnToOffAndIsGoneInBetween) {
    const Result r =
        attached("-o run.olab",
                 "cuda calls:10 state await:on calls:100 state touch:made await:off wait:900 sync:40 calls:3 "
                 "state await:again calls:20 exit:5",
                 "$olab trace --on $c && touch on; until [ -e made ] || ! kill -0 $c; do sleep 0.02; done; "
                 "$olab trace --off $c && touch off; until [ -e late ]; do sleep 2; touch late; done; "
                 "$olab trace --on $c && touch again");
    EXPECT_EQ(r.code, 5) << r.err;
    const std::string file = (m_folder / "run.olab").string() + "\n";
    std::string text = r.out;
    for (std::size_t at = 0; (at = text.find(file)) != text.npos;)
        text.erase(at, file.size());
    EXPECT_EQ(text, "subscribed 0 finalized 0 kernels 0\n"
                    "subscribed 1 finalized 0 kernels 1\n"
                    "subscribed 0 finalized 1 kernels 0\n");
    const Trace trace = read("run.olab");
    EXPECT_EQ(count(trace, true), 120u);
    EXPECT_TRUE(trace.defects().empty());
    const std::string spans = trace.environment().at("recorded.spans");
    EXPECT_EQ(std::count(spans.begin(), spans.end(), '-'), 2) << spans;
}

/// Taking CUPTI out would crash some of them: it stays, with all kinds off.
TEST_F(TraceAttach, CuptiStaysWhereSeveralThreadsMakeCalls) {
    const Result r = attached(
        "-o run.olab", "cuda await:on calls:10 busy:2 touch:made await:off wait:900 sync:40 state idle",
        "$olab trace --on $c && touch on; until [ -e made ] || ! kill -0 $c; do sleep 0.02; done; "
        "$olab trace --off $c && touch off");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("subscribed 1 finalized 0 kernels 0\n"));
}

TEST_F(TraceAttach, CuptiStaysWhereGraphsAreLaunched) {
    const Result r =
        attached("-o run.olab", "cuda await:on graphs:10 touch:made await:off wait:900 sync:40 state",
                 "$olab trace --on $c && touch on; until [ -e made ] || ! kill -0 $c; do sleep 0.02; done; "
                 "$olab trace --off $c && touch off");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("subscribed 1 finalized 0 kernels 0\n"));
    EXPECT_EQ(count(read("run.olab"), true), 10u);
}

/// The names of ranges, in the order of their begin.
std::vector<std::string> rangesOf(const Trace& trace) {
    std::vector<std::pair<Ns, std::string>> found;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == ActivityClass::Nvtx)
            found.emplace_back(trace[i].begin, trace.text(trace[i].name));
    std::sort(found.begin(), found.end());
    std::vector<std::string> names;
    for (auto& [begin, name] : found)
        names.push_back(std::move(name));
    return names;
}

/// A range that began before is not seen, nor one of a domain that was made before; nor does it cost anything
/// then, or after the last order.
TEST_F(TraceAttach, RangesAreRecordedWhileItIsOnAndCostNothingWhileItSleeps) {
    const Result r =
        attached("-o run.olab",
                 "cuda nvtx:before nvtx-end domain:early nvtx:around nvtx-told await:on calls:10 nvtx:outer "
                 "nvtx:inner "
                 "domain:own calls:10 "
                 "nvtx-end nvtx-end nvtx-end touch:made await:off wait:900 sync:40 state nvtx:after nvtx-end "
                 "nvtx-told",
                 "$olab trace --on $c && touch on; until [ -e made ] || ! kill -0 $c; do sleep 0.02; done; "
                 "$olab trace --off $c && touch off");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("CUPTI was told 0 times\n"));
    EXPECT_THAT(r.out, HasSubstr("finalized 1 kernels 0\nCUPTI was told 5 times\n"));
    const Trace trace = read("run.olab");
    EXPECT_EQ(rangesOf(trace), (std::vector<std::string>{"outer", "inner"}));
    EXPECT_TRUE(trace.defects().empty());
}

TEST_F(TraceAttach, RangesAreRecordedFromTheStartWithoutIt) {
    const Result r =
        shell(traced("--no-analysis -o run.olab", "nvtx:early cuda nvtx:one calls:5 nvtx-end nvtx-end"));
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(rangesOf(read("run.olab")), std::vector<std::string>{"one"});
}

TEST_F(TraceAttach, RangesOfADomainThatWasMadeMeanwhileAreTold) {
    const Result r =
        shell(traced("--no-analysis -o run.olab", "nvtx:early cuda calls:5 domain:own nvtx-end nvtx-told"));
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("CUPTI was told 2 times\n"));
}

TEST_F(TraceAttach, ForATimeOnly) {
    const Result r = attached("-o run.olab", "cuda busy:2 await:done wait:300 idle",
                              "$olab trace --on $c --for 400ms; touch done");
    EXPECT_EQ(r.code, 0) << r.err;
    const std::string spans = read("run.olab").environment().at("recorded.spans");
    std::int64_t from = 0, until = 0;
    ASSERT_EQ(std::sscanf(spans.c_str(), "%ld-%ld", &from, &until), 2) << spans;
    EXPECT_GE(until - from, 400'000'000 - 50'000'000) << spans;
    EXPECT_EQ(spans.find(' '), spans.npos);
}

TEST_F(TraceAttach, SeveralBeginAtOneInstant) {
    const std::string words = "cuda wall busy:1 await:done idle";
    const Result r =
        attached("-o a.olab", words,
                 traced("--attach-ready --no-analysis -o b.olab", words) +
                     " & q=$!; until [ $($olab trace --list | wc -l) = 2 ]; do sleep 0.02; done; "
                     "$olab trace --on all --for 300ms; sleep 0.5; touch done; wait $q");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, AllOf(HasSubstr("a.olab"), HasSubstr("b.olab")));
    std::int64_t a = 0, b = 0;
    const auto from = [this](const char* name) { return read(name).environment().at("recorded.spans"); };
    ASSERT_EQ(std::sscanf(from("a.olab").c_str(), "%ld-", &a), 1);
    ASSERT_EQ(std::sscanf(from("b.olab").c_str(), "%ld-", &b), 1);
    EXPECT_LT(std::abs(a - b), 500'000'000) << "they were told apart from one another by more";
    EXPECT_THAT(r.err, HasSubstr("olab analyze --merge"));
    const auto merged = nlohmann::json::parse(olab("analyze --merge --json a.olab b.olab").out);
    ASSERT_EQ(merged["ranks"].size(), 2u);
    std::set<std::string> alignments;
    for (const auto& rank : merged["ranks"])
        alignments.insert(rank["aligned_by"]);
    EXPECT_EQ(alignments, (std::set<std::string>{"clocks", "reference"})) << "they have one clock";
    Ns shift = 0;
    for (const auto& rank : merged["ranks"])
        shift = std::max(shift, std::abs(rank.value("shift_ns", Ns{0})));
    EXPECT_EQ(shift, 0);
    EXPECT_EQ(merged["devices"].size(), 2u) << "of two processes: nothing says that it is the same one";
}

TEST_F(TraceAttach, NobodySwitchedItOn) {
    const Result r = trace("--attach-ready -o run.olab", "cuda calls:50 say:x exit:4");
    EXPECT_EQ(r.code, 4);
    EXPECT_EQ(r.out, "x\n");
    EXPECT_THAT(r.err, HasSubstr("--on"));
    EXPECT_TRUE(files().empty());
    EXPECT_TRUE(attachReadyProcesses().empty()) << "its socket went with it";
}

TEST_F(TraceAttach, AForkedChildListensToNobody) {
    const Result r =
        attached("-o run.olab", "cuda calls:1 fork await:done calls:2", "$olab trace --on $c && touch done");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(count(read("run.olab"), true), 2u);
}

TEST_F(TraceAttach, WhatIsLeftOfAKilledProcessIsRemoved) {
    const Result r = attached("-o run.olab", "cuda forever", "kill -KILL $c");
    EXPECT_EQ(r.code, 137) << r.err;
    EXPECT_TRUE(attachReadyProcesses().empty());
    EXPECT_TRUE(fs::is_empty(traceSocketFolder()));
}

/// As one that a debugger holds: it listens and never answers, and its queue is full.
TEST_F(TraceAttach, OneThatIsStoppedHoldsUpNobody) {
    const int listening = listenToOrders(::getpid());
    ASSERT_GE(listening, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, traceSocket(::getpid()).c_str(), sizeof address.sun_path - 1);
    std::vector<int> waiting;
    do
        waiting.push_back(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    while (::connect(waiting.back(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    const Result r = shell(traced("--attach-ready --no-analysis -o run.olab", "cuda await:done") +
                           " & p=$!; until [ $(ls overlap-lab | wc -l) = 2 ]; do sleep 0.02; done; timeout "
                           "-k 1 20 '" OLAB_PROGRAM "' trace --list; echo $?; touch done; wait $p");
    EXPECT_THAT(r.out, testing::MatchesRegex("[0-9]+  cuda_program\n0\n"));
    EXPECT_THAT(r.err, HasSubstr("Process " + std::to_string(::getpid()) + " (test_inject) does not answer"));
    EXPECT_TRUE(fs::exists(traceSocket(::getpid()))) << "it lives";
    for (const int one : waiting)
        ::close(one);
    ::close(listening);
    EXPECT_TRUE(attachReadyProcesses().empty());
}

TEST_F(TraceAttach, OrdersThatCannotBeCarriedOutSaySo) {
    const auto refuses = [this](const std::string& arguments, const std::string& why) {
        const Result r = olab("trace " + arguments);
        EXPECT_EQ(r.code, 2) << arguments << r.err;
        EXPECT_THAT(r.err, HasSubstr(why)) << arguments;
    };
    refuses("--on 1", "does not listen");
    refuses("--on all", "No program waits");
    refuses("--on 12x", "names no processes");
    refuses("--for 5s", "about programs that run");
    refuses("--on 1 --off 1", "about programs that run");
    refuses("--on 1 -- /bin/true", "about programs that run");
    refuses("--attach-ready --delay 1s -- /bin/true", "--attach-ready");
}

TEST_F(TraceAttach, TheFolderIsTheUsersOwn) {
    const fs::path folder = traceSocketFolder();
    struct stat is {};
    ASSERT_EQ(::stat(folder.c_str(), &is), 0);
    EXPECT_EQ(is.st_mode & 0777, 0700u);
    fs::remove(folder);
    fs::create_symlink("/tmp", folder);
    EXPECT_THROW((void)traceSocketFolder(), std::exception) << "whoever made it could listen";
}

TEST(TraceOrders, GoThroughALine) {
    for (const TraceOrder& order : {TraceOrder{TraceOrder::Kind::On, 1'700'000'000'000'000'000, 5},
                                    TraceOrder{TraceOrder::Kind::Off, 0, 0}, TraceOrder{}})
        EXPECT_EQ(traceOrder(toText(order)), order);
    for (const char* text : {"", "on", "on 1", "on x 1", "up 1 2", "on -1 0", "on 99999999999999999999 0"})
        EXPECT_FALSE(traceOrder(text)) << text;
}

} // namespace
} // namespace olab::test
