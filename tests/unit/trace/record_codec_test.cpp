#include "made_records.h"

#include <olab/trace/container.h>
#include <olab/trace/limits.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <unistd.h>

namespace olab {
namespace {

using made::AnyRecord;
using Bytes = std::vector<std::byte>;

std::vector<Bytes> encode(const std::vector<AnyRecord>& records) {
    const auto path =
        std::filesystem::temp_directory_path() / ("olab_codec_" + std::to_string(getpid()) + ".olab");
    {
        ContainerWriter file(path);
        RecordWriter writer(file);
        made::give(records, writer);
        writer.flush();
    }
    std::vector<Bytes> chunks;
    std::vector<RefusedRecord> defects;
    readContainer(
        path, [&chunks](Chunk&& c) { chunks.push_back(std::move(c.payload)); }, defects);
    EXPECT_TRUE(defects.empty());
    std::filesystem::remove(path);
    return chunks;
}

std::vector<AnyRecord> decode(const std::vector<Bytes>& chunks) {
    made::Kept kept;
    for (const Bytes& chunk : chunks)
        readRecords(chunk, kept);
    return kept.records;
}

bool hasDefect(const std::vector<AnyRecord>& records, DefectCode code) {
    return std::ranges::any_of(records, [code](const AnyRecord& r) {
        return std::holds_alternative<RefusedRecord>(r) && std::get<RefusedRecord>(r).code == code;
    });
}

TEST(RecordCodec, GivesBackEveryRecordInOrder) {
    const auto records = made::randomRecords(11, 5000);
    const auto chunks = encode(records);
    EXPECT_GT(chunks.size(), 1u) << "the test wants several chunks";
    EXPECT_EQ(decode(chunks), records);
}

TEST(RecordCodec, KeepsTheExtremesOfEveryField) {
    constexpr auto low = std::numeric_limits<std::int64_t>::min(),
                   high = std::numeric_limits<std::int64_t>::max();
    constexpr auto all = std::numeric_limits<std::uint64_t>::max();
    ActivityRecord a = made::work(static_cast<ActivityClass>(255), low, high);
    a.bytes = low;
    a.device = a.context = a.stream = a.thread = a.correlation = kNoNumber;
    a.channel = kNoNumber - 1;
    a.flags = 255;
    a.geometry = KernelGeometry{{kNoNumber, 0, 1}, {1, kNoNumber, 1}, kNoNumber, kNoNumber, kNoNumber};
    ActivityRecord b = made::work(ActivityClass::Kernel, high, low);
    a.process = a.clock = kNoNumber;
    const std::vector<AnyRecord> records{
        made::Named{a, std::string("with\0zero", 9)},
        b,
        ProcessRecord{kNoNumber, kNoNumber, low, ""},
        ProcessRecord{1, 2, 3, "trainer", 7},
        DeviceRecord{.device = 3, .name = "", .uuid = "GPU-1", .rank = 0},
        RankRecord{kNoNumber - 1, "rank 3", "a.json", static_cast<RankAlignment>(255), low, high, -1, all,
                   "x"},
        StreamCallRecord{static_cast<StreamCallKind>(255), kNoNumber, 0, kNoNumber, 0, all, kNoNumber},
        ClockRecord{kNoNumber, low, high},
        StreamRecord{0, 0, static_cast<StreamKind>(255), std::numeric_limits<std::int32_t>::min()},
        SoloRecord{kNoNumber, ActivityClass::Memset, high, low, 0, all, all},
        RefusedRecord{static_cast<DefectCode>(65535), all, ~0u, std::string(kMaxTextBytes, 'x'), true},
        WindowRecord{high, low, false},
        EnvironmentRecord{"", "\xff\n"}};
    EXPECT_EQ(decode(encode(records)), records);
}

TEST(RecordCodec, EveryChunkCanBeReadAlone) {
    const auto chunks = encode(made::randomRecords(12, 5000));
    ASSERT_GT(chunks.size(), 2u);
    std::size_t sum = 0;
    for (const Bytes& chunk : chunks) {
        const auto records = decode({chunk});
        EXPECT_FALSE(hasDefect(records, DefectCode::BadChunk));
        sum += records.size();
    }
    EXPECT_EQ(sum, decode(chunks).size());
}

TEST(RecordCodec, IsCompact) {
    std::vector<AnyRecord> records;
    for (std::uint32_t i = 0; i < 10000; ++i) {
        ActivityRecord r = made::work(ActivityClass::Kernel, 1760000000000000000 + i * 10000,
                                      1760000000000008000 + i * 10000);
        r.correlation = i;
        records.emplace_back(made::Named{r, "_Z15fmaChainKernelPfi"});
    }
    std::size_t size = 0;
    for (const Bytes& chunk : encode(records))
        size += chunk.size();
    EXPECT_LT(size, 32u * 10000u);
}

TEST(RecordCodec, ARecordingComesBackAsAnEqualTrace) {
    const auto records = made::randomRecords(13, 3000);
    EXPECT_EQ(made::build(decode(encode(records))), made::build(records));
}

TEST(RecordCodec, UnknownRecordTypesAreSkippedAndCounted) {
    const std::vector<AnyRecord> one{EnvironmentRecord{"key", "value"}};
    Bytes chunk = encode(one)[0];
    const Bytes unknown{std::byte{99}, std::byte{3}, std::byte{1}, std::byte{2}, std::byte{3}};
    chunk.insert(chunk.begin() + 1, unknown.begin(), unknown.end());
    const auto records = decode({chunk});
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[0], one[0]);
    EXPECT_TRUE(hasDefect(records, DefectCode::UnknownKind));
}

TEST(RecordCodec, DevicesOfFilesOlderThanRanksHaveNone) {
    const DeviceRecord alone{.device = 1, .name = "H200", .uuid = ""};
    DeviceRecord ofRank = alone;
    ofRank.rank = 0;
    const Bytes older = encode({alone})[0], newer = encode({ofRank})[0];
    EXPECT_EQ(newer.size(), older.size() + 1) << "what has no rank is written as it always was";
    EXPECT_EQ(decode({older}), std::vector<AnyRecord>{alone});
    EXPECT_EQ(decode({newer}), std::vector<AnyRecord>{ofRank});
}

TEST(RecordCodec, FieldsOfANewerVersionAreIgnored) {
    // form, an environment record (9) whose body has two texts and three bytes more
    const Bytes chunk{std::byte{1}, std::byte{9}, std::byte{5}, std::byte{0},
                      std::byte{0}, std::byte{7}, std::byte{7}, std::byte{7}};
    EXPECT_EQ(decode({chunk}), (std::vector<AnyRecord>{EnvironmentRecord{"", ""}}));
}

TEST(RecordCodec, ARefusedActivityIsCountedAsRead) {
    const Bytes chunk{std::byte{1}, std::byte{5}, std::byte{1}, std::byte{0}}; // an activity of one byte
    TraceBuilder builder;
    readRecords(chunk, builder);
    EXPECT_EQ(builder.finish().counts(), (RecordCounts{1, 0, 1}));
}

TEST(RecordCodec, TruncatedAnywhereNeverInventsRecords) {
    const auto records = made::randomRecords(14, 40);
    const Bytes whole = encode(records)[0];
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto got = decode({Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))});
        std::size_t same = 0;
        while (same < got.size() && same < records.size() && got[same] == records[same])
            ++same;
        ASSERT_LE(got.size(), same + 1) << "nothing but a defect follows the true records";
        ASSERT_TRUE(got.size() == same || hasDefect({got.back()}, DefectCode::BadChunk));
    }
}

