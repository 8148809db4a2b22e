// Events and host functions by the records alone: nothing of a plan is needed to say what an op waited for.
#include "simulated_run.h"

#include <olab/analysis/analyze.h>
#include <olab/trace/lanes_of.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace olab::analysis {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

/// Of a trace what is left without experiment and op tags.
class WithoutOps final : public ForwardingSink {
public:
    using ForwardingSink::add;
    using ForwardingSink::ForwardingSink;
    void add(const ActivityRecord& r) override {
        ActivityRecord stripped = r;
        stripped.op = kNoOp;
        target().add(stripped);
    }
    void add(const CorrelationRecord&) override {}
};

/// A recording as it was before there were stream calls.
class WithoutCalls final : public ForwardingSink {
public:
    using ForwardingSink::add;
    using ForwardingSink::ForwardingSink;
    void add(const StreamCallRecord&) override {}
    void add(const EnvironmentRecord& r) override {
        if (r.key != kStreamCallsKey)
            target().add(r);
    }
};

template <typename Filter>
Trace filtered(const Trace& trace) {
    TraceBuilder builder;
    Filter filter(builder);
    trace.replay(filter);
    return builder.finish();
}

struct Seen {
    explicit Seen(Trace trace_)
        : trace(std::move(trace_))
        , lanes(lanesOf(trace))
        , facts(gatherFacts({trace, *lanes, nullptr})) {}
    Trace trace;
    std::shared_ptr<const LaneSet> lanes;
    FactsPtr facts;
};

/// Ops that got another cause of their wait or another blocker, and those that waited for an event or a
/// callback.
struct Differences {
    std::size_t asked = 0, differ = 0;
    std::string first;
};

std::string textOf(const ExplainedWait& wait) {
    return std::string(lossCauseId(wait.cause)) + " " + std::to_string(wait.blocker);
}

Differences differences(const Facts& a, const Facts& b) {
    Differences found;
    for (std::size_t n = 0; n < a.waits().size(); ++n) {
        const ExplainedWait x = a.waits()[n], y = b.waits()[n];
        found.asked += x.cause == LossCause::EventOrder || x.cause == LossCause::Callback ? 1 : 0;
        if (x.cause == y.cause && x.blocker == y.blocker && x.length() == y.length())
            continue;
        if (found.differ++ == 0)
            found.first = "row " + std::to_string(x.op) + ": " + textOf(x) + ", " + textOf(y);
    }
    return found;
}

/// That an op comes behind its own stream's work is no need beside stream order.
std::vector<ActivityIndex> ofOthers(const Facts& facts, ActivityIndex row) {
    std::vector<ActivityIndex> others;
    for (const ActivityIndex needed : facts.awaitedEvents(row))
        if (facts.trace().queueOf(needed) != facts.trace().queueOf(row))
            others.push_back(needed);
    std::ranges::sort(others);
    return others;
}

std::size_t otherEvents(const Facts& recorded, const Facts& planned) {
    std::size_t differ = 0;
    for (std::size_t n = 0; n < recorded.deviceWork().size(); ++n) {
        const ActivityIndex row = recorded.deviceWork().row(n);
        differ += ofOthers(recorded, row) == ofOthers(planned, row) ? 0 : 1;
    }
    return differ;
}

class Stripped : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Stripped, GivesTheSameCausesOfWaits) {
    const SimulatedRun run(GetParam());
    const Seen old(filtered<WithoutCalls>(run.trace));
    const FactsPtr planned = gatherFacts({old.trace, *old.lanes, &run.schedule});
    const Seen seen(filtered<WithoutOps>(run.trace));
    EXPECT_EQ(otherEvents(*seen.facts, *planned), 0u);
    const Differences byRecords = differences(*planned, *run.facts),
                      stripped = differences(*planned, *seen.facts);
    EXPECT_EQ(byRecords.differ, 0u) << "of " << run.facts->waits().size() << ": " << byRecords.first;
    EXPECT_EQ(stripped.differ, 0u) << "of " << run.facts->waits().size() << ": " << stripped.first;
}

TEST(RecordedNeeds, AGraphSaysNothingOfItsEventsSoThePlanDoes) {
    const SimulatedRun run({"deps=event-chain", "submit=graph"});
    const Seen old(filtered<WithoutCalls>(run.trace));
    const FactsPtr planned = gatherFacts({old.trace, *old.lanes, &run.schedule});
    const Differences found = differences(*planned, *run.facts);
    EXPECT_GT(found.asked, 0u);
    EXPECT_EQ(found.differ, 0u) << found.first;
    EXPECT_FALSE(run.facts->hasRecordedEvents());
}

