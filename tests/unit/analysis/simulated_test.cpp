// Schedule to report: what the simulator's runs of the four experiments of the demonstration are judged to
// be.
#include "simulated_run.h"

namespace olab::test {
namespace {

using testing::HasSubstr;

analysis::Report simulated(const std::vector<std::string>& options) {
    return SimulatedRun(options).report;
}

analysis::VerdictKind kindOf(const analysis::Report& report, ActivityClass a, ActivityClass b) {
    return verdictOf(report, a, b).kind;
}

TEST(Simulated, DefaultsOverlap) {
    const analysis::Report report = simulated({});
    EXPECT_EQ(kindOf(report, MemcpyH2D, Kernel), analysis::VerdictKind::Overlapped);
    EXPECT_EQ(kindOf(report, MemcpyD2H, Kernel), analysis::VerdictKind::Overlapped);
    for (const char* id : {"pageable", "same-stream", "null-stream", "memset-full-grid", "launch-bound"})
        EXPECT_EQ(findingOf(report, id), nullptr) << id;
    EXPECT_EQ(defectOf(report, DefectCode::MissingOps), nullptr);
    EXPECT_EQ(defectOf(report, DefectCode::ExtraOps), nullptr);
    ASSERT_TRUE(report.bounds.efficiency);
    EXPECT_GT(*report.bounds.efficiency, 0.8);
}

TEST(Simulated, PageableMemorySerializes) {
    const analysis::Report report = simulated({"h2d.memory=pageable", "d2h.memory=pageable"});
    EXPECT_EQ(kindOf(report, MemcpyH2D, Kernel), analysis::VerdictKind::Serialized);
    EXPECT_EQ(kindOf(report, MemcpyD2H, Kernel), analysis::VerdictKind::Serialized);
    ASSERT_NE(findingOf(report, "pageable"), nullptr);
    EXPECT_EQ(findingOf(report, "launch-bound"), nullptr);
}

TEST(Simulated, TheNullStreamSerializesBlockingStreams) {
    for (const char* op : {"memset", "kernel", "event"}) {
        const analysis::Report report = simulated({"stream.kind=blocking", std::string("null_op=") + op});
        EXPECT_EQ(kindOf(report, MemcpyH2D, Kernel), analysis::VerdictKind::Serialized) << op;
        EXPECT_NE(findingOf(report, "null-stream"), nullptr) << op;
    }
}

TEST(Simulated, TheNullStreamLeavesNonBlockingStreamsAlone) {
    for (const char* op : {"memset", "kernel", "event"}) {
        const analysis::Report report = simulated({"stream.kind=nonblocking", std::string("null_op=") + op});
        EXPECT_EQ(kindOf(report, MemcpyH2D, Kernel), analysis::VerdictKind::Overlapped) << op;
        EXPECT_EQ(findingOf(report, "null-stream"), nullptr) << op;
    }
}

TEST(Simulated, AFullGridSerializesMemsets) {
    const analysis::Report report = simulated({"kernel.blocks=fill:8", "kernel.us=800", "streams=2"});
    EXPECT_EQ(kindOf(report, Memset, Kernel), analysis::VerdictKind::Serialized);
    const analysis::Finding* f = findingOf(report, "memset-full-grid");
    ASSERT_NE(f, nullptr);
    EXPECT_THAT(f->text, HasSubstr("its grid of 8448 blocks fills the device (1056 at once)"));
}

TEST(Simulated, WhatTheCopiesSpaceOutIsApart) {
    const analysis::Report report = simulated({"h2d.bytes=64MiB", "d2h.bytes=64MiB", "kernel.us=100"});
    EXPECT_EQ(kindOf(report, Memset, Kernel), analysis::VerdictKind::Apart);
    EXPECT_EQ(kindOf(report, MemcpyH2D, Kernel), analysis::VerdictKind::Overlapped);
}

TEST(Simulated, OneStreamIsSaidToBeOne) {
    const analysis::Report report = simulated({"streams=1"});
    EXPECT_EQ(kindOf(report, MemcpyH2D, Kernel), analysis::VerdictKind::Serialized);
    EXPECT_NE(findingOf(report, "same-stream"), nullptr);
    EXPECT_EQ(report.bounds.limiting, "chain") << "in several streams it would overlap";
}

} // namespace
} // namespace olab::test