TEST(RecordCodec, DamageNeverCrashes) {
    const Bytes whole = encode(made::randomRecords(15, 60))[0];
    std::mt19937 random(15);
    for (int round = 0; round < 4000; ++round) {
        Bytes damaged = whole;
        for (unsigned i = 1 + random() % 8; i > 0; --i)
            damaged[random() % damaged.size()] = static_cast<std::byte>(random());
        TraceBuilder builder;
        readRecords(damaged, builder);
        const Trace trace = builder.finish();
        ASSERT_EQ(trace.counts().read, trace.counts().kept + trace.counts().refused);
        TraceBuilder again;
        trace.replay(again);
        ASSERT_EQ(again.finish(), trace) << "whatever was accepted is sound enough to be written again";
    }
}

TEST(RecordCodec, ACutTextIsCounted) {
    constexpr std::size_t limit = kMaxTextBytes;
    const auto got =
        decode(encode({EnvironmentRecord{std::string(limit, 'k'), "whole"},
                       EnvironmentRecord{"longer", std::string(limit + 1, 'x')},
                       RefusedRecord{DefectCode::BadChunk, 1, 0, std::string(2 * limit, 'y'), false},
                       WindowRecord{1, 2, true}}));
    const RefusedRecord cut{DefectCode::TextCut, 1, kAllClasses, "", false};
    ASSERT_EQ(got.size(), 6u);
    EXPECT_EQ(std::get<EnvironmentRecord>(got[0]).key.size(), limit);
    EXPECT_EQ(got[1], AnyRecord(EnvironmentRecord{"longer", std::string(limit, 'x')}));
    EXPECT_EQ(got[2], AnyRecord(cut));
    EXPECT_EQ(got[4], AnyRecord(cut));
    EXPECT_EQ(got[5], AnyRecord(WindowRecord{1, 2, true}));
}

TEST(RecordCodec, NothingOfARecordStaysInTheNext) {
    ActivityRecord full = made::work(ActivityClass::Kernel, 1, 2);
    full.geometry = KernelGeometry{{2, 3, 4}, {5, 6, 7}, 8, 9, 10};
    const made::Named named{full, "a name that needs memory of its own, as kernels' do"};
    const std::vector<AnyRecord> records{named, ActivityRecord{}, named,
                                         made::work(ActivityClass::Memset, 5, 6)};
    EXPECT_EQ(decode(encode(records)), records);
}

TEST(RecordCodec, RandomBytesNeverCrash) {
    std::mt19937 random(16);
    for (int round = 0; round < 20000; ++round) {
        Bytes noise(random() % 200);
        for (std::byte& b : noise)
            b = static_cast<std::byte>(random() % (round % 2 == 0 ? 16 : 256));
        if (!noise.empty() && round % 4 != 3)
            noise[0] = std::byte{1};
        TraceBuilder builder;
        readRecords(noise, builder);
        const Trace trace = builder.finish();
        ASSERT_EQ(trace.counts().read, trace.counts().kept + trace.counts().refused);
    }
}

} // namespace
} // namespace olab
