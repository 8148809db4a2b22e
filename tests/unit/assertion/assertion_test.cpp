#include "sample.h"

#include <olab/analysis/analyze.h>
#include <olab/analysis/rules.h>
#include <olab/assertion/assertion.h>
#include <olab/io/report_document.h>
#include <olab/trace/lanes_of.h>
#include <olab/trace/trace_builder.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace olab::assertion {
namespace {

using testing::HasSubstr;

class Assertion : public testing::Test {
protected:
    AssertionResult check(std::string_view expression) const {
        return checkAssertion({m_report, io::ReportDocument(m_report, {m_trace, nullptr, true, ""})},
                              expression);
    }
    void expectPass(std::string_view expression) const {
        const AssertionResult r = check(expression);
        EXPECT_TRUE(r.passed) << r.text;
    }
    void expectFail(std::string_view expression, const std::string& why) const {
        const AssertionResult r = check(expression);
        EXPECT_FALSE(r.passed) << r.text;
        EXPECT_THAT(r.text, HasSubstr(why));
    }
    Trace m_trace = test::sampleTrace();
    analysis::Report m_report = test::sampleReport();
};

TEST_F(Assertion, OverlapIsOfAttainableInEitherOrder) {
    expectPass("overlap(h2d,kernel)>=0.875");
    expectPass("overlap( kernel , memcpy_h2d ) >= 0.8");
    expectFail("overlap(h2d,kernel)>=0.9", "0.875");
    expectFail("overlap(h2d,kernel)>0.875", "does not hold");
    expectPass("overlap(h2d,kernel)==0.875");
    expectPass("overlap(h2d,kernel)<0.9");
}

TEST_F(Assertion, APairThatIsApartCountsWithTheOverlapItHas) {
    m_report.verdicts[0].kind = analysis::VerdictKind::Apart;
    m_report.verdicts[0].ofAttainable = 0;
    expectFail("overlap(h2d,kernel)>=0.8", "0 on device 0, apart");
    expectPass("overlap(h2d,kernel)<=0.05");
    expectPass("blocked(h2d,kernel)<=50us");
}

TEST_F(Assertion, OverlapTakesTheWorstDevice) {
    analysis::Verdict second = m_report.verdicts[0];
    second.device = "1";
    second.ofAttainable = 0.1;
    m_report.verdicts.push_back(second);
    expectFail("overlap(h2d,kernel)>=0.8", "device 1");
    expectPass("overlap(h2d,kernel)<=0.1");
    m_report.verdicts.back().blockedA = 99'000;
    expectFail("blocked(h2d,kernel)<=50us", "99000 ns on device 1");
}

TEST_F(Assertion, HiddenIsTheShareOfTheFirstNamed) {
    expectPass("hidden(h2d,kernel)==0.75");
    expectPass("hidden(kernel,h2d)==0.25");
    expectFail("hidden(kernel,h2d)>=0.9", "0.25");
}

TEST_F(Assertion, BlockedIsATime) {
    expectPass("blocked(h2d,kernel)<=50us");
    expectPass("blocked(h2d,kernel)<=0.042ms");
    expectPass("blocked(h2d,kernel)==42000ns");
    expectPass("blocked(h2d,kernel)==42000");
    expectFail("blocked(h2d,kernel)<=41.9us", "42000 ns");
    m_report.verdicts[0].blockedB = 7'000;
    expectPass("blocked(kernel,h2d)==7us"); // for how long the first waited for the second
    expectPass("blocked(h2d,kernel)==42us");
}

TEST_F(Assertion, WhatIsInconclusiveOrAbsentNeverPasses) {
    for (const char* form : {"overlap", "hidden", "blocked"})
        for (const char* op : {">=0", "<=1", "<1", ">0"}) {
            expectFail(std::string(form) + "(d2h,kernel)" + op, "inconclusive");
            expectFail(std::string(form) + "(memset,kernel)" + op, "no device ran both");
            expectFail(std::string(form) + "(p2p,kernel)" + op, "no device ran both");
        }
}

TEST_F(Assertion, FindingsCountAllButTheRefuted) {
    for (const analysis::RuleRow& row : analysis::ruleTable()) {
        m_report.findings = {{std::string(row.id), analysis::FindingStatus::Consistent, 1, {}, "", "", {}}};
        m_report.abstained.clear();
        expectPass("finding(" + std::string(row.id) + ")==1");
        expectFail("finding(" + std::string(row.id) + ")==0", "1");
        m_report.findings[0].status = analysis::FindingStatus::Refuted;
        expectPass("finding(" + std::string(row.id) + ")==0");
    }
    ASSERT_FALSE(analysis::ruleTable().empty());
}

TEST_F(Assertion, ARuleThatAbstainedProvesNothing) {
    const std::string id(analysis::ruleTable().front().id);
    m_report.findings.clear();
    m_report.abstained = {{id, "API records"}};
    expectFail("finding(" + id + ")==0", "abstained, missing: API records");
}

TEST_F(Assertion, WhatTheAccountAloneFindsProvesNothingWithoutOne) {
    m_report.findings.clear();
    m_report.abstained.clear();
    m_report.ledger = nullptr;
    expectFail("finding(host-sync)==0", "no account was computed");
    analysis::Ledger missing;
    missing.missing = "Records are missing.";
    m_report.ledger = std::make_shared<const analysis::Ledger>(missing);
    expectFail("finding(host-sync)==0", "Records are missing.");
    m_report.ledger = std::make_shared<const analysis::Ledger>();
    expectPass("finding(host-sync)==0");
    analysis::Ledger withoutCalls;
    withoutCalls.lacksCalls = true;
    m_report.ledger = std::make_shared<const analysis::Ledger>(withoutCalls);
    expectFail("finding(host-sync)==0", "no API calls were recorded, and only they can show host-sync");
    expectPass("finding(stretched)==0");
    m_report.findings = {{"host-sync", analysis::FindingStatus::Consistent, 1, {}, "", "", {}}};
    expectFail("finding(host-sync)==0", "1");
    expectPass("finding(host-sync)==1");
}

TEST_F(Assertion, LostDataProvesNothing) {
    const std::string id(analysis::ruleTable().front().id);
    m_report.findings.clear();
    m_report.abstained.clear();
    expectPass("finding(" + id + ")==0");
    m_report.defects = {{DefectCode::DroppedRecords, 5, kAllClasses, ""}};
    expectFail("finding(" + id + ")==0", "dropped-records");
    expectFail("/bounds/efficiency>=0", "dropped-records");
    for (const char* count : {"/counts/read>=1", "/counts/refused==0", "/counts/kept>=1"})
        expectFail(count, "dropped-records");
    expectPass("/defects/0/count==5");
}

TEST_F(Assertion, ARecordingWhoseEndWasNotWrittenIsNotWhole) {
    m_report.defects = {{DefectCode::OpenEnd, 1, 0, ""}};
    expectFail("count(kernel)>=0", "open-end");
    expectFail("/bounds/efficiency>=0", "open-end");
}

TEST_F(Assertion, ThatNoDataRacedMayBeLostToo) {
    const auto raced = [&] {
        io::ReportDocument document;
        document.add("experiment", R"({"streams": 4})");
        return checkAssertion({m_report, document}, "raced()==0");
    };
    m_report.defects.clear();
    EXPECT_TRUE(raced().passed) << raced().text;
    m_report.defects = {{DefectCode::TruncatedFile, 1, kAllClasses, ""}};
    EXPECT_FALSE(raced().passed);
    EXPECT_THAT(raced().text, HasSubstr("cannot be judged, the recording is not whole (truncated-file)"));
}

TEST_F(Assertion, WhatIsInconclusiveInAPartOfTheReportNeverPasses) {
    io::ReportDocument document;
    document.add("steady_state", R"({"typical": {"verdicts": [
        {"verdict": "inconclusive", "text": "too few", "of_attainable": 0.9},
        {"verdict": "overlapped", "text": "", "of_attainable": 0.9}]}})");
    document.add("proofs", R"([
        {"status": "inconclusive", "text": "too noisy", "measured": {"makespan": {"change_ns": -5}}},
        {"status": "confirmed", "text": "", "measured": {"makespan": {"change_ns": -5}}}])");
    const auto check = [&](std::string_view expression) {
        return checkAssertion({m_report, document}, expression);
    };
    for (const char* open :
         {"/steady_state/typical/verdicts/0/of_attainable>=0.8", "/proofs/0/measured/makespan/change_ns<0",
          "/proofs/0/status!=refuted", "/steady_state/typical/verdicts/0/verdict!=serialized"}) {
        EXPECT_FALSE(check(open).passed) << open;
        EXPECT_THAT(check(open).text, HasSubstr("cannot be judged, inconclusive: too ")) << open;
    }
    EXPECT_TRUE(check("/steady_state/typical/verdicts/1/of_attainable>=0.8").passed);
    EXPECT_TRUE(check("/proofs/1/measured/makespan/change_ns<0").passed);
}

