// The decoder on hand-built records: no GPU, no driver; libcupti only steps over them.
#include "raw_records.h"

#include <olab/cupti/collector.h>
#include <olab/cupti/decode.h>
#include <olab/trace/error.h>
#include <olab/trace/trace_builder.h>

#include <gtest/gtest.h>

namespace olab::cupti {
namespace {

using test::copyRecord;
using test::kernelRecord;
using test::RawRecords;
using test::zeroed;

class DecodeTest : public ::testing::Test {
protected:
    void SetUp() override {
        const CuptiProbe probe = probeCupti();
        if (probe.version == 0)
            GTEST_SKIP() << "libcupti cannot be loaded here: " << probe.why;
    }
    Trace decoded(RawRecords& records, DecodeMode mode = DecodeMode::Everything) {
        TraceBuilder builder;
        Decoder decoder;
        decoder.open(builder);
        decoder.decode(records.span(), mode);
        decoder.close();
        return builder.finish();
    }
};

CUpti_ActivityContext3 contextRecord() {
    auto r = zeroed<CUpti_ActivityContext3>(CUPTI_ACTIVITY_KIND_CONTEXT);
    r.contextId = 1;
    r.nullStreamId = 7;
    return r;
}

CUpti_ActivityStream streamRecord(CUpti_ActivityStreamFlag flag) {
    auto r = zeroed<CUpti_ActivityStream>(CUPTI_ACTIVITY_KIND_STREAM);
    r.contextId = 1;
    r.streamId = 13;
    r.flag = flag;
    r.priority = static_cast<std::uint32_t>(-5);
    return r;
}

TEST_F(DecodeTest, LibcuptiStepsByTheSizesWeDecode) {
    EXPECT_TRUE(strideSelfTest().empty());
}

TEST_F(DecodeTest, AKernelKeepsItsTimesGeometryChannelAndName) {
    RawRecords records;
    records.add(contextRecord()).add(kernelRecord("olab_fma_kernel"));
    const Trace trace = decoded(records);
    ASSERT_EQ(trace.size(), 1u);
    const Activity a = trace[0];
    EXPECT_EQ(a.cls, ActivityClass::Kernel);
    EXPECT_EQ(a.begin, 1000);
    EXPECT_EQ(a.end, 5000);
    EXPECT_EQ(a.engine, EngineKind::Compute);
    EXPECT_EQ(trace.text(a.name), "olab_fma_kernel");
    EXPECT_EQ(trace.channels()[a.channel.value].number, 3u);
    ASSERT_NE(trace.geometry(0), nullptr);
    EXPECT_EQ(trace.geometry(0)->blocks(), 8448u);
    EXPECT_EQ(trace.geometry(0)->threads(), 256u);
    EXPECT_EQ(trace.geometry(0)->dynamicShared, 512u);
}

TEST_F(DecodeTest, AMigrationIsACopyOfItsDeviceInNoStream) {
    auto missing = zeroed<CUpti_ActivityUnifiedMemoryCounter3>(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
    missing.counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD;
    missing.value = 65536, missing.start = 2000, missing.end = 5000, missing.srcId = 7, missing.dstId = 1;
    missing.flags = CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_COHERENCE;
    auto askedFor = missing;
    askedFor.counterKind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH;
    askedFor.start = 6000, askedFor.end = 7000, askedFor.srcId = 1, askedFor.dstId = 7;
    askedFor.flags = CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_USER;
    RawRecords records;
    records.add(missing).add(askedFor);
    const Trace trace = decoded(records);
    ASSERT_EQ(trace.size(), 2u);
    EXPECT_EQ(trace.cls(0), ActivityClass::MemcpyH2D);
    EXPECT_EQ(trace.cls(1), ActivityClass::MemcpyD2H);
    EXPECT_EQ(trace.time(0), (Interval{2000, 5000}));
    EXPECT_EQ(trace.bytes(0), 65536);
    EXPECT_EQ(trace.flags(0), kFlagUnified);
    EXPECT_EQ(trace.flags(1), kFlagUnified | kFlagAsync) << "a prefetch";
    ASSERT_EQ(trace.devices().size(), 1u);
    EXPECT_EQ(trace.devices()[0].device, 1u) << "the other number is that of the host";
}

TEST_F(DecodeTest, TheEngineOfACopyComesFromItsChannelFirst) {
    RawRecords records;
    records.add(contextRecord());
    records.add(copyRecord(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY));
    records.add(copyRecord(CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY));
    records.add(copyRecord(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, CUPTI_CHANNEL_TYPE_COMPUTE));
    const Trace trace = decoded(records);
    ASSERT_EQ(trace.size(), 3u);
    int h2dOnCopyEngine = 0, d2hOnCopyEngine = 0, onCompute = 0;
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        h2dOnCopyEngine += trace[i].engine == EngineKind::CopyH2D;
        d2hOnCopyEngine += trace[i].engine == EngineKind::CopyD2H;
        onCompute += trace[i].engine == EngineKind::Compute;
        EXPECT_EQ(trace[i].bytes, 4096);
        EXPECT_EQ(trace[i].source, MemoryKind::Pinned);
        EXPECT_EQ(trace[i].flags & kFlagAsync, kFlagAsync);
    }
    EXPECT_EQ(h2dOnCopyEngine, 1);
    EXPECT_EQ(d2hOnCopyEngine, 1);
    EXPECT_EQ(onCompute, 1);
}

TEST_F(DecodeTest, ExternalCorrelationTagsDeviceWorkAndItsApiCall) {
    auto correlation = zeroed<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
    correlation.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
    correlation.externalId = 17;
    correlation.correlationId = 42;
    auto api = zeroed<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME);
    api.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000;
    api.start = 500;
    api.end = 900;
    api.threadId = 4711;
    api.correlationId = 42;
    RawRecords records;
    records.add(correlation).add(contextRecord()).add(kernelRecord("k")).add(api);
    const Trace trace = decoded(records);
    ASSERT_EQ(trace.size(), 2u);
    EXPECT_EQ(trace[0].op, OpId{17});
    EXPECT_EQ(trace[1].op, OpId{17});
    EXPECT_EQ(trace[0].cls, ActivityClass::Api);
    EXPECT_EQ(trace.queue(trace[0].queue).number, 4711u);
    EXPECT_EQ(trace.text(trace[0].name).substr(0, 16), "cudaLaunchKernel");
}

TEST_F(DecodeTest, NodesOfAGraphHaveTheOpsOfTheirNodesAndNotOfTheLaunch) {
    auto correlation = zeroed<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
    correlation.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
    correlation.externalId = 99; // claims the launch, whose correlation all nodes share
    correlation.correlationId = 42;
    auto kernel = kernelRecord("k");
    kernel.graphNodeId = 1001;
    auto copy = copyRecord(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY);
    copy.graphNodeId = 1002;
    copy.correlationId = 42;
    RawRecords records;
    records.add(correlation).add(contextRecord()).add(kernel).add(copy);
    TraceBuilder builder;
    Decoder decoder({liveText, [](std::uint64_t node) {
                         return node == 1001 ? OpId{5} : node == 1002 ? OpId{6} : kNoOp;
                     }});
    decoder.open(builder);
    decoder.decode(records.span(), DecodeMode::Everything);
    decoder.close();
    const Trace trace = builder.finish();
    ASSERT_EQ(trace.size(), 2u);
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        EXPECT_EQ(trace[i].op, trace.cls(i) == ActivityClass::Kernel ? OpId{5} : OpId{6});
}

TEST_F(DecodeTest, ADriverCallIsNamedAsSuchThoughTheRuntimesNumbersAreTheSame) {
    auto driver = zeroed<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_DRIVER);
    driver.cbid = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel;
    driver.start = 500, driver.end = 900, driver.threadId = 4711, driver.correlationId = 42;
    auto runtime = driver;
    runtime.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
    runtime.start = 600;
    RawRecords records;
    records.add(driver).add(runtime);
    const Trace trace = decoded(records);
    ASSERT_EQ(trace.size(), 2u);
    EXPECT_EQ(trace.text(trace[0].name), "cuLaunchKernel");
    EXPECT_EQ(trace.text(trace[1].name).substr(0, 2), "cu");
    EXPECT_NE(trace.text(trace[0].name), trace.text(trace[1].name));
}

