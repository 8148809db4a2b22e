#include "made_records.h"

#include <olab/trace/limits.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace olab {
namespace {

using made::build;
using made::call;
using made::work;
using enum ActivityClass;

Trace traceOf(std::initializer_list<ActivityRecord> activities) {
    return build({activities.begin(), activities.end()});
}

bool isSortedByBegin(const Trace& trace) {
    for (ActivityIndex i = 1; i < trace.size(); ++i)
        if (trace.begin(i) < trace.begin(i - 1))
            return false;
    return true;
}

DeviceRecord device(std::uint32_t number, const char* name) {
    DeviceRecord r;
    r.device = number, r.name = name;
    return r;
}

void expectRefused(const ActivityRecord& bad, DefectCode code, ClassMask classes) {
    const Trace trace = traceOf({work(Kernel, 10, 20), bad, bad});
    EXPECT_EQ(trace.counts(), (RecordCounts{3, 1, 2}));
    ASSERT_EQ(trace.defects().size(), 1u);
    EXPECT_EQ(trace.defects()[0], (Defect{code, 2, classes, ""}));
}

TEST(TraceBuilder, RefusesWhatCannotBe) {
    expectRefused(work(MemcpyH2D, 20, 19), DefectCode::EndBeforeStart, maskOf(MemcpyH2D));
    expectRefused(work(Memset, 0, 0), DefectCode::NoTimestamp, maskOf(Memset));
    expectRefused(work(static_cast<ActivityClass>(kClassCount), 1, 2), DefectCode::BadRecord, kAllClasses);
    constexpr auto limits = std::numeric_limits<Ns>();
    expectRefused(work(Kernel, limits.min(), limits.max()), DefectCode::BadRecord, maskOf(Kernel));
    ActivityRecord negative = work(MemcpyD2H, 1, 2);
    negative.bytes = -1;
    expectRefused(negative, DefectCode::BadRecord, maskOf(MemcpyD2H));
}

/// The probe of API calls leaves several for each of a hundred calls: what was left out could not be judged.
TEST(TraceBuilder, KeepsAllNumbersOfAProbeAndNotWithoutEnd) {
    TraceBuilder builder;
    for (int i = 0; i < 1'500; ++i)
        builder.add(EnvironmentRecord{"number.call" + std::to_string(i), "1"});
    EXPECT_EQ(builder.finish().environment().size(), 1'500u);
    TraceBuilder withTexts;
    for (int i = 0; i < 1'500; ++i)
        withTexts.add(EnvironmentRecord{std::to_string(i), std::string(kMaxFactBytes + 1, 'x')});
    EXPECT_EQ(withTexts.finish().environment().size(), kMaxEnvironment) << "a file is not to fill the memory";
    TraceBuilder flooded;
    for (int i = 0; i < 5'000; ++i)
        flooded.add(EnvironmentRecord{std::to_string(i), "1"});
    const Trace trace = flooded.finish();
    EXPECT_LT(trace.environment().size(), 5'000u);
    EXPECT_FALSE(trace.defects().empty());
}

TEST(TraceBuilder, KeepsWhatOnlyLooksOdd) {
    const Trace trace =
        traceOf({work(Kernel, 5, 5), work(Kernel, -5, 0), work(Kernel, 0, 1),
                 work(Kernel, std::numeric_limits<Ns>::max() - 10, std::numeric_limits<Ns>::max() - 5)});
    EXPECT_EQ(trace.counts(), (RecordCounts{4, 4, 0}));
    EXPECT_TRUE(trace.defects().empty());
}

TEST(TraceBuilder, RefusesTimesThatNoSpanCanHold) {
    const Trace trace = traceOf({work(Kernel, -10, -5), work(Kernel, 1, std::numeric_limits<Ns>::max())});
    EXPECT_EQ(trace.counts(), (RecordCounts{2, 1, 1}));
    EXPECT_EQ(trace.span().begin, 1);
    EXPECT_EQ(trace.defects()[0].code, DefectCode::BadRecord);
}

TEST(TraceBuilder, UnknownEnumeratorsBecomeUnknown) {
    ActivityRecord r = work(MemcpyH2D, 1, 2);
    r.source = static_cast<MemoryKind>(77);
    r.target = MemoryKind::ManagedStatic;
    r.channelType = static_cast<ChannelType>(9);
    const Trace trace = traceOf({r});
    EXPECT_EQ(trace[0].source, MemoryKind::Unknown);
    EXPECT_EQ(trace[0].target, MemoryKind::ManagedStatic);
    EXPECT_EQ(trace[0].engine, EngineKind::CopyH2D);
    EXPECT_EQ(trace[0].channel, kNoChannel);
}

TEST(TraceBuilder, BadFactsAreDefectsNotRecordsRead) {
    const Trace trace = build({WindowRecord{5, 4}, SoloRecord{0, Kernel, 0, -1}, work(Kernel, 1, 2)});
    EXPECT_EQ(trace.counts(), (RecordCounts{1, 1, 0}));
    EXPECT_TRUE(trace.windows().empty());
    EXPECT_TRUE(trace.solos().empty());
    EXPECT_EQ(trace.defects().size(), 2u);
}

TEST(TraceBuilder, CountsWhatProducersRefused) {
    TraceBuilder builder;
    builder.add(RefusedRecord{DefectCode::UnknownKind, 4, maskOf(Kernel), "kind 99", true});
    builder.add(RefusedRecord{DefectCode::UnknownKind, 1, maskOf(Memset), "kind 99", true});
    builder.add(RefusedRecord{DefectCode::DroppedRecords, 100, kAllClasses, "", false});
    builder.addDefect(DefectCode::GateOpenedEarly, 1, kAllClasses, "at op 3");
    builder.add(RefusedRecord{DefectCode::BadChunk, 0, kAllClasses, "nothing", true});
    const Trace trace = builder.finish();
    EXPECT_EQ(trace.counts(), (RecordCounts{5, 0, 5}));
    ASSERT_EQ(trace.defects().size(), 3u);
    EXPECT_EQ(trace.defects()[0],
              (Defect{DefectCode::UnknownKind, 5, maskOf(Kernel) | maskOf(Memset), "kind 99"}));
    EXPECT_EQ(trace.defects()[1].count, 100u);
    EXPECT_EQ(trace.defects()[2].detail, "at op 3");
}

TEST(TraceBuilder, AbsurdCountsDoNotWrap) {
    TraceBuilder builder;
    for (int i = 0; i < 5; ++i)
        builder.add(RefusedRecord{DefectCode::BadRecord, ~0ull, ~0u, "", true});
    builder.add(work(Kernel, 1, 2));
    const RecordCounts counts = builder.finish().counts();
    EXPECT_EQ(counts.read, counts.kept + counts.refused);
    EXPECT_EQ(counts.kept, 1u);
    EXPECT_GT(counts.refused, 1ull << 60);
}

TEST(TraceBuilder, FindsTheDeviceThroughTheContext) {
    ActivityRecord lost = work(Kernel, 1, 2);
    lost.device = kNoNumber;
    ActivityRecord stranger = lost;
    stranger.context = 99;
    const Trace trace = build({lost, stranger, device(5, "five"), device(0, "zero"), ContextRecord{1, 5}});
    ASSERT_EQ(trace.devices().size(), 3u);
    EXPECT_EQ(trace.devices()[1].name, "five");
    EXPECT_EQ(trace[0].device, 1);
    EXPECT_EQ(trace.devices()[2].device, kNoNumber) << "a device nobody knows is no known device";
    EXPECT_EQ(trace[1].device, 2);
}

TEST(TraceBuilder, UndeclaredDevicesAreMadeAndSortedByNumber) {
    ActivityRecord other = work(Kernel, 1, 2);
    other.device = 9;
    const Trace trace = build({other, work(Kernel, 3, 4), device(4, "four")});
    ASSERT_EQ(trace.devices().size(), 3u);
    EXPECT_EQ(trace.devices()[0].device, 0u);
    EXPECT_EQ(trace.devices()[1].name, "four");
    EXPECT_EQ(trace.devices()[2].device, 9u);
    EXPECT_EQ(trace.devices()[2].name, "");
    EXPECT_EQ(trace[0].device, 2);
}

TEST(TraceBuilder, RefusesMoreDevicesThanAnIndexHolds) {
    std::vector<made::AnyRecord> records;
    for (std::uint32_t d = 0; d < 300; ++d) {
        ActivityRecord r = work(Kernel, 1 + d, 2 + d);
        r.device = 299 - d;
        records.emplace_back(r);
    }
    const Trace trace = build(records);
    EXPECT_EQ(trace.devices().size(), 255u);
    EXPECT_EQ(trace.counts(), (RecordCounts{300, 255, 45}));
    EXPECT_EQ(trace.defects()[0].code, DefectCode::BadRecord);
    EXPECT_EQ(trace.defects()[0].classes, maskOf(Kernel));
}

TEST(TraceBuilder, RefusesMoreQueuesThanAnIndexHolds) {
    TraceBuilder builder;
    for (std::uint32_t s = 0; s < 66000; ++s)
        builder.add(work(Kernel, 1 + s, 2 + s, s));
    const Trace trace = builder.finish();
    EXPECT_EQ(trace.queues().size(), 65535u);
    EXPECT_EQ(trace.counts(), (RecordCounts{66000, 65535, 465}));
    EXPECT_EQ(trace.queue(trace[65534].queue).number, 65534u);
}

TEST(TraceBuilder, QueuesKnowTheirStream) {
    const Trace trace =
        build({work(Kernel, 1, 2, 7), work(Kernel, 3, 4, 13), work(Kernel, 5, 6, 14), call(Api, 1, 2, 4711),
               ContextRecord{1, 0, 7}, StreamRecord{1, 13, StreamKind::NonBlocking, -1},
               StreamRecord{2, 14, StreamKind::Blocking, 5}});
    ASSERT_EQ(trace.queues().size(), 4u);
    EXPECT_EQ(trace.queue(trace[0].queue).kind, Queue::Kind::Stream);
    const auto of = [&trace](std::uint32_t number) {
        return *std::ranges::find_if(trace.queues(), [number](const Queue& q) { return q.number == number; });
    };
    EXPECT_EQ(of(7).streamKind, StreamKind::Null);
    EXPECT_EQ(of(13).streamKind, StreamKind::NonBlocking);
    EXPECT_EQ(of(13).priority, -1);
    EXPECT_EQ(of(14).streamKind, StreamKind::Unknown) << "that record was about another context's stream";
    EXPECT_EQ(of(4711).kind, Queue::Kind::HostThread);
}

TEST(TraceBuilder, CorrelationsNameOpsWhereNoneIsKnown) {
    ActivityRecord kernel = work(Kernel, 1, 2), own = work(Kernel, 2, 3), api = call(Api, 3, 4),
                   sync = call(Sync, 4, 5), none = work(Kernel, 5, 6);
    kernel.correlation = own.correlation = api.correlation = sync.correlation = 12;
    own.op = OpId{90};
    const Trace trace = build({CorrelationRecord{12, OpId{3}}, kernel, own, api, sync, none,
                               CorrelationRecord{0, OpId{1}}, CorrelationRecord{12, OpId{4}}});
    EXPECT_EQ(trace[0].op, OpId{4}) << "the last claim wins";
    EXPECT_EQ(trace[1].op, OpId{90});
    EXPECT_EQ(trace[2].op, OpId{4});
    EXPECT_EQ(trace[3].op, kNoOp) << "a synchronization belongs to no op of its own";
    EXPECT_EQ(trace[4].op, kNoOp) << "correlation 0 is none";
}

ActivityRecord hostRecord(ActivityClass cls, Ns begin, std::uint32_t correlation, std::uint32_t thread) {
    ActivityRecord r;
    r.cls = cls, r.begin = begin, r.end = begin + 10, r.correlation = correlation, r.thread = thread;
    return r;
}

TEST(TraceBuilder, ASynchronizationWithoutAThreadTakesThatOfItsCallWhateverItIsCalled) {
    const Trace trace =
        traceOf({hostRecord(Sync, 10, 5, kNoNumber), hostRecord(Api, 9, 5, 99), hostRecord(Api, 29, 6, 98),
                 hostRecord(Sync, 30, 6, kNoNumber), hostRecord(Sync, 40, 5, 97)});
    ASSERT_EQ(trace.size(), 5u);
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        EXPECT_EQ(trace.queue(trace.queueOf(i)).number, trace.time(i).begin == 40   ? 97u
                                                        : trace[i].correlation == 5 ? 99u
                                                                                    : 98u);
    EXPECT_EQ(trace.queues().size(), 3u) << "no row of an unknown thread is left";
}

TEST(TraceBuilder, ASynchronizationWithoutACallStaysOfAnUnknownThread) {
    const Trace trace = traceOf({hostRecord(Sync, 10, 5, kNoNumber), hostRecord(Sync, 20, 0, kNoNumber),
                                 hostRecord(Api, 9, 6, 99), hostRecord(Api, 19, 0, 98)});
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == Sync) {
            EXPECT_EQ(trace.queue(trace.queueOf(i)).number, kNoNumber);
        }
}

TEST(KernelGeometry, ProductsOfAbsurdSizesDoNotWrap) {
    constexpr std::uint32_t kHuge = 0xffffffffu;
    KernelGeometry g;
    g.grid = {kHuge, kHuge, kHuge};
    g.block = {kHuge, 2, 1};
    EXPECT_EQ(g.blocks(), ~std::uint64_t{0});
    EXPECT_EQ(g.threads(), std::uint64_t{kHuge} * 2);
}

TEST(TraceBuilder, SortsByBeginEndCorrelation) {
    ActivityRecord a = work(Kernel, 5, 9), b = work(Kernel, 5, 8), c = work(Kernel, 4, 20),
                   d = work(Kernel, 5, 9);
    a.correlation = 2, d.correlation = 1;
    const Trace trace = traceOf({a, b, c, d});
    EXPECT_EQ(trace[0].begin, 4);
    EXPECT_EQ(trace[1].end, 8);
    EXPECT_EQ(trace[2].correlation, 1u);
    EXPECT_EQ(trace[3].correlation, 2u);
    EXPECT_TRUE(isSortedByBegin(trace));
    EXPECT_EQ(trace.span(), (Interval{4, 20}));
}

TEST(TraceBuilder, SpansKeepHostAndDeviceApart) {
    const Trace trace =
        traceOf({call(Api, 1, 3), work(Kernel, 10, 40), work(Memset, 12, 13), call(HostFn, 50, 60)});
    EXPECT_EQ(trace.span(), (Interval{1, 60}));
    EXPECT_EQ(trace.deviceSpan(), (Interval{10, 40}));
    EXPECT_EQ(build({}).span(), Interval{});
    EXPECT_EQ(traceOf({call(Api, 1, 3)}).deviceSpan(), Interval{});
}

TEST(TraceBuilder, GeometryStaysWithItsKernel) {
    ActivityRecord big = work(Kernel, 20, 30), small = work(Kernel, 1, 2), copy = work(MemcpyH2D, 3, 4);
    big.geometry = KernelGeometry{{100, 2, 1}, {256, 1, 1}, 32, 0, 0};
    small.geometry = copy.geometry = KernelGeometry{};
    const Trace trace = traceOf({big, small, copy, work(Kernel, 5, 6)});
    ASSERT_NE(trace.geometry(3), nullptr);
    EXPECT_EQ(trace.geometry(3)->blocks(), 200u);
    ASSERT_NE(trace.geometry(0), nullptr);
    EXPECT_EQ(trace.geometry(0)->blocks(), 1u);
    EXPECT_EQ(trace.geometry(1), nullptr) << "only kernels have one";
    EXPECT_EQ(trace.geometry(2), nullptr);
}

TEST(TraceBuilder, NamesAndEnvironment) {
    ActivityRecord a = work(Kernel, 1, 2), b = work(Kernel, 3, 4);
    const Trace trace = build({made::Named{a, "_Z6kernelv"}, made::Named{b, "_Z6kernelv"}, work(Memset, 5, 6),
                               EnvironmentRecord{"driver", "1"}, EnvironmentRecord{"driver", "2"},
                               ProvenanceRecord{static_cast<SourceKind>(9), "t", "", ""}});
    EXPECT_EQ(trace.text(trace[0].name), "_Z6kernelv");
    EXPECT_EQ(trace[0].name, trace[1].name);
    EXPECT_EQ(trace.text(trace[2].name), "");
    EXPECT_EQ(trace.environment().at("driver"), "2");
    EXPECT_EQ(trace.provenance().source, SourceKind::Imported);
}

TEST(TraceBuilder, FinishLeavesItEmptyAndKeptCountsClasses) {
    TraceBuilder builder;
    builder.add(work(Kernel, 1, 2));
    builder.add(work(Kernel, 2, 1));
    builder.add(work(Memset, 2, 3));
    EXPECT_EQ(builder.kept(Kernel), 1u);
    EXPECT_EQ(builder.kept(Memset), 1u);
    EXPECT_EQ(builder.finish().size(), 2u);
    EXPECT_EQ(builder.kept(Kernel), 0u);
    EXPECT_EQ(builder.finish(), Trace());
}

class Recordings : public testing::TestWithParam<unsigned> {};

TEST_P(Recordings, OrderOfArrivalDoesNotShow) {
    auto records = made::randomRecords(GetParam(), 600);
    const Trace before = build(records);
    EXPECT_GT(before.counts().refused, 20u);
    EXPECT_EQ(before.counts().read, 603u);
    std::mt19937 random(GetParam());
    for (int round = 0; round < 5; ++round) {
        std::ranges::shuffle(records, random);
        EXPECT_EQ(build(records), before);
    }
    records.erase(std::ranges::find_if(
        records, [](const made::AnyRecord& r) { return std::holds_alternative<made::Named>(r); }));
    EXPECT_FALSE(build(records) == before) << "an activity less does show";
}

TEST_P(Recordings, ReplayMakesAnEqualTrace) {
    const Trace trace = build(made::randomRecords(GetParam(), 600));
    TraceBuilder builder;
    trace.replay(builder);
    EXPECT_EQ(builder.finish(), trace);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Recordings, testing::Values(1u, 2u, 3u, 4u));

TEST(Trace, AnOrdinaryActivityTakes14BytesOrLess) {
    constexpr std::size_t count = 100000;
    TraceBuilder builder;
    const TextId name = builder.intern("a copy with a name too long for the small string");
    for (std::uint32_t i = 0; i < count; ++i) {
        ActivityRecord r = work(i % 2 == 0 ? MemcpyH2D : MemcpyD2H, 1 + i * 10, 8 + i * 10, 7 + i % 16);
        r.name = name;
        r.channel = i % 4, r.channelType = ChannelType::AsyncCopy, r.bytes = 1 << 24, r.correlation = i;
        builder.add(r);
    }
    const Trace trace = builder.finish();
    ASSERT_EQ(trace.size(), count);
    EXPECT_LE(trace.memoryBytes(), 14 * count);
    EXPECT_GE(trace.memoryBytes(), 13 * count) << "a count this small forgets a column";
}

TEST(Trace, WhatManyShareIsKeptOnce) {
    TraceBuilder builder;
    for (std::uint32_t i = 0; i < 100; ++i) {
        ActivityRecord r = work(MemcpyH2D, 1 + i * 10, 8 + i * 10, 7 + i % 2);
        r.bytes = i == 50 ? std::int64_t{1} << 40 : 1 << 20; // as large as it may be
        r.correlation = i;
        r.clock = 0;
        builder.add(r);
    }
    const Trace trace = builder.finish();
    EXPECT_EQ(trace.kinds().size(), 2u) << "a copy of another size; of which stream they are does not matter";
    EXPECT_EQ(trace.bytes(50), std::int64_t{1} << 40);
    EXPECT_EQ(trace.bytes(51), 1 << 20);
    EXPECT_EQ(trace.opOf(50), kNoOp) << "no row has one: there is no column";
}

TEST(Trace, StreamsOfTwoDevicesShareNothing) {
    std::vector<ActivityRecord> records;
    for (std::uint32_t i = 0; i < 40; ++i) {
        ActivityRecord& r = records.emplace_back(work(MemcpyH2D, 1 + i * 10, 8 + i * 10, 7 + i % 4));
        r.context = 1 + i % 2, r.device = i % 4 == 0 ? 0 : kNoNumber; // of some only their context tells it
        r.channel = 3, r.channelType = ChannelType::AsyncCopy;
    }
    TraceBuilder builder;
    for (const ActivityRecord& r : records)
        builder.add(r);
    builder.add(ContextRecord{1, 0, kNoNumber, 0});
    builder.add(ContextRecord{2, 1, kNoNumber, 0});
    const Trace trace = builder.finish();
    EXPECT_EQ(trace.kinds().size(), 2u);
    EXPECT_EQ(trace.queues().size(), 4u);
    EXPECT_EQ(trace.channels().size(), 2u) << "equal numbers, but of two devices";
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        EXPECT_EQ(trace.device(i), i % 2);
        EXPECT_EQ(trace.queue(trace.queueOf(i)).number, 7 + i % 4);
        EXPECT_EQ(trace.channels()[trace.channelOf(i).value].device, i % 2);
    }
}

TEST(Trace, MoreKindsThanTwoBytesCount) {
    constexpr std::uint32_t count = 70'000;
    TraceBuilder builder;
    for (std::uint32_t i = 0; i < count; ++i) {
        ActivityRecord r = work(MemcpyH2D, 1 + i * 10, 8 + i * 10);
        r.bytes = i;
        builder.add(r);
    }
    const Trace trace = builder.finish();
    ASSERT_EQ(trace.kinds().size(), count);
    for (ActivityIndex i = 0; i < count; ++i)
        ASSERT_EQ(trace.bytes(i), std::int64_t{i});
}

TEST(Trace, IsEqualHoweverManyKindsItsRecordsHad) {
    constexpr std::uint32_t count = 80'000; // twice as many kinds as come out of it
    TraceBuilder builder;
    builder.add(ContextRecord{1, 0, kNoNumber, 0});
    for (std::uint32_t i = 0; i < count; ++i) {
        ActivityRecord r = work(MemcpyH2D, 1 + i * 10, 8 + i * 10);
        r.context = 1, r.device = i % 2 == 0 ? 0 : kNoNumber;
        r.bytes = i / 2;
        builder.add(r);
    }
    const Trace trace = builder.finish();
    ASSERT_EQ(trace.kinds().size(), count / 2);
    TraceBuilder again;
    trace.replay(again);
    EXPECT_EQ(again.finish(), trace);
    EXPECT_EQ(trace.bytes(count - 1), count / 2 - 1);
}

TEST(Trace, LongAndShortActivitiesKeepTheirEnds) {
    constexpr Ns kDay = Ns{86'400} * 1'000'000'000;
    const Trace trace = build({work(Kernel, 1, 3), work(Kernel, 10, kDay), work(Kernel, 20, 20),
                               work(Kernel, 30, 30 + (Ns{1} << 32) - 1)});
    EXPECT_EQ(trace.time(0), (Interval{1, 3}));
    EXPECT_EQ(trace.time(1), (Interval{10, kDay}));
    EXPECT_EQ(trace.time(2), (Interval{20, 20}));
    EXPECT_EQ(trace.duration(3), (Ns{1} << 32) - 1);
}

TEST(Engines, ChannelDecidesThenClass) {
    using enum ChannelType;
    EXPECT_EQ(engineOf(MemcpyH2D, AsyncCopy), EngineKind::CopyH2D);
    EXPECT_EQ(engineOf(MemcpyH2D, Unknown), EngineKind::CopyH2D);
    EXPECT_EQ(engineOf(MemcpyD2D, Compute), EngineKind::Compute) << "a copy by the SMs";
    EXPECT_EQ(engineOf(Memset, Unknown), EngineKind::Compute);
    EXPECT_EQ(engineOf(Memset, AsyncCopy), EngineKind::CopyD2D);
    EXPECT_EQ(engineOf(MemcpyOther, Unknown), EngineKind::None);
    EXPECT_EQ(engineOf(MemcpyOther, AsyncCopy), EngineKind::CopyD2D);
    EXPECT_EQ(engineOf(Kernel, Unknown), EngineKind::Compute);
    EXPECT_EQ(engineOf(Api, Compute), EngineKind::None);
    EXPECT_EQ(engineOf(HostFn, Unknown), EngineKind::None);
}

TEST(TraceBuilder, ManyRecordsInAnyOrderMakeTheSameTrace) {
    std::mt19937 random(31);
    std::vector<made::AnyRecord> records;
    for (std::uint32_t i = 0; i < 300'000; ++i) // more than two blocks of rows
        records.emplace_back(made::randomActivity(random, i % 1000));
    const Trace trace = build(records);
    std::shuffle(records.begin(), records.end(), random);
    EXPECT_EQ(build(records), trace);
    EXPECT_TRUE(isSortedByBegin(trace));
    TraceBuilder again; // in order now: the other way through finish()
    trace.replay(again);
    EXPECT_EQ(again.finish(), trace);
}

TEST(TraceBuilder, TimesFarApartAndBelowZeroAreSorted) {
    std::mt19937_64 random(32);
    std::vector<made::AnyRecord> records;
    for (int i = 0; i < 5000; ++i) {
        const Ns begin = static_cast<Ns>(random() >> (1 + random() % 60)) - (Ns{1} << 61);
        records.emplace_back(work(Kernel, begin, begin + 1));
    }
    const Trace trace = build(records);
    EXPECT_EQ(trace.size(), 5000u);
    EXPECT_TRUE(isSortedByBegin(trace));
}

TEST(TraceBuilder, CorrelationsFarApartFindTheirOpsToo) {
    TraceBuilder builder;
    for (const std::uint32_t correlation : {5u, 4'000'000'000u, kNoNumber}) {
        ActivityRecord r = work(Kernel, 1, 2);
        r.correlation = correlation;
        builder.add(r);
        builder.add(CorrelationRecord{correlation, OpId{9}});
        builder.add(CorrelationRecord{correlation, OpId{correlation / 2}});
    }
    const Trace trace = builder.finish();
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        EXPECT_EQ(trace[i].op.value, trace[i].correlation / 2) << "the last claim wins";
}

TEST(TraceBuilder, OfNumbersCountsTheHostWithoutKeepingIt) {
    TraceBuilder builder(Keeping::Numbers);
    builder.add(made::work(ActivityClass::Kernel, 100, 200));
    builder.add(made::call(ActivityClass::Api, 90, 95));
    builder.add(made::call(ActivityClass::Api, 95, 90));
    for (std::uint64_t i = 0; i < 70'000; ++i) // of one stream, which is one queue
        builder.add(StreamCallRecord{StreamCallKind::EventRecord, 1, 1, 7, 3, i + 1});
    EXPECT_FALSE(builder.wantsDetails());
    EXPECT_FALSE(builder.mustHaveEverything());
    const Trace trace = builder.finish();
    EXPECT_EQ(trace.size(), 1u);
    EXPECT_EQ(trace.counts(), (RecordCounts{3, 2, 1}));
}

TEST(TraceBuilder, OfNumbersSaysWhenEverythingIsNeeded) {
    TraceBuilder clocks(Keeping::Numbers), apart(Keeping::Numbers), crowded(Keeping::Numbers);
    for (TraceBuilder* builder : {&clocks, &apart, &crowded})
        builder->add(made::call(ActivityClass::Api, 90, 95));
    clocks.add(ClockRecord{1, 0, 1000});
    apart.add(made::call(ActivityClass::Api, -(Ns{1} << 62), -(Ns{1} << 62) + 1));
    apart.add(made::work(ActivityClass::Kernel, Ns{1} << 62, (Ns{1} << 62) + 1));
    for (std::uint32_t thread = 0; thread < 66'000; ++thread)
        crowded.add(made::call(ActivityClass::Api, 90, 95, thread));
    for (const TraceBuilder* builder : {&clocks, &apart, &crowded})
        EXPECT_TRUE(builder->mustHaveEverything());
}

} // namespace
} // namespace olab