TEST_F(Assertion, AShareTakesPercent) {
    expectPass("overlap(h2d,kernel)>=87.5%");
    expectPass("overlap(h2d,kernel) == 87.5 %");
    expectFail("overlap(h2d,kernel)>=88%", "0.875");
    expectPass("overlap(h2d,kernel)<=800%");
    for (const char* wrong : {"blocked(h2d,kernel)<=5%", "count(kernel)>=5%", "finding(pageable)==0%",
                              "/bounds/efficiency>=90%", "verdict(h2d,kernel)==5%"})
        EXPECT_THROW(check(wrong), Error) << wrong;
}

/// `overlap<=80` would be 8000 % and always hold.
TEST_F(Assertion, AShareAboveOneNeedsItsPercent) {
    const auto refusal = [this](std::string_view expression) {
        try {
            return "accepted: " + check(expression).text;
        } catch (const Error& e) {
            return std::to_string(e.exitCode()) + " " + e.what();
        }
    };
    for (const char* form : {"overlap(h2d,kernel)", "hidden(h2d,kernel)", "slowed(h2d,kernel)",
                             "concurrent(kernel)", "on_engine(kernel,compute)", "returned_early(kernel)"}) {
        const std::string text = refusal(form + std::string("<=80"));
        EXPECT_THAT(text, HasSubstr("2 The assertion")) << form;
        EXPECT_THAT(text, HasSubstr("a share of 80 is 8000 %; write 80% or 0.8")) << form;
    }
    EXPECT_THAT(refusal("overlap(h2d,kernel)>=@b - 5"), HasSubstr("write -5% or -0.05"));
    EXPECT_THAT(refusal("slowed(h2d,kernel)<=1"), HasSubstr("a share of 1 is 100 %; write 1% or 0.01"));
    expectFail("overlap(h2d,kernel)==1", "0.875");
    expectPass("/bounds/efficiency<=80");
}