TEST_F(DecodeTest, AnotherToolsExternalCorrelationIsNotOurs) {
    auto correlation = zeroed<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
    correlation.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1;
    correlation.externalId = 17;
    correlation.correlationId = 42;
    RawRecords records;
    records.add(correlation).add(contextRecord()).add(kernelRecord("k"));
    EXPECT_EQ(decoded(records)[0].op, kNoOp);
}

struct SynchronizationInCall {
    CUpti_ActivitySynchronization2 sync;
    CUpti_ActivityAPI api;
};
/// The wait for a context inside a runtime call of thread 99.
SynchronizationInCall synchronizationIn(CUpti_runtime_api_trace_cbid call) {
    auto sync = zeroed<CUpti_ActivitySynchronization2>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
    sync.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
    sync.start = 10;
    sync.end = 90;
    sync.correlationId = 5;
    auto api = zeroed<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME);
    api.cbid = call;
    api.start = 8;
    api.end = 95;
    api.threadId = 99;
    api.correlationId = 5;
    return {sync, api};
}

TEST_F(DecodeTest, ASynchronizationFindsItsThreadInALaterApiRecord) {
    const auto [sync, api] = synchronizationIn(CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020);
    RawRecords records;
    records.add(sync).add(api);
    const Trace trace = decoded(records);
    ASSERT_EQ(trace.size(), 2u);
    EXPECT_EQ(trace[0].cls, ActivityClass::Api);
    EXPECT_EQ(trace.text(trace[0].name), "cudaDeviceSynchronize");
    EXPECT_EQ(trace[1].cls, ActivityClass::Sync);
    EXPECT_EQ(trace.queue(trace[1].queue).number, 99u);
    EXPECT_EQ(trace.text(trace[1].name), "context synchronize");
}

