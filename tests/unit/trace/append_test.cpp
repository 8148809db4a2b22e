// What comes side by side is taken by several builders and appended: the trace is the one that a single
// builder makes, to the last defect.
#include "made_records.h"

#include <olab/trace/container.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

namespace olab {
namespace {

using made::AnyRecord;

/// The records in stretches of `each`, taken by two builders in turns, each used again and again.
Trace inStretches(const std::vector<AnyRecord>& records, std::size_t each) {
    TraceBuilder all;
    std::array<TraceBuilder, 2> parts;
    const std::array both{&parts[0], &parts[1]};
    for (std::size_t from = 0; from < records.size();) {
        for (TraceBuilder& part : parts) {
            const auto first = records.begin() + static_cast<std::ptrdiff_t>(from);
            const std::size_t count = std::min(each, records.size() - from);
            made::give({first, first + static_cast<std::ptrdiff_t>(count)}, part);
            from += count;
        }
        all.append(both);
    }
    return all.finish();
}

class Stretches : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Stretches, MakeTheTraceOfAllOfThem) {
    for (const unsigned seed : {1u, 2u, 3u}) {
        const auto records = made::randomRecords(seed, 3000);
        EXPECT_EQ(inStretches(records, GetParam()), made::build(records)) << "seed " << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(Append, Stretches, ::testing::Values(1, 7, 500, 100'000));

TEST(Append, TheLastWordCountsAcrossStretches) {
    const std::vector<AnyRecord> records{ProvenanceRecord{SourceKind::Cuda, "first", "1", ""},
                                         EnvironmentRecord{"driver", "1"},
                                         DeviceRecord{0, "first", "", 1, 1, 1, 1, 1, 1, 1, 1, 1},
                                         ContextRecord{1, 0, 7},
                                         StreamRecord{1, 8, StreamKind::NonBlocking, -2},
                                         CorrelationRecord{5, OpId{1}},
                                         made::work(ActivityClass::Kernel, 100, 200, 8),
                                         EnvironmentRecord{"driver", "2"},
                                         DeviceRecord{0, "second", "", 2, 1, 1, 1, 1, 1, 1, 1, 1},
                                         ContextRecord{1, 0, 8},
                                         StreamRecord{1, 8, StreamKind::Blocking, 3},
                                         CorrelationRecord{5, OpId{2}}};
    const Trace trace = inStretches(records, 4);
    EXPECT_EQ(trace, made::build(records));
    EXPECT_EQ(trace.provenance().tool, "first") << "a stretch without provenance says nothing of it";
    EXPECT_EQ(trace.environment().at("driver"), "2");
    EXPECT_EQ(trace.devices()[0].name, "second");
}

TEST(Append, RowsOfSeveralStretchesAreSortedTogether) {
    std::vector<AnyRecord> records;
    for (Ns begin : {500, 300, 300, 900, 100, 300})
        records.emplace_back(made::work(ActivityClass::Kernel, begin, begin + 50, 8));
    const Trace trace = inStretches(records, 2);
    ASSERT_EQ(trace.size(), 6u);
    for (ActivityIndex i = 1; i < trace.size(); ++i)
        EXPECT_LE(trace.begin(i - 1), trace.begin(i));
    EXPECT_EQ(trace, made::build(records));
}

TEST(Append, DefectsBeyondTheirLimitAreStillCounted) {
    std::vector<AnyRecord> records;
    for (int i = 0; i < 3000; ++i)
        records.emplace_back(
            RefusedRecord{DefectCode::BadRecord, 1, kAllClasses, "detail " + std::to_string(i), true});
    const auto countOf = [](const Trace& trace) {
        std::uint64_t count = 0;
        for (const Defect& defect : trace.defects())
            count += defect.count;
        return count;
    };
    const Trace trace = inStretches(records, 800);
    EXPECT_EQ(countOf(trace), 3000u);
    EXPECT_EQ(trace.counts().refused, 3000u);
}

TEST(Append, EachActivityMayHaveANameOfItsOwn) {
    std::vector<AnyRecord> records;
    for (std::uint32_t i = 0; i < 150'000; ++i) // more names than a stretch keeps for the next one
        records.emplace_back(
            made::Named{made::call(ActivityClass::Nvtx, i * 10, i * 10 + 5), "step " + std::to_string(i)});
    const Trace trace = inStretches(records, 70'000);
    EXPECT_EQ(trace, made::build(records));
    EXPECT_EQ(trace.text(trace.nameOf(149'999)), "step 149999");
}

/// A file of several waves: small records, so that rows of neighbours cross.
void writeLarge(const std::filesystem::path& path, std::uint32_t count, std::uint32_t streams) {
    ContainerWriter file(path);
    RecordWriter writer(file);
    std::mt19937 random(3);
    made::give(made::randomRecords(4, 2000), writer);
    for (std::uint32_t i = 0; i < count; ++i) {
        ActivityRecord r = made::randomActivity(random, 10'000 + i);
        r.begin += Ns{i} * 40, r.end += Ns{i} * 40;
        r.stream = r.stream == kNoNumber ? r.stream : 7 + i % streams;
        r.name = writer.intern("kernel " + std::to_string(random() % 300));
        if (i % 1000 == 0)
            writer.add(CorrelationRecord{10'000 + i, OpId{i}});
        writer.add(r);
    }
    writer.flush();
}

/// Lets stretches through to the builder behind it, and counts the activities that come one by one.
class Through : public ForwardingSink {
public:
    explicit Through(TraceBuilder& builder)
        : ForwardingSink(builder)
        , m_builder(builder) {}
    using ForwardingSink::add;
    void add(const ActivityRecord& r) override {
        ++oneByOne;
        ForwardingSink::add(r);
    }
    TraceBuilder* builderOfStretches() override { return &m_builder; }
    int oneByOne = 0;

private:
    TraceBuilder& m_builder;
};

class LargeFiles : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(LargeFiles, DecodeSideBySideToTheSameTrace) {
    const auto path =
        std::filesystem::temp_directory_path() / ("olab_append_" + std::to_string(getpid()) + ".olab");
    writeLarge(path, 700'000, GetParam());
    EXPECT_GT(std::filesystem::file_size(path), 17u << 20) << "the test wants more than two waves of chunks";
    TraceBuilder oneByOne, sideBySide, behind;
    Through through(behind);
    RecordChunks chunks(sideBySide), chunksThrough(through);
    std::vector<RefusedRecord> damage;
    readContainer(
        path,
        [&](Chunk&& chunk) {
            readRecords(chunk.payload, oneByOne);
            chunksThrough.take(std::vector(chunk.payload));
            chunks.take(std::move(chunk.payload));
        },
        damage);
    chunks.finish();
    chunksThrough.finish();
    std::filesystem::remove(path);
    EXPECT_TRUE(damage.empty());
    const Trace wanted = oneByOne.finish();
    EXPECT_GT(wanted.size(), 600'000u);
    for (ActivityIndex i = 1; i < wanted.size(); ++i)
        ASSERT_TRUE(std::pair(wanted.begin(i - 1), wanted.end(i - 1)) <=
                    std::pair(wanted.begin(i), wanted.end(i)))
            << i;
    EXPECT_EQ(sideBySide.finish(), wanted);
    EXPECT_EQ(through.oneByOne, 0) << "it said who takes stretches";
    EXPECT_EQ(behind.finish(), wanted);
}

INSTANTIATE_TEST_SUITE_P(Append, LargeFiles, ::testing::Values(8, 5000));

TEST(Append, AnyOtherSinkGetsTheRecordsInTheirOrder) {
    const auto path =
        std::filesystem::temp_directory_path() / ("olab_append_" + std::to_string(getpid()) + ".olab");
    const auto records = made::randomRecords(11, 5000);
    {
        ContainerWriter file(path);
        RecordWriter writer(file);
        made::give(records, writer);
        writer.flush();
    }
    made::Kept kept;
    RecordChunks chunks(kept);
    std::vector<RefusedRecord> damage;
    readContainer(
        path, [&](Chunk&& chunk) { chunks.take(std::move(chunk.payload)); }, damage);
    chunks.finish();
    std::filesystem::remove(path);
    EXPECT_EQ(kept.records, records);
}

} // namespace
} // namespace olab