/// Two streams and a third without work; calls in the order of their numbers.
class Follow : public testing::Test {
protected:
    void call() {
        ActivityRecord r;
        r.cls = ActivityClass::Api, r.thread = 4711;
        r.begin = 10 * ++m_correlation, r.end = r.begin + 5, r.correlation = m_correlation;
        m_builder.add(r);
    }
    void work(std::uint32_t stream) {
        ActivityRecord r;
        r.cls = ActivityClass::Kernel, r.device = 0, r.context = 1, r.stream = stream;
        call();
        r.begin = 1000 + 100 * m_correlation, r.end = r.begin + 50, r.correlation = m_correlation;
        m_builder.add(r);
    }
    void record(std::uint32_t stream, std::uint32_t event, std::uint64_t recording) {
        call();
        m_builder.add(
            StreamCallRecord{StreamCallKind::EventRecord, m_correlation, 1, stream, event, recording});
    }
    void await(std::uint32_t stream, std::uint32_t event, std::uint64_t recording) {
        call();
        m_builder.add(
            StreamCallRecord{StreamCallKind::StreamWait, m_correlation, 1, stream, event, recording});
    }
    /// Per kernel, in the order of issue, which kernels it waits for.
    std::vector<std::vector<std::size_t>> needs() {
        m_builder.add(ContextRecord{1, 0, m_null});
        m_builder.add(StreamRecord{1, 8, StreamKind::Blocking, 0});
        const Seen seen(m_builder.finish());
        std::vector<std::vector<std::size_t>> all;
        for (std::size_t n = 0; n < seen.facts->deviceWork().size(); ++n) {
            all.emplace_back();
            for (const ActivityIndex row : seen.facts->eventNeeds(seen.facts->deviceWork().row(n)))
                all.back().push_back(seen.facts->deviceWork().numberOf(row));
        }
        return all;
    }
    std::uint32_t m_null = kNoNumber;

private:
    TraceBuilder m_builder;
    std::uint32_t m_correlation = 0;
};

TEST_F(Follow, AnEventStandsForWhatWasBeforeItsRecording) {
    work(8);
    record(8, 5, 50);
    work(8); // behind the recording: nobody waits for it
    await(9, 5, 50);
    work(9);
    work(9);
    EXPECT_THAT(needs(), ElementsAre(IsEmpty(), IsEmpty(), ElementsAre(0), IsEmpty()));
}

TEST_F(Follow, TheRecordingThatAWaitNamesIsMeant) {
    work(8);
    record(8, 5, 50);
    work(8);
    record(8, 5, 51);
    await(9, 5, 50);
    work(9);
    await(9, 5, 0); // not known which: the last one
    work(9);
    EXPECT_THAT(needs(), ElementsAre(IsEmpty(), IsEmpty(), ElementsAre(0), ElementsAre(1)));
}

TEST_F(Follow, EventsLeadThroughAStreamWithoutWork) {
    work(8);
    record(8, 5, 50);
    await(12, 5, 50);
    record(12, 6, 60);
    await(9, 6, 60);
    work(9);
    EXPECT_THAT(needs(), ElementsAre(IsEmpty(), ElementsAre(0)));
}

TEST_F(Follow, AnEventOfTheNullStreamComesAfterTheBlockingStreams) {
    m_null = 7;
    work(8);
    work(7);
    record(7, 5, 50);
    await(9, 5, 50);
    work(9);
    EXPECT_THAT(needs(), ElementsAre(IsEmpty(), IsEmpty(), testing::UnorderedElementsAre(0, 1)));
}

TEST_F(Follow, WhatWasRecordedBeforeTheRecordingBeganIsNoNeed) {
    await(9, 5, 50);
    work(9);
    EXPECT_THAT(needs(), ElementsAre(IsEmpty()));
}

std::string nameOf(const testing::TestParamInfo<std::vector<std::string>>& info) {
    std::string name;
    for (const std::string& option : info.param)
        for (const char c : option)
            name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(
    Planted, Stripped,
    testing::Values(std::vector<std::string>{"deps=event-chain"},
                    std::vector<std::string>{"deps=copy-to-kernel", "kernel.stream=other"},
                    std::vector<std::string>{"deps=event-chain", "iterations=40", "streams=8"},
                    std::vector<std::string>{"deps=same-stream", "kernel.stream=other"},
                    std::vector<std::string>{"callback.method=hostfn", "callback.us=300"},
                    std::vector<std::string>{"callback.method=streamcallback", "callback.us=300"},
                    std::vector<std::string>{"callback.method=poll", "callback.us=300"},
                    std::vector<std::string>{"issue=on-callback"},
                    std::vector<std::string>{"issue=on-callback", "issue.threads=per-stream"},
                    std::vector<std::string>{"issue=on-callback", "callback.method=poll", "streams=2"},
                    std::vector<std::string>{"issue=on-callback", "callback.method=blocking-event",
                                             "streams=2"}),
    nameOf);

} // namespace
} // namespace olab::analysis
