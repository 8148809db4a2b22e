// Raw CUPTI buffers kept from the runs of the recordings: decoded again here, without a GPU, they must give
// the same trace.
#include "recordings.h"
#include "test_places.h"

#include <olab/cupti/collector.h>
#include <olab/cupti/decode.h>
#include <olab/trace/container.h>
#include <olab/trace/trace_builder.h>

#include <gtest/gtest.h>

namespace olab {
namespace {

/// Passes on what did not come from CUPTI: host functions, solo runs, the window, the environment.
class WithoutCupti final : public ForwardingSink {
public:
    using ForwardingSink::add;
    using ForwardingSink::ForwardingSink;
    void add(const ActivityRecord& r) override {
        if (r.cls == ActivityClass::HostFn)
            target().add(r);
    }
    void add(const ContextRecord&) override {}
    void add(const StreamRecord&) override {}
    void add(const CorrelationRecord&) override {}
    void add(const StreamCallRecord& r) override {
        if (r.kind == StreamCallKind::HostFunction) // CUPTI 13.0 knows nothing of them
            target().add(r);
    }
};

std::filesystem::path rawFile(const std::string& name) {
    return std::filesystem::path(OLAB_SOURCE_DIR) / "tests/data" / (name + ".cupti");
}

void readAll(const std::string& name, RecordSink& out) {
    std::vector<RefusedRecord> defects;
    const auto take = [&](Chunk&& chunk) {
        if (chunk.type == ChunkType::Records)
            readRecords(chunk.payload, out);
    };
    readContainer(test::recordingFile(name), take, defects);
    EXPECT_TRUE(defects.empty());
}

/// The same trace, its texts and queues numbered in the order of time: files and buffers hand records over in
/// different orders.
Trace renumbered(const Trace& trace) {
    TraceBuilder builder;
    trace.replay(builder);
    return builder.finish();
}

/// As recordings are that are older than stream calls.
Trace olderThanCalls(const Trace& trace) {
    class Older final : public ForwardingSink {
    public:
        using ForwardingSink::add;
        using ForwardingSink::ForwardingSink;
        void add(const StreamCallRecord&) override {}
    };
    TraceBuilder builder;
    Older older(builder);
    trace.replay(older);
    return builder.finish();
}

class RawCuptiTest : public ::testing::TestWithParam<std::string> {};

TEST_P(RawCuptiTest, DecodesAgainIntoTheSameTrace) {
    if (cupti::probeCupti().version == 0)
        GTEST_SKIP() << "libcupti cannot be loaded here";
    TraceBuilder recorded, again;
    readAll(GetParam(), recorded);
    WithoutCupti rest(again);
    readAll(GetParam(), rest);
    cupti::decodeRawBuffers(rawFile(GetParam()), again);
    const Trace a = recorded.finish(),
                b = a.recordsStreamCalls() ? again.finish() : olderThanCalls(again.finish());
    ASSERT_GT(a.size(), 0u);
    ASSERT_EQ(a.size(), b.size());
    EXPECT_TRUE(renumbered(a) == renumbered(b));
}

/// The recordings whose raw buffers were kept too.
std::vector<std::string> namesWithRawBuffers() {
    std::vector<std::string> names = test::recordingNames();
    std::erase_if(names, [](const std::string& name) { return !std::filesystem::exists(rawFile(name)); });
    return names;
}

TEST(RawCupti, EveryFileOfBuffersHasItsRecording) {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(OLAB_SOURCE_DIR "/tests/data"))
        files += entry.path().extension() == ".cupti";
    EXPECT_EQ(files, namesWithRawBuffers().size());
    EXPECT_GE(files, 4u);
}

std::string testName(const ::testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Recordings, RawCuptiTest, ::testing::ValuesIn(namesWithRawBuffers()), testName);

} // namespace
} // namespace olab