// cudaFree waits for the device: CUPTI records a synchronisation for it too.
TEST_F(DecodeTest, ASynchronizationInsideAnyCallFindsItsThread) {
    const auto [sync, api] = synchronizationIn(CUPTI_RUNTIME_TRACE_CBID_cudaFree_v3020);
    RawRecords records;
    records.add(api).add(sync);
    const Trace trace = decoded(records);
    ASSERT_EQ(trace.size(), 2u);
    EXPECT_EQ(trace.queue(trace[1].queue).number, 99u);
}

CUpti_ActivityAPI runtimeCall(std::uint32_t correlation, std::uint64_t start) {
    auto api = zeroed<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME);
    api.start = start;
    api.end = start + 5;
    api.threadId = 99;
    api.correlationId = correlation;
    return api;
}

TEST_F(DecodeTest, EventsAndWaitsKeepTheirStreamsAndWhichRecordingTheyMean) {
    auto event = zeroed<CUpti_ActivityCudaEvent2>(CUPTI_ACTIVITY_KIND_CUDA_EVENT);
    event.correlationId = 41;
    event.contextId = 1;
    event.streamId = 13;
    event.eventId = 3;
    event.cudaEventSyncId = 7'000'000'000;
    auto wait = zeroed<CUpti_ActivitySynchronization2>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
    wait.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
    wait.start = 201;
    wait.end = 203;
    wait.correlationId = 42;
    wait.contextId = 1;
    wait.streamId = 14;
    wait.cudaEventId = 3;
    wait.cudaEventSyncId = 7'000'000'000;
    RawRecords records;
    records.add(wait).add(event).add(runtimeCall(41, 100)).add(runtimeCall(42, 200)).add(contextRecord());
    const Trace trace = decoded(records);
    ASSERT_EQ(trace.streamCalls().size(), 2u);
    const StreamCall &record = trace.streamCalls()[0], &waits = trace.streamCalls()[1];
    EXPECT_EQ(record.kind, StreamCallKind::EventRecord);
    EXPECT_EQ(waits.kind, StreamCallKind::StreamWait);
    EXPECT_EQ(trace.time(record.api).begin, 100);
    EXPECT_EQ(trace.time(waits.api).begin, 200);
    for (const StreamCall* call : {&record, &waits}) {
        EXPECT_EQ(call->event, 3u);
        EXPECT_EQ(call->recording, 7'000'000'000u);
    }
}

TEST_F(DecodeTest, WhatASynchronizationDoesNotNameIsUnknown) {
    RawRecords records;
    std::uint32_t correlation = 50;
    for (const auto type : {CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE,
                            CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE,
                            CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE,
                            CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN}) {
        auto sync = zeroed<CUpti_ActivitySynchronization2>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
        sync.type = type;
        sync.start = correlation * 10 + 1;
        sync.end = sync.start + 1;
        sync.correlationId = correlation;
        sync.streamId = sync.cudaEventId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
        sync.cudaEventSyncId = correlation % 2 == 0 ? CUPTI_SYNCHRONIZATION_INVALID_VALUE : ~0ull;
        records.add(sync).add(runtimeCall(correlation, correlation * 10));
        ++correlation;
    }
    const Trace trace = decoded(records);
    ASSERT_EQ(trace.streamCalls().size(), 4u);
    constexpr StreamCallKind kinds[] = {StreamCallKind::EventSync, StreamCallKind::StreamSync,
                                        StreamCallKind::DeviceSync, StreamCallKind::Unknown};
    for (std::size_t i = 0; i < 4; ++i) {
        const StreamCall& call = trace.streamCalls()[i];
        EXPECT_EQ(call.kind, kinds[i]);
        EXPECT_EQ(call.queue, kNoQueue);
        EXPECT_EQ(call.event, kNoNumber);
        EXPECT_EQ(call.recording, 0u);
    }
}

TEST_F(DecodeTest, StreamsAndContextsSayWhichIsTheNullStreamAndWhichBlocks) {
    RawRecords records;
    auto onNull = kernelRecord("n");
    onNull.streamId = 7;
    records.add(contextRecord())
        .add(streamRecord(CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING))
        .add(kernelRecord("k"))
        .add(onNull);
    const Trace trace = decoded(records);
    for (const Queue& queue : trace.queues()) {
        if (queue.number == 13) {
            EXPECT_EQ(queue.streamKind, StreamKind::NonBlocking);
            EXPECT_EQ(queue.priority, -5);
        } else if (queue.number == 7) {
            EXPECT_EQ(queue.streamKind, StreamKind::Null);
        }
    }
}

CUpti_ActivityMarker2 marker(int flags, std::uint32_t id, std::uint64_t time, const char* name) {
    auto r = zeroed<CUpti_ActivityMarker2>(CUPTI_ACTIVITY_KIND_MARKER);
    r.flags = static_cast<CUpti_ActivityFlag>(flags);
    r.id = id;
    r.timestamp = time;
    r.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    r.objectId.pt.threadId = 4711;
    r.name = name;
    return r;
}

TEST_F(DecodeTest, NvtxRangesAreMadeOfTheirHalvesInAnyOrder) {
    constexpr int kBegin = CUPTI_ACTIVITY_FLAG_MARKER_START, kEnd = CUPTI_ACTIVITY_FLAG_MARKER_END;
    RawRecords records;
    records.add(marker(kBegin, 1, 100, "outer"))
        .add(marker(kEnd, 2, 180, nullptr)) // before its begin: from another thread's buffer
        .add(marker(kBegin, 2, 120, "inner"))
        .add(marker(CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS, 3, 150, "mark"))
        .add(marker(kEnd, 1, 200, nullptr));
    const Trace trace = decoded(records);
    ASSERT_EQ(trace.size(), 3u);
    const std::tuple<const char*, Ns, Ns> expected[] = {
        {"outer", 100, 200}, {"inner", 120, 180}, {"mark", 150, 150}};
    for (ActivityIndex i = 0; i < 3; ++i) {
        EXPECT_EQ(trace[i].cls, ActivityClass::Nvtx);
        EXPECT_EQ(std::tuple(std::string(trace.text(trace[i].name)), trace[i].begin, trace[i].end),
                  expected[i]);
        EXPECT_EQ(trace.queue(trace[i].queue).number, 4711u);
    }
    EXPECT_TRUE(trace.defects().empty());
}

TEST_F(DecodeTest, HalfARangeIsLeftOutAndCounted) {
    RawRecords records;
    records.add(marker(CUPTI_ACTIVITY_FLAG_MARKER_START, 1, 100, "open"))
        .add(marker(CUPTI_ACTIVITY_FLAG_MARKER_END, 2, 180, nullptr))
        .add(marker(CUPTI_ACTIVITY_FLAG_MARKER_END, 2, 190, nullptr));
    const Trace trace = decoded(records);
    EXPECT_TRUE(trace.empty());
    EXPECT_EQ(trace.counts().refused, 3u);
    ASSERT_EQ(trace.defects().size(), 1u);
    EXPECT_EQ(trace.defects()[0].code, DefectCode::OpenRange);
    EXPECT_EQ(trace.defects()[0].severity(), Severity::Notice);
    EXPECT_EQ(trace.defects()[0].classes, maskOf(ActivityClass::Nvtx));
}

TEST_F(DecodeTest, AnUnknownKindIsRefusedAndCountedNotSkipped) {
    auto odd = zeroed<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    odd.kind = CUPTI_ACTIVITY_KIND_PCIE; // a kind CUPTI knows and we do not decode
    RawRecords records;
    records.add(contextRecord()).add(kernelRecord("k")).add(odd);
    const Trace trace = decoded(records);
    EXPECT_EQ(trace.counts().kept, 1u);
    EXPECT_GE(trace.counts().refused, 1u);
    EXPECT_EQ(trace.counts().read, trace.counts().kept + trace.counts().refused);
    ASSERT_FALSE(trace.defects().empty());
    EXPECT_EQ(trace.defects()[0].code, DefectCode::UnknownKind);
}

TEST_F(DecodeTest, FactsOnlyKeepsDevicesContextsAndStreams) {
    RawRecords records;
    records.add(contextRecord())
        .add(streamRecord(CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT))
        .add(kernelRecord("k"));
    const Trace trace = decoded(records, DecodeMode::Facts);
    EXPECT_TRUE(trace.empty());
    EXPECT_EQ(trace.counts().read, 0u);
}

TEST_F(DecodeTest, ARecordWithoutTimestampsIsRefusedAsDataLoss) {
    auto lost = kernelRecord("k");
    lost.start = lost.end = 0;
    RawRecords records;
    records.add(contextRecord()).add(lost);
    const Trace trace = decoded(records);
    EXPECT_EQ(trace.counts().refused, 1u);
    ASSERT_EQ(trace.defects().size(), 1u);
    EXPECT_EQ(trace.defects()[0].severity(), Severity::DataLoss);
}

TEST_F(DecodeTest, OneDecoderServesOneSinkAfterTheOther) {
    auto api = zeroed<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME);
    api.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020;
    api.start = 10, api.end = 20, api.threadId = 1, api.correlationId = 1;
    Decoder decoder;
    for (const char* earlier : {"", "a name that takes the number", "and another"}) {
        TraceBuilder builder;
        builder.intern(earlier);
        decoder.open(builder);
        for (int buffer = 0; buffer < 2; ++buffer) {
            RawRecords records;
            records.add(api).add(kernelRecord("k"));
            decoder.decode(records.span(), DecodeMode::Everything);
        }
        decoder.close();
        const Trace trace = builder.finish();
        ASSERT_EQ(trace.size(), 4u);
        EXPECT_EQ(trace.text(trace[0].name), "cudaDeviceSynchronize");
        EXPECT_EQ(trace.environment().at("cupti.records"), "runtime API 2, kernel 2") << "of this sink's";
    }
}

