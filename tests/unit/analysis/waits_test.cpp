// Why an op started when it did: one small trace per cause.
#include "made_trace.h"

#include <olab/analysis/costly_waits.h>
#include <olab/analysis/explained_wait.h>

#include <tuple>

namespace olab::test {
namespace {

using testing::HasSubstr;

ActivityIndex nthOp(const analysis::Facts& facts, std::size_t n) {
    return facts.waits()[n].op;
}

TEST(Waits, FollowingInItsStreamIsNoWait) {
    Made m;
    m.work(MemcpyH2D, us(10), us(100));
    m.work(Kernel, us(102), us(200));
    const analysis::Facts& facts = m.facts();
    const analysis::ExplainedWait w = waitAt(facts, 1);
    EXPECT_EQ(w.cause, analysis::LossCause::StreamOrder);
    EXPECT_EQ(w.length(), us(2));
    EXPECT_EQ(w.blocker, nthOp(facts, 0));
    EXPECT_EQ(waitAt(facts, 0).cause, analysis::LossCause::None);
    EXPECT_EQ(waitAt(facts, 0).length(), 0);
}

TEST(Waits, ABusyCopyEngineHolds) {
    Made m;
    m.gate(us(9));
    m.work(MemcpyH2D, us(10), us(110), 13);
    m.work(MemcpyH2D, us(111), us(211), 14);
    const analysis::Facts& facts = m.facts();
    const analysis::ExplainedWait w = waitAt(facts, 1);
    EXPECT_EQ(w.cause, analysis::LossCause::EngineBound);
    EXPECT_EQ(w.time.begin, us(10)) << "the gate was open before anything recorded";
    EXPECT_EQ(w.length(), us(101));
    EXPECT_EQ(w.blocker, nthOp(facts, 0));
    EXPECT_THAT(analysis::waitSentence(facts, w), HasSubstr("Waited 101 us for H2D #0 (stream 13)"));
}

TEST(Waits, TheOtherDirectionHoldsOnlyOnADeviceWithOneCopyEngine) {
    for (const std::uint32_t engines : {1u, 2u}) {
        Made m;
        m.device.copyEngines = engines;
        m.gate(us(9));
        m.work(MemcpyH2D, us(10), us(110), 13);
        m.work(MemcpyD2H, us(111), us(211), 14);
        const analysis::Facts& facts = m.facts();
        EXPECT_EQ(waitAt(facts, 1).cause,
                  engines == 1 ? analysis::LossCause::EngineBound : analysis::LossCause::Unexplained);
    }
}

TEST(Waits, AnOpIssuedLateIsTheHostsDoing) {
    Made m;
    m.work(Kernel, us(10), us(20), 13);
    m.issued(us(1), us(6));
    m.work(Kernel, us(110), us(120), 13);
    m.issued(us(100), us(106));
    const analysis::Facts& facts = m.facts();
    const analysis::ExplainedWait w = waitAt(facts, 1);
    EXPECT_EQ(w.cause, analysis::LossCause::HostLate);
    EXPECT_EQ(w.time.begin, us(106));
    EXPECT_EQ(w.length(), us(4));
    EXPECT_EQ(facts.trace().cls(w.blocker), Api);
}

TEST(Waits, TheLongCallBeforeIsNamedNotTheShortOneItDelayed) {
    Made m;
    m.work(Kernel, us(110), us(120), 13);
    m.issued(us(105), us(107));
    m.work(Kernel, us(300), us(301), 13);
    m.issued(us(5), us(104), "cudaMalloc"); // of the later op here, but before in time
    const analysis::Facts& facts = m.facts();
    const analysis::ExplainedWait w = waitAt(facts, 0);
    EXPECT_EQ(w.cause, analysis::LossCause::HostLate);
    EXPECT_EQ(analysis::activityName(facts, w.blocker), "cudaMalloc");
}

TEST(Waits, AFullGridHoldsAMemset) {
    Made m;
    const auto k = m.plan(experiment::OpKind::Kernel, 0, us(800), 0, 8448, 1056);
    const auto s = m.plan(experiment::OpKind::Memset, 1, us(2));
    m.gate(us(9));
    m.ran(k, us(10), us(810), 13);
    m.ran(s, us(700), us(702), 14);
    const analysis::Facts& facts = m.facts();
    const analysis::ExplainedWait w = waitAt(facts, 1);
    EXPECT_EQ(w.cause, analysis::LossCause::MemsetFullGrid);
    EXPECT_EQ(w.length(), us(690));
    EXPECT_EQ(analysis::waitSentence(facts, w),
              "Waited 690 us for kernel fma #0 (stream 13): its grid of 8448 blocks "
              "fills the device (1056 at once).");
}

TEST(Waits, TwoHalfGridsFillTheDeviceTogether) {
    for (const std::uint64_t blocks : {528u, 500u}) {
        Made m;
        const auto a = m.plan(experiment::OpKind::Kernel, 0, us(400), 0, blocks, 1056);
        const auto b = m.plan(experiment::OpKind::Kernel, 1, us(400), 0, blocks, 1056);
        const auto c = m.plan(experiment::OpKind::Kernel, 2, us(400), 0, blocks, 1056);
        m.gate(us(9));
        m.ran(a, us(10), us(410), 13);
        m.ran(b, us(10), us(420), 14);
        m.ran(c, us(411), us(800), 15);
        const analysis::Facts& facts = m.facts();
        EXPECT_EQ(waitAt(facts, 2).cause,
                  blocks == 528 ? analysis::LossCause::FullGrid : analysis::LossCause::Unexplained);
    }
}

TEST(Waits, UnknownResidencyBlamesNobody) {
    Made m;
    m.gate(us(9));
    m.work(Kernel, us(10), us(810), 13);
    m.work(Memset, us(700), us(702), 14);
    EXPECT_EQ(waitAt(m.facts(), 1).cause, analysis::LossCause::Unexplained);
}

TEST(Waits, APolledEventHoldsNoStream) {
    Made m;
    const auto k0 = m.plan(experiment::OpKind::Kernel, 0, us(50));
    const auto f0 = m.plan(experiment::OpKind::HostFn, 0, 0);
    const auto k1 = m.plan(experiment::OpKind::Kernel, 0, us(50));
    m.schedule.ops[f0].callback = experiment::CallbackMethod::Poll;
    m.ran(k0, us(10), us(60));
    m.hostFn(f0, us(62), us(100));
    m.ran(k1, us(64), us(114));
    const analysis::Facts& facts = m.facts();
    EXPECT_EQ(facts.waits()[1].cause, analysis::LossCause::StreamOrder);
    EXPECT_EQ(facts.waits()[1].time.begin, us(60));
}

TEST(Waits, AnEventOfAnotherStreamHoldsWhatWaitsForIt) {
    Made m;
    const auto h0 = m.plan(experiment::OpKind::CopyH2D, 0, us(90));
    m.plan(experiment::OpKind::EventRecord, 0, 0);
    m.plan(experiment::OpKind::EventWait, 1, 0);
    const auto k1 = m.plan(experiment::OpKind::Kernel, 1, us(50));
    const auto k2 = m.plan(experiment::OpKind::Kernel, 1, us(50));
    m.schedule.ops[1].event = m.schedule.ops[2].event = 0;
    m.schedule.events = 1;
    m.ran(h0, us(10), us(100), 13);
    m.ran(k1, us(103), us(153), 14);
    m.ran(k2, us(157), us(207), 14);
    const analysis::Facts& facts = m.facts();
    EXPECT_EQ(facts.waits()[1].cause, analysis::LossCause::EventOrder);
    EXPECT_EQ(facts.waits()[1].time.begin, us(100));
    EXPECT_THAT(analysis::waitSentence(facts, facts.waits()[1]), HasSubstr("H2D #0"));
    EXPECT_EQ(facts.waits()[2].cause, analysis::LossCause::StreamOrder)
        << "the wait holds only what comes next";
    EXPECT_EQ(facts.bounds().criticalPath, us(190)) << "the chain goes through the event";
}

TEST(Waits, WhatACallbackIssuesWaitsForTheCallback) {
    Made m;
    const auto k0 = m.plan(experiment::OpKind::Kernel, 0, us(50));
    const auto f0 = m.plan(experiment::OpKind::HostFn, 0, 0);
    const auto k1 = m.plan(experiment::OpKind::Kernel, 0, us(50));
    m.schedule.units = {{0, 2, 0, kNoOp}, {2, 1, 0, OpId{f0}}};
    m.ran(k0, us(10), us(60));
    m.hostFn(f0, us(70), us(100));
    m.ran(k1, us(130), us(180));
    m.issued(us(120), us(128));
    const analysis::Facts& facts = m.facts();
    EXPECT_EQ(facts.waits()[1].cause, analysis::LossCause::Callback);
    EXPECT_EQ(facts.waits()[1].time.begin, us(128));
    EXPECT_THAT(analysis::waitSentence(facts, facts.waits()[1]), HasSubstr("host function #1"));
}

TEST(Waits, ACopyOnAComputeChannelIsExplained) {
    Made m;
    ActivityRecord& copy = m.work(MemcpyH2D, us(10), us(12));
    copy.bytes = 4096;
    copy.channel = 1;
    copy.channelType = ChannelType::Compute;
    const analysis::Facts& facts = m.facts();
    EXPECT_THAT(analysis::waitSentence(facts, facts.waits()[0]), HasSubstr("compute channel"));
}

TEST(Waits, AHostFunctionHoldsItsOwnStreamOnly) {
    Made m;
    const auto h0 = m.plan(experiment::OpKind::CopyH2D, 0, us(90));
    const auto f0 = m.plan(experiment::OpKind::HostFn, 0, 0);
    const auto k0 = m.plan(experiment::OpKind::Kernel, 0, us(50));
    const auto k1 = m.plan(experiment::OpKind::Kernel, 1, us(50));
    const auto d1 = m.plan(experiment::OpKind::CopyD2H, 1, us(50));
    m.ran(h0, us(10), us(100), 13);
    m.hostFn(f0, us(112), us(150));
    m.ran(k1, us(20), us(152), 14);
    m.ran(k0, us(158), us(208), 13);
    m.ran(d1, us(155), us(205), 14);
    const analysis::Facts& facts = m.facts();
    const analysis::ExplainedWait held = facts.waits()[3];
    EXPECT_EQ(held.cause, analysis::LossCause::Callback);
    EXPECT_EQ(held.length(), us(8));
    EXPECT_THAT(analysis::waitSentence(facts, held), HasSubstr("host function #1"));
    EXPECT_EQ(facts.waits()[2].cause, analysis::LossCause::StreamOrder);
}

struct NullCase {
    StreamKind kind;
    bool named; // by stream records, or not at all
    analysis::LossCause first, second;
};
class NullStream : public testing::TestWithParam<NullCase> {};

// Stream 13 computes; a memset on the NULL stream follows; stream 14 copies afterwards though it could have
// before.
TEST_P(NullStream, HoldsBlockingStreamsOnly) {
    Made m;
    m.gate(us(9));
    m.stream(13, GetParam().kind);
    m.stream(14, GetParam().kind);
    m.work(Kernel, us(10), us(400), 13).op = OpId{0};
    m.work(Memset, us(402), us(404), 7).op = OpId{1};
    m.work(MemcpyH2D, us(406), us(500), 14).op = OpId{2};
    const analysis::Facts& facts = m.facts();
    EXPECT_EQ(waitAt(facts, 1).cause, GetParam().first);
    EXPECT_EQ(waitAt(facts, 2).cause, GetParam().second);
    if (GetParam().second == analysis::LossCause::NullStream) {
        EXPECT_EQ(waitAt(facts, 1).blocker, nthOp(facts, 0));
        EXPECT_EQ(waitAt(facts, 2).blocker, nthOp(facts, 1));
        EXPECT_EQ(waitAt(facts, 2).length(), us(396));
    }
}
INSTANTIATE_TEST_SUITE_P(
    Kinds, NullStream,
    testing::Values(NullCase{StreamKind::Blocking, true, analysis::LossCause::NullStream,
                             analysis::LossCause::NullStream},
                    NullCase{StreamKind::NonBlocking, true, analysis::LossCause::Unexplained,
                             analysis::LossCause::Unexplained},
                    NullCase{StreamKind::Unknown, false, analysis::LossCause::Unexplained,
                             analysis::LossCause::Unexplained}));

TEST(Waits, AnOpIssuedBeforeTheNullStreamsIsNotHeldByIt) {
    Made m;
    m.gate(us(9));
    m.stream(13, StreamKind::Blocking);
    m.stream(14, StreamKind::Blocking);
    const auto k = m.plan(experiment::OpKind::Kernel, 0, us(390));
    const auto h = m.plan(experiment::OpKind::CopyH2D, 1, us(90));
    const auto n = m.plan(experiment::OpKind::NullMemset, experiment::kNullStream, us(2));
    m.ran(k, us(10), us(400), 13);
    m.ran(n, us(402), us(404), 7);
    m.ran(h, us(406), us(496), 14); // impossible order: the NULL stream would have waited for it
    const analysis::Facts& facts = m.facts();
    EXPECT_EQ(waitAt(facts, 1).cause, analysis::LossCause::NullStream);
    EXPECT_NE(waitAt(facts, 2).cause, analysis::LossCause::NullStream);
}

TEST(Waits, AnEventOnTheNullStreamHoldsThoughItLeavesNoRecord) {
    Made m;
    m.gate(us(9));
    m.stream(13, StreamKind::Blocking);
    m.stream(14, StreamKind::Blocking);
    const auto k = m.plan(experiment::OpKind::Kernel, 0, us(390));
    m.plan(experiment::OpKind::NullEvent, experiment::kNullStream, 0);
    const auto h = m.plan(experiment::OpKind::CopyH2D, 1, us(90));
    m.ran(k, us(10), us(400), 13);
    m.ran(h, us(403), us(493), 14);
    const analysis::Facts& facts = m.facts();
    EXPECT_EQ(waitAt(facts, 1).cause, analysis::LossCause::NullStream);
    EXPECT_EQ(waitAt(facts, 1).blocker, nthOp(facts, 0));
}

TEST(Waits, TheLargestPartOfAWaitIsItsCause) {
    Made m;
    m.gate(us(9));
    m.stream(13, StreamKind::Blocking);
    m.stream(14, StreamKind::Blocking);
    m.stream(15, StreamKind::NonBlocking);
    m.work(Memset, us(10), us(20), 7).op = OpId{0};      // NULL stream: 10 us
    m.work(MemcpyH2D, us(11), us(411), 15).op = OpId{1}; // then the engine is busy: 391 us
    m.work(MemcpyH2D, us(412), us(500), 14).op = OpId{2};
    const analysis::Facts& facts = m.facts();
    EXPECT_EQ(waitAt(facts, 2).cause, analysis::LossCause::EngineBound);
}

TEST(Waits, StretchNamesWhoWasThereLongest) {
    Made m;
    const auto s = m.plan(experiment::OpKind::Memset, 0, us(2));
    const auto h = m.plan(experiment::OpKind::CopyH2D, 1, us(20));
    const auto k = m.plan(experiment::OpKind::Kernel, 2, us(400), 0, 1056, 1056);
    m.ran(k, us(10), us(410), 15);
    m.ran(s, us(20), us(270), 13);
    m.ran(h, us(30), us(50), 14);
    const analysis::Facts& facts = m.facts();
    const analysis::ExplainedWait memset = waitAt(facts, 1);
    EXPECT_EQ(memset.stretched, us(248));
    EXPECT_EQ(facts.stretcherOf(memset.op), nthOp(facts, 0));
    EXPECT_EQ(waitAt(facts, 0).stretched, 0);
    EXPECT_THAT(analysis::waitSentence(facts, memset),
                HasSubstr("Ran 250 us instead of 2.00 us alone, with kernel fma #2 (stream 15) beside it."));
}

TEST(Sentences, TimesHaveThreeDigitsAndAUnit) {
    EXPECT_EQ(analysis::timeText(0), "0 ns");
    EXPECT_EQ(analysis::timeText(999), "999 ns");
    EXPECT_EQ(analysis::timeText(1'900), "1.90 us");
    EXPECT_EQ(analysis::timeText(9'996), "10.0 us");
    EXPECT_EQ(analysis::timeText(607'300), "607 us");
    EXPECT_EQ(analysis::timeText(999'600), "1.00 ms");
    EXPECT_EQ(analysis::timeText(28'140'000), "28.1 ms");
    EXPECT_EQ(analysis::timeText(61'000'000'000), "61.0 s");
    EXPECT_EQ(analysis::timeText(-1'500), "-1.50 us");
}

TEST(Sentences, KernelsAreCalledWhatPeopleCallThem) {
    for (const auto& [recorded, name] : {std::pair{"fma", "kernel fma #0 (stream 13)"},
                                         {"_Z3fmaPfi", "kernel fma #0 (stream 13)"},
                                         {"_ZN2ns1kIfEEvPT_", "kernel k<float> #0 (stream 13)"},
                                         {"void ns::k<a::b>(int (*)(int))", "kernel k<a::b> #0 (stream 13)"},
                                         {"f", "kernel f #0 (stream 13)"},
                                         {"", "kernel #0 (stream 13)"}}) {
        Made m;
        m.work(Kernel, us(1), us(2)).name = m.text(recorded);
        EXPECT_EQ(analysis::activityName(m.facts(), 0), name);
    }
}

TEST(Sentences, ALongNameOfAKernelLacksItsMiddle) {
    Made m;
    const std::string name = "begin" + std::string(60, 'x') + "\xC3\xA9" + std::string(60, 'y') + "end";
    m.work(Kernel, us(1), us(2)).name = m.text(name.c_str());
    EXPECT_EQ(analysis::activityName(m.facts(), 0),
              "kernel begin" + std::string(43, 'x') + "..." + std::string(21, 'y') + "end #0 (stream 13)");
}

/// Of each wait the part that is its own: nothing of a stream is listed twice.
TEST(CostlyWaits, AreTheLongestByTheirOwnPart) {
    Made m;
    m.gate(us(9));
    m.work(MemcpyH2D, us(10), us(110), 13);
    m.work(MemcpyH2D, us(111), us(211), 14); // waited for the engine since it was open
    m.work(MemcpyH2D, us(212), us(312), 14); // and so did this one; the one before it is in its stream
    const analysis::Facts& facts = m.facts();
    const auto waits = analysis::costliestWaits(facts, nullptr);
    ASSERT_EQ(waits.size(), 1u);
    EXPECT_EQ(waits[0].wait.op, nthOp(facts, 1));
    EXPECT_EQ(waits[0].wait.blocker, nthOp(facts, 0));
    EXPECT_EQ(waits[0].own, (Interval{us(11), us(111)})) << "what the cause explains of it";
    EXPECT_EQ(waits[0].call, kNoActivity);
}

TEST(CostlyWaits, StandInTheirOrderWithTheirCallAndItsRanges) {
    Made m;
    for (int i = 0; i < 12; ++i) {
        const double at = 1000 * i;
        m.work(Kernel, us(at + 100 + 10 * i), us(at + 400), 13);
        m.issued(us(at + 90), us(at + 95));
    }
    for (const auto& [begin, end, name] :
         {std::tuple{0, 20'000, "all"}, std::tuple{11'000, 11'900, "last"}}) {
        ActivityRecord& range = m.work(Nvtx, us(begin), us(end));
        range.device = range.context = range.stream = kNoNumber;
        range.thread = 99; // as issued() has it
        range.name = m.text(name);
    }
    const analysis::Facts& facts = m.facts();
    const auto waits = analysis::costliestWaits(facts, nullptr, 3);
    ASSERT_EQ(waits.size(), 3u);
    for (std::size_t i = 0; i + 1 < waits.size(); ++i)
        EXPECT_GE(waits[i].own.length(), waits[i + 1].own.length());
    EXPECT_EQ(waits[0].wait.op, nthOp(facts, 11)) << "it began latest after its call";
    ASSERT_NE(waits[0].call, kNoActivity);
    EXPECT_EQ(facts.apiOf(waits[0].wait.op), waits[0].call);
    std::vector<std::string> ranges;
    for (const ActivityIndex range : waits[0].ranges)
        ranges.emplace_back(facts.trace().text(facts.trace().nameOf(range)));
    EXPECT_EQ(ranges, (std::vector<std::string>{"last", "all"})) << "the innermost first";
}

TEST(CostlyWaits, WhatCostsNothingByTheAccountIsLeftOut) {
    Made m;
    m.work(MemcpyH2D, us(10), us(110), 13);
    m.work(Kernel, us(210), us(300), 13);
    m.issued(us(200), us(205));
    const analysis::Facts& facts = m.facts();
    ASSERT_EQ(analysis::costliestWaits(facts, nullptr).size(), 1u);
    auto account = std::make_shared<analysis::Ledger>();
    account->waits.resize(2);
    account->waits[1].cause = analysis::LossCause::HostLate;
    account->waits[1].ready = us(110);
    analysis::LedgerEntry& entry = account->entries.emplace_back();
    entry.cause = analysis::LossCause::HostLate, entry.cost = us(50);
    ASSERT_EQ(analysis::costliestWaits(facts, account).size(), 1u);
    EXPECT_EQ(analysis::costliestWaits(facts, account)[0].own.length(), us(100));
    account->entries[0].cost = 0;
    EXPECT_TRUE(analysis::costliestWaits(facts, account).empty());
}

// Sums of what grids take must not wrap, however absurd a file's grids are.
TEST(Waits, GridsOfAbsurdSizesFillTheDeviceTogether) {
    Made m;
    for (int i = 0; i < 12; ++i) // 12 x 2^60 is no int64
        m.ran(m.plan(experiment::OpKind::Kernel, 0, us(50), 0, std::uint64_t{1} << (40 + i), 1), us(100),
              us(150), 13);
    const analysis::Facts& facts = m.facts();
    EXPECT_EQ(facts.perDevice()[0].full.total(), us(50));
}

} // namespace
} // namespace olab::test
