// Several recordings as one, on the command line.
#include "cli_fixture.h"

namespace olab::test {
namespace {

std::string event(const std::string& name, int begin, int length, int stream) {
    return R"({"ph": "X", "cat": "kernel", "name": ")" + name + R"(", "pid": 0, "tid": )" +
           std::to_string(stream) + ", \"ts\": " + std::to_string(begin) +
           ", \"dur\": " + std::to_string(length) + R"(, "args": {"device": 0, "context": 1, "stream": )" +
           std::to_string(stream) + R"(, "correlation": 5, "grid": [2, 1, 1], "block": [64, 1, 1]}})";
}

/// Eight steps with an all-reduce; rank 1 comes 200 us late to it.
std::string rankFile(int rank) {
    std::string events;
    for (int step = 0; step < 8; ++step) {
        const int begin = 1000 * step + 7 * step * step, arrived = begin + 300 + 200 * rank;
        events += (events.empty() ? "" : ",") + event("gemm", begin, arrived - begin, 7) + "," +
                  event("ncclDevKernel_AllReduce_Sum_f32_RING_LL", arrived, begin + 800 - arrived, 8);
    }
    return R"({"schemaVersion": 1, "baseTimeNanoseconds": 1700000000000000000, "distributedInfo": {"rank": )" +
           std::to_string(rank) + "}, \"traceEvents\": [" + events + "]}";
}

class MergeCli : public Cli {
protected:
    MergeCli() {
        for (int rank = 0; rank < 2; ++rank)
            std::ofstream(m_folder / ("r" + std::to_string(rank) + ".json")) << rankFile(rank);
    }
};

TEST_F(MergeCli, AnalyzeTellsTheRanksTheirAlignmentAndWhoIsLate) {
    const Result r = olab("analyze --merge r0.json r1.json --json");
    ASSERT_EQ(r.code, 0) << r.err;
    const json report = json::parse(r.out);
    ASSERT_EQ(report["ranks"].size(), 2u);
    EXPECT_EQ(report["ranks"][0]["name"], "rank 0");
    EXPECT_EQ(report["ranks"][0]["aligned_by"], "reference");
    EXPECT_EQ(report["ranks"][1]["aligned_by"], "clocks");
    EXPECT_EQ(report["ranks"][1]["devices"], json({"1"}));
    EXPECT_EQ(report["ranks"][1]["shared_collectives"], 8);
    EXPECT_EQ(report["collectives"]["straggler"], "rank 1");
    EXPECT_EQ(report["collectives"]["devices"][1]["last"], 8);
    EXPECT_EQ(report["collectives"]["devices"][0]["waited_ns"], 8 * 200'000);
    EXPECT_EQ(report["devices"].size(), 2u);
    bool found = false;
    for (const json& finding : report["findings"])
        found = found || (finding["id"] == "straggler" && finding["lost_ns"] == 8 * 200'000);
    EXPECT_TRUE(found);
    EXPECT_THAT(olab("analyze --merge r0.json r1.json").out,
                HasSubstr("rank 1 arrives last at 100 % of 8 collectives; the others wait 1.60 ms"));
}

TEST_F(MergeCli, NumbersAreThoseOfEachFile) {
    const json merged = json::parse(olab("analyze --merge --numbers r0.json r1.json").out);
    for (int rank = 0; rank < 2; ++rank) {
        const std::string id = std::to_string(rank);
        json alone = json::parse(olab("analyze --numbers r" + id + ".json").out)["devices"]["0"];
        json there = merged["devices"][id];
        for (const char* moved : {"first_ns", "last_ns"})
            alone.erase(moved), there.erase(moved);
        EXPECT_EQ(there, alone);
    }
}

TEST_F(MergeCli, ConvertWritesOneFileThatSaysTheSame) {
    ASSERT_EQ(olab("convert r0.json r1.json -o all.olab").code, 0);
    const json report = json::parse(olab("analyze all.olab --json").out);
    EXPECT_EQ(report["ranks"].size(), 2u);
    EXPECT_EQ(report["collectives"]["straggler"], "rank 1");
    ASSERT_EQ(olab("convert r0.json r1.json -o all.report.json").code, 0);
    EXPECT_EQ(olab("convert all.olab all.json").code, 0) << "two names are IN and OUT";
}

TEST_F(MergeCli, WhatIsNotMeantIsRefused) {
    expectUsageError("analyze --merge r0.json", "One recording alone");
    expectUsageError("convert r0.json r1.json all.olab", "Which of these files is to be written?");
    expectUsageError("convert r0.json", "No file to write");
    expectUsageError("analyze --merge r0.json none.json", "none.json");
}

} // namespace
} // namespace olab::test