TEST_F(DecodeTest, TheHalvesOfARangeMeetInDifferentBuffers) {
    TraceBuilder builder;
    Decoder decoder;
    decoder.open(builder);
    for (const int flag : {CUPTI_ACTIVITY_FLAG_MARKER_END, CUPTI_ACTIVITY_FLAG_MARKER_START}) {
        RawRecords records;
        records.add(marker(flag, 1, flag == CUPTI_ACTIVITY_FLAG_MARKER_END ? 180 : 100, "range"));
        decoder.decode(records.span(), DecodeMode::Everything);
    }
    decoder.close();
    const Trace trace = builder.finish();
    ASSERT_EQ(trace.size(), 1u);
    EXPECT_EQ(trace[0].duration(), 80);
    EXPECT_TRUE(trace.defects().empty());
}

TEST_F(DecodeTest, TheOpOfACallIsAskedForByItsThreadAndTime) {
    auto api = zeroed<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME);
    api.start = 500, api.end = 900, api.threadId = 4711, api.correlationId = 42;
    RawRecords records;
    records.add(kernelRecord("k")).add(api);
    TraceBuilder builder;
    Decoder decoder;
    decoder.open(builder, [](std::uint32_t thread, Interval call) {
        return thread == 4711 && call == Interval{500, 900} ? OpId{3} : kNoOp;
    });
    decoder.decode(records.span(), DecodeMode::Everything);
    decoder.close();
    const Trace trace = builder.finish();
    ASSERT_EQ(trace.size(), 2u);
    EXPECT_EQ(trace[0].op, OpId{3});
    EXPECT_EQ(trace[1].op, OpId{3}) << "and its work has it through the correlation";
}

TEST(CollectorTest, WithoutADriverItSaysWhatToDo) {
    if (probeCupti().version == 0)
        GTEST_SKIP() << "libcupti cannot be loaded here";
    try {
        Collector collector;
        GTEST_SKIP() << "this machine has a driver";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::NoDevice);
        EXPECT_FALSE(error.hint().empty());
    }
}

} // namespace
} // namespace olab::cupti