TEST_F(Assertion, PointersReachAnyNumber) {
    expectPass("/bounds/efficiency>=0.5");
    expectPass("/devices/0/pairs/kernel&memcpy_h2d==15");
    expectPass("/devices/0/span_ns<=3us");
    expectPass("/devices/0/pairs/kernel&memcpy_h2d<=1us");
    expectFail("/bounds/measured_ns>=1ms", "85");
    expectPass("/verdicts/0/of_a==0.75");
}

TEST_F(Assertion, PointersToNothingNeverPass) {
    m_report.bounds.efficiency.reset();
    expectFail("/bounds/efficiency>=0", "null");
    expectFail("/bounds/nothing<=1", "no such value");
    expectFail("/verdicts/9/overlap_ns>=0", "no such value");
    expectFail("/verdicts/0/text==1", "not a number");
    expectFail("/verdicts/1/of_attainable>=0", "inconclusive");
    expectFail("/verdicts/2/overlap_ns>=0", "not_applicable");
}

TEST_F(Assertion, WhatWasNotComputedIsNoSmallNumber) {
    m_report.bounds = {};
    m_report.toolEffect = analysis::ToolEffect{1010, 0, 5};
    m_report.verdicts[0].blockedKnown = false;
    for (const char* bound : {"serial_ns", "one_copy_engine_ns", "two_copy_engines_ns", "critical_path_ns",
                              "measured_ns", "efficiency"})
        for (const char* op : {"<=1", ">=0", "==0"})
            expectFail("/bounds/" + std::string(bound) + op, "it is null in this report");
    m_report.bounds.limiting = "no device work was recorded";
    expectFail("/bounds/limiting!=compute", "no device work was recorded");
    expectFail("/tool_effect/ratio<=1.1", "it is null in this report");
    expectFail("/tool_effect/untraced_ns<=1s", "it is null in this report");
    expectFail("/verdicts/0/blocked_ns<=50us", "it is null in this report");
    expectFail("blocked(h2d,kernel)<=50us", "solo runs");
    expectPass("overlap(h2d,kernel)>=0.8");
    m_report.verdicts[0].known = false;
    for (const char* form : {"overlap", "hidden", "blocked"})
        expectFail(std::string(form) + "(h2d,kernel)<=1", "not computed for device 0");
    expectFail("/verdicts/0/of_attainable<=1", "it is null in this report");
    m_report.toolEffect.reset();
    expectFail("/tool_effect/ratio<=1.1", "no such value");
}

