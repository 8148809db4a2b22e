// What calls did to streams: found by call and stream, kept apart by process, robust against any numbers.
#include "made_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace olab {
namespace {

using namespace made;
using enum ActivityClass;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

template <typename Record>
Record inProcess(std::uint32_t process, Record record) {
    record.process = process;
    return record;
}

ActivityRecord apiCall(Ns begin, Ns end, std::uint32_t correlation) {
    ActivityRecord r = call(Api, begin, end);
    r.correlation = correlation;
    return r;
}

StreamCallRecord recordOf(std::uint32_t event, std::uint32_t correlation, std::uint32_t stream = 7) {
    return {StreamCallKind::EventRecord, correlation, 1, stream, event, 100 + event};
}

StreamCallRecord waitFor(std::uint32_t event, std::uint32_t correlation, std::uint32_t stream = 7) {
    return {StreamCallKind::StreamWait, correlation, 1, stream, event, 100 + event};
}

Trace again(const Trace& trace) {
    TraceBuilder builder;
    trace.replay(builder);
    return builder.finish();
}

TEST(StreamCalls, LeadToTheirCallAndStreamInTheOrderOfCalls) {
    const Trace trace =
        build({waitFor(5, 12, 8), recordOf(5, 11), ContextRecord{1, 0, kNoNumber}, apiCall(30, 35, 12),
               apiCall(20, 25, 11), work(Kernel, 40, 50, 7), work(Kernel, 60, 70, 8)});
    ASSERT_THAT(trace.streamCalls(), SizeIs(2));
    const StreamCall &record = trace.streamCalls()[0], &wait = trace.streamCalls()[1];
    EXPECT_EQ(record, (StreamCall{StreamCallKind::EventRecord, 0, trace.queueOf(2), 5, 105, 0}));
    EXPECT_EQ(wait, (StreamCall{StreamCallKind::StreamWait, 1, trace.queueOf(3), 5, 105, 0}));
    EXPECT_EQ(trace.streamCallOf(1), &wait);
    EXPECT_EQ(trace.streamCallOf(2), nullptr) << "a kernel";
    EXPECT_EQ(trace.streamCallOf(kNoActivity), nullptr);
    EXPECT_EQ(again(trace), trace);
}

TEST(StreamCalls, TheOutermostOfSeveralCallsIsMeant) {
    const Trace trace = build({recordOf(5, 11), apiCall(21, 24, 11), apiCall(20, 25, 11)});
    ASSERT_THAT(trace.streamCalls(), SizeIs(1));
    EXPECT_EQ(trace.time(trace.streamCalls()[0].api), (Interval{20, 25}));
}

TEST(StreamCalls, AStreamWithoutWorkIsOneOfTheTraceIfEventsLeadThroughIt) {
    const StreamCallRecord sync{StreamCallKind::StreamSync, 13, 1, 9};
    const Trace trace = build({DeviceRecord{}, ContextRecord{1, 0, kNoNumber},
                               StreamRecord{1, 8, StreamKind::NonBlocking, -1}, recordOf(5, 11, 8), sync,
                               apiCall(20, 25, 11), apiCall(30, 40, 13), work(Kernel, 40, 50, 7)});
    ASSERT_THAT(trace.streamCalls(), SizeIs(2));
    const StreamCall& record = trace.streamCalls()[0];
    ASSERT_NE(record.queue, kNoQueue);
    EXPECT_EQ(trace.queue(record.queue).number, 8u);
    EXPECT_EQ(trace.queue(record.queue).streamKind, StreamKind::NonBlocking);
    EXPECT_EQ(trace.streamCalls()[1].queue, kNoQueue) << "nothing was ever put into it";
    EXPECT_THAT(trace.queues(), SizeIs(3)) << "two streams and a thread";
    EXPECT_EQ(again(trace), trace);
}

TEST(StreamCalls, WhatIsNotKnownIsKeptWithoutIt) {
    const Trace trace = build(
        {recordOf(5, 99), recordOf(6, 0), StreamCallRecord{StreamCallKind::EventSync, 11},
         StreamCallRecord{StreamCallKind::DeviceSync, 12, 1}, apiCall(20, 25, 11), apiCall(30, 35, 12)});
    ASSERT_THAT(trace.streamCalls(), SizeIs(4));
    EXPECT_THAT(trace.streamCalls(),
                ElementsAre(Field(&StreamCall::api, 0u), Field(&StreamCall::api, 1u),
                            Field(&StreamCall::api, kNoActivity), Field(&StreamCall::api, kNoActivity)));
    for (const StreamCall& call : trace.streamCalls())
        EXPECT_EQ(call.queue, kNoQueue) << "nobody said of which device context 1 is";
    EXPECT_THAT(trace.devices(), IsEmpty());
    EXPECT_THAT(trace.defects(), IsEmpty());
    EXPECT_EQ(again(trace), trace);
}

TEST(StreamCalls, EqualNumbersOfTwoProcessesStayApart) {
    std::vector<AnyRecord> records;
    for (const std::uint32_t process : {1u, 2u}) {
        const Ns start = 1000 * process;
        records.insert(records.end(),
                       {inProcess(process, recordOf(5, 11)), inProcess(process, waitFor(5, 12, 8)),
                        inProcess(process, apiCall(start, start + 5, 11)),
                        inProcess(process, apiCall(start + 10, start + 15, 12)),
                        inProcess(process, work(Kernel, start + 20, start + 30, 7)),
                        inProcess(process, work(Kernel, start + 40, start + 50, 8))});
    }
    const Trace trace = build(records);
    const auto calls = trace.streamCalls();
    ASSERT_THAT(calls, SizeIs(4));
    for (const std::size_t first : {0u, 2u}) {
        EXPECT_EQ(calls[first].event, calls[first + 1].event);
        EXPECT_EQ(calls[first].recording, calls[first + 1].recording);
        EXPECT_EQ(trace.queue(calls[first].queue).process, calls[first].process);
        EXPECT_EQ(trace.queue(trace.queueOf(calls[first].api)).process, calls[first].process);
    }
    EXPECT_NE(calls[0].event, calls[2].event);
    EXPECT_NE(calls[0].recording, calls[2].recording);
    EXPECT_NE(calls[0].queue, calls[2].queue);
    EXPECT_EQ(again(trace), trace);
}

TEST(StreamCalls, OfAProcessWithoutCallsMeetNobodyElses) {
    const Trace trace = build({inProcess(2, recordOf(5, 11)), inProcess(1, apiCall(20, 25, 11)),
                               inProcess(1, work(Kernel, 30, 40))});
    ASSERT_THAT(trace.streamCalls(), SizeIs(1));
    EXPECT_EQ(trace.streamCalls()[0].api, kNoActivity);
    EXPECT_EQ(trace.streamCalls()[0].queue, kNoQueue);
    EXPECT_EQ(trace.streamCallOf(0), nullptr);
}

TEST(StreamCalls, EveryNumberIsReadWithoutHarm) {
    constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
    std::vector<AnyRecord> records{apiCall(20, 25, 11), work(Kernel, 30, 40), ContextRecord{1, 0, kNoNumber},
                                   ContextRecord{kMost, kMost, kMost}};
    for (const std::uint32_t number : {0u, 1u, 7u, 11u, kMost - 1, kMost})
        for (const std::uint32_t other : {0u, 1u, kMost})
            records.emplace_back(StreamCallRecord{static_cast<StreamCallKind>(number), other, number, other,
                                                  number, ~std::uint64_t{0}, other});
    const Trace trace = build(records);
    EXPECT_THAT(trace.streamCalls(), SizeIs(18));
    for (const StreamCall& call : trace.streamCalls()) {
        EXPECT_LE(call.kind, StreamCallKind::DeviceSync);
        EXPECT_TRUE(call.queue == kNoQueue || call.queue.value < trace.queues().size());
        EXPECT_TRUE(call.api == kNoActivity || call.api < trace.size());
    }
    EXPECT_EQ(again(trace), trace);
}

TEST(StreamCalls, NeverTakeTheQueueOfWork) {
    constexpr std::uint32_t kMost = 65535;
    TraceBuilder builder;
    builder.add(ContextRecord{1, 0, kNoNumber});
    for (std::uint32_t stream = 0; stream < kMost; ++stream) {
        builder.add(work(Kernel, 10 + stream, 20 + stream, 10 + stream));
        builder.add(recordOf(stream, 0, stream));
    }
    const Trace trace = builder.finish();
    EXPECT_EQ(trace.size(), kMost);
    EXPECT_EQ(trace.queues().size(), kMost);
    EXPECT_THAT(trace.defects(), IsEmpty());
    EXPECT_EQ(std::ranges::count(trace.streamCalls(), kNoQueue, &StreamCall::queue), 10);
}

TEST(StreamCalls, CountInMemory) {
    const std::vector<AnyRecord> without{apiCall(20, 25, 11)};
    std::vector<AnyRecord> with = without;
    with.insert(with.end(), 1000, recordOf(5, 11));
    EXPECT_GE(build(with).memoryBytes(), build(without).memoryBytes() + 1000 * sizeof(StreamCall));
}

} // namespace
} // namespace olab