TEST_F(Assertion, ARunWithoutRecordsSaysNothingOfTheHost) {
    const Trace nothing = TraceBuilder().finish();
    const auto judged = checkAssertion({m_report, io::ReportDocument(m_report, {nothing, nullptr, true, ""})},
                                       "/host/host_fn/count>=0");
    EXPECT_FALSE(judged.passed) << judged.text;
}

TEST_F(Assertion, AnUnknownRuleIsRefusedWithTheNearest) {
    const auto refusal = [this](std::string_view expression) {
        try {
            check(expression);
        } catch (const Error& e) {
            EXPECT_EQ(e.exitCode(), 2);
            return std::string(e.what());
        }
        return std::string("accepted");
    };
    EXPECT_THAT(refusal("finding(pagable)==0"), HasSubstr("the nearest is 'pageable'"));
    EXPECT_THAT(refusal("finding(null_stream)==0"), HasSubstr("the nearest is 'null-stream'"));
    EXPECT_THAT(refusal("finding(banana)==0"), HasSubstr("the rules are pageable, same-stream"));
}

TEST_F(Assertion, WhatCannotBeReadIsAnErrorOfUse) {
    for (const char* wrong : {"",
                              "overlap(h2d,kernel)",
                              "overlap(h2d,kernel)=>0.8",
                              "overlap(h2d,kernel)=0.8",
                              "overlap(h2d)>=0.8",
                              "overlap(h2d,h2d)>=0.8",
                              "overlap(h2d,banana)>=0.8",
                              "overlap(h2d,api)>=0.8",
                              "banana(h2d,kernel)>=1",
                              "overlap(h2d,kernel)>=nan",
                              "overlap(h2d,kernel)>=inf",
                              "overlap(h2d,kernel)>=much",
                              "overlap(h2d,kernel)>=5us",
                              "blocked(h2d,kernel)<=5 parsecs",
                              "finding(banana)==0",
                              "finding(pageable)==1us",
                              "bounds/efficiency>=0.9",
                              "/bounds/efficiency>=1us",
                              "/a~9>=1",
                              ">=1",
                              "/bounds/efficiency>=0.9x"}) {
        try {
            check(wrong);
            ADD_FAILURE() << "accepted: " << wrong;
        } catch (const Error& e) {
            EXPECT_EQ(e.kind(), ErrorKind::Usage) << wrong;
            EXPECT_FALSE(e.hint().empty()) << wrong;
        }
    }
}

TEST_F(Assertion, TimesCompareToTheNanosecond) {
    m_report.bounds.measured = 9'007'199'254'740'993; // the first whole number a double cannot hold
    expectFail("/bounds/measured_ns<=9007199254740992", "9007199254740993");
}

TEST_F(Assertion, AVerdictIsAWord) {
    m_report.verdicts[0].kind = analysis::VerdictKind::Partial;
    expectPass("verdict(h2d,kernel)==partial");
    expectPass("verdict(kernel,h2d) != serialized");
    expectFail("verdict(h2d,kernel)==overlapped", "partial on device 0");
    expectFail("verdict(h2d,kernel)!=partial", "does not hold");
    for (const char* wrong :
         {"verdict(h2d,kernel)==fast", "verdict(h2d,kernel)>=partial", "verdict(h2d,kernel)>=1",
          "verdict(h2d)==partial", "overlap(h2d,kernel)==partial", "raced()==no"})
        EXPECT_THROW(check(wrong), Error) << wrong;
}

TEST_F(Assertion, AStretchedPairOverlappedByTheClock) {
    m_report.verdicts[0].kind = analysis::VerdictKind::Stretched;
    m_report.verdicts[0].ofAttainable = 0.97;
    expectPass("overlap(h2d,kernel)>=0.8");
    expectPass("verdict(h2d,kernel)==stretched");
    expectFail("verdict(h2d,kernel)==overlapped", "stretched on device 0");
    expectFail("overlap(h2d,kernel)>=0.98", "0.97 on device 0, stretched");
}

TEST_F(Assertion, AVerdictHoldsOnEveryDevice) {
    analysis::Verdict second = m_report.verdicts[0];
    second.device = "1";
    m_report.verdicts[0].kind = analysis::VerdictKind::Overlapped;
    second.kind = analysis::VerdictKind::Serialized;
    m_report.verdicts.push_back(second);
    expectFail("verdict(h2d,kernel)==overlapped", "serialized on device 1");
    expectFail("verdict(h2d,kernel)!=overlapped", "overlapped on device 0");
    expectPass("verdict(h2d,kernel)!=partial");
    m_report.verdicts.back().kind = analysis::VerdictKind::Inconclusive;
    expectFail("verdict(h2d,kernel)!=partial", "cannot be judged, inconclusive on device 1");
}

TEST_F(Assertion, WhatWasUsedIsCounted) {
    m_report.devices.resize(2);
    m_report.devices[0].id = "0", m_report.devices[1].id = "3";
    m_report.devices[0].classes[ActivityClass::Kernel] = {.count = 7, .streams = {"13", "14"}};
    m_report.devices[1].classes[ActivityClass::Kernel] = {.count = 5, .streams = {"13", "14", "15"}};
    m_report.devices[1].engines[EngineKind::Compute].channels = {4, 5, 6, 7};
    m_report.devices[1].engines[EngineKind::CopyH2D].count = 3;
    expectPass("count(kernel)==12");
    expectPass("count(kernel, 3)==5");
    expectPass("count(memset)==0");
    expectPass("streams(kernel)==3");
    expectPass("channels(compute)==4");
    expectPass("channels(copy_p2p)==0");
    expectFail("channels(copy_h2d)<=1", "does not say which channels");
    expectFail("count(kernel,1)>=0", "there is no device 1");
    for (analysis::DeviceReport& device : m_report.devices)
        device.classes[ActivityClass::Kernel] = {};
    for (const char* nothing : {"count(kernel)==0", "streams(kernel)<=1", "channels(compute)<=4"})
        expectFail(nothing, "no device work was recorded");
    m_report.devices.clear();
    expectFail("count(kernel)==0", "no device work was recorded");
    for (const char* wrong : {"count()==1", "count(api)==1", "streams(kernel,0)==1", "channels(dma)==1"})
        EXPECT_THROW(check(wrong), Error) << wrong;
}

TEST_F(Assertion, NobodyLooksAtTheDataOfAForeignProgram) {
    expectFail("raced()==0", "the data of this program was not checked");
    m_report.defects.push_back({DefectCode::DataMismatch, 3, kAllClasses, {}});
    expectPass("raced()==1");
    expectFail("raced()==0", "does not hold, 1");
}

TEST_F(Assertion, OfItsTextsAPointerGivesTheWords) {
    m_report.bounds.limiting = "nothing to overlap";
    expectPass("/bounds/limiting==nothing to overlap");
    expectPass("/bounds/limiting!=\"compute\"");
    expectFail("/bounds/limiting==compute", "does not hold, \"nothing to overlap\"");
    expectFail("/bounds/limiting>=1", "it is not a number");
    expectFail("/bounds/measured_ns==compute", "it is no text");
}

TEST_F(Assertion, AnotherRecordingIsTheMeasure) {
    analysis::Report faster = m_report;
    m_report.bounds.measured = 1'000'000;
    faster.bounds.measured = 500'000;
    const io::ReportDocument text(m_report, {m_trace, nullptr, true, ""});
    const io::ReportDocument otherJson(faster, {m_trace, nullptr, true, ""});
    const Judged other{faster, otherJson};
    const JudgedByName others = [&](std::string_view name) { return name == "b" ? &other : nullptr; };
    const auto check = [&](std::string_view e) { return checkAssertion({m_report, text}, e, others); };
    for (const char* holding : {"/bounds/measured_ns==2*@b", "/bounds/measured_ns > 1.9 * @b",
                                "/bounds/measured_ns==@b + 500us", "/bounds/measured_ns<=3 * @b - 0.5ms",
                                "overlap(h2d,kernel)==@b", "/bounds/limiting==@b", "verdict(h2d,kernel)==@b"})
        EXPECT_TRUE(check(holding).passed) << check(holding).text;
    EXPECT_THAT(check("/bounds/measured_ns<@b").text, HasSubstr("does not hold, 1000000 and in b 500000"));
    EXPECT_THAT(check("/bounds/measured_ns>@c").text, HasSubstr("there is no recording 'c'"));
    EXPECT_FALSE(check("/bounds/limiting>=@b").passed) << "texts have no order";
    expectFail("/bounds/measured_ns>@b", "there is no recording 'b'");
    faster.bounds.measured.reset();
    const io::ReportDocument unknown(faster, {m_trace, nullptr, true, ""});
    const Judged nothing{faster, unknown};
    EXPECT_THAT(
        checkAssertion({m_report, text}, "/bounds/measured_ns!=@b", [&](auto) { return &nothing; }).text,
        HasSubstr("in b: it is null"));
    for (const char* wrong : {"/a==@", "/a==2@b", "/a==x*@b", "/a==@b 5", "/a==@b + x", "/a==@b * 2"})
        EXPECT_THROW(check(wrong), Error) << wrong;
}

TEST_F(Assertion, WithoutActivitiesNoneIsAsked) {
    expectFail("waited(h2d)>=0ms", "the activities are not at hand");
    expectFail("first_done(kernel)==0", "the activities are not at hand");
    for (const char* wrong :
         {"waited()>1ms", "waited(h2d,much)>1ms", "first_done()==0", "first_done(kernel)>1ms"})
        EXPECT_THROW(check(wrong), Error) << wrong;
}

TEST_F(Assertion, ConcurrentIsOfTheBusyTime) {
    m_report.devices.resize(2);
    m_report.devices[0].id = "0", m_report.devices[1].id = "1";
    m_report.devices[0].classes[ActivityClass::Kernel] = {.busy = 1000, .concurrent = 900, .streams = {}};
    m_report.devices[1].classes[ActivityClass::Kernel] = {.busy = 1000, .concurrent = 250, .streams = {}};
    expectPass("concurrent(kernel)==0.25");
    m_report.devices.pop_back();
    expectPass("concurrent(kernel)>=0.9");
    expectFail("concurrent(d2d)>=0", "no device did any memcpy_d2d");
    EXPECT_THROW(check("concurrent(kernel,0)>=1"), Error);
}

TEST_F(Assertion, SlowedIsTheWorstShareOfTheFirstNamed) {
    m_report.verdicts[0].slowedA = 0.5, m_report.verdicts[0].slowedB = 0.125;
    expectPass("slowed(h2d,kernel)==0.5");
    expectPass("slowed(kernel,h2d)==0.125");
    analysis::Verdict second = m_report.verdicts[0];
    second.device = "1", second.slowedA = 0.75;
    m_report.verdicts.push_back(second);
    expectPass("slowed(h2d,kernel)==0.75");
    m_report.verdicts[0].blockedKnown = false;
    expectFail("slowed(h2d,kernel)>=0", "lacks the solo runs");
}

/// Two streams, each activity with its call; times in us.
class AssertionOnActivities : public testing::Test {
protected:
    void add(std::uint32_t stream, Ns callEnd, Ns begin, Ns end, ChannelType channel = ChannelType::Compute,
             ActivityClass cls = ActivityClass::Memset) {
        ActivityRecord call, work;
        call.cls = ActivityClass::Api, call.thread = 1, call.begin = callEnd - 1, call.end = callEnd;
        work.cls = cls, work.device = 0, work.context = 1, work.stream = stream;
        work.begin = begin, work.end = end, work.channel = channel == ChannelType::Compute ? 1 : 2;
        work.channelType = channel;
        call.correlation = work.correlation = ++m_calls;
        m_builder.add(call);
        m_builder.add(work);
    }
    AssertionResult check(std::string_view expression) {
        const Trace trace = m_builder.snapshot();
        const auto lanes = lanesOf(trace);
        const analysis::FactsPtr facts = analysis::gatherFacts({trace, *lanes});
        const analysis::Report report = analysis::reportOf(*facts);
        return checkAssertion({report, io::ReportDocument(report, {trace, nullptr, true, ""}), facts.get()},
                              expression);
    }
    void expectPass(std::string_view expression) {
        const AssertionResult r = check(expression);
        EXPECT_TRUE(r.passed && r.judged) << r.text;
    }
    TraceBuilder m_builder;
    std::uint32_t m_calls = 0;
};

TEST_F(AssertionOnActivities, SharesAreOfTheRecords) {
    add(7, 100, 200, 300);
    add(7, 110, 300, 400);
    add(7, 500, 410, 450, ChannelType::AsyncCopy); // its call came back later
    add(8, 600, 700, 800);
    expectPass("returned_early(memset)==0.75");
    expectPass("on_engine(memset,compute)==0.75");
    EXPECT_THAT(check("returned_early(kernel)>=0").text, HasSubstr("no call is known"));
    EXPECT_THAT(check("on_engine(kernel,compute)>=0").text, HasSubstr("there is no such record"));
    for (const char* wrong : {"on_engine(memset)==1", "on_engine(memset,dma)==1", "returned_early()==1"})
        EXPECT_THROW(check(wrong), Error) << wrong;
}

TEST_F(AssertionOnActivities, OfSomeOnlyNothingIsKnownOfAll) {
    add(7, 100, 200, 300);
    add(7, 110, 320, 400);
    expectPass("waited(memset)==210ns");
    expectPass("returned_early(memset)==1");
    ActivityRecord alone;
    alone.cls = ActivityClass::Memset, alone.device = 0, alone.context = 1, alone.stream = 7;
    alone.begin = 500, alone.end = 600, alone.correlation = 99;
    m_builder.add(alone);
    for (const char* calls : {"waited(memset)<=1ms", "returned_early(memset)>=0.5"})
        EXPECT_THAT(check(calls).text,
                    HasSubstr("cannot be judged, the call is known of 2 of 3 such activities only"))
            << calls;
    EXPECT_THAT(check("on_engine(memset,compute)>=0.5").text, HasSubstr("does not say on which channel"));
}

TEST_F(AssertionOnActivities, InversionsAreOfOneStream) {
    add(7, 100, 200, 300);
    add(8, 110, 250, 400); // another stream
    add(7, 120, 300, 500);
    expectPass("inversions()==0");
    add(7, 130, 490, 600); // before the one before had ended
    expectPass("inversions()==1");
    EXPECT_THROW(check("inversions(7)==0"), Error);
}

TEST_F(AssertionOnActivities, NumbersAreThoseOfAProbe) {
    m_builder.add(EnvironmentRecord{"number.host.alone", "1500"});
    m_builder.add(EnvironmentRecord{"number.host.rounds", "20000 15000 30000.5"});
    m_builder.add(EnvironmentRecord{"number.broken", "many"});
    expectPass("number(host.alone)<=1.5us");
    expectPass("number(host.rounds)==20us");
    expectPass("number(host.rounds.min)==15us");
    expectPass("number(host.rounds.max)>30us");
    for (const char* unknown : {"number(host)>=0", "number(broken)>=0", "number(host.alone.min)>=0"}) {
        EXPECT_THAT(check(unknown).text, HasSubstr("no probe measured such a number")) << unknown;
        EXPECT_FALSE(check(unknown).judged) << unknown;
    }
    EXPECT_THROW(check("number()==0"), Error);
}

} // namespace
} // namespace olab::assertion
