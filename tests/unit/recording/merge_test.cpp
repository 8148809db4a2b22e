// Recordings put together: where each lies, whose each device is, and that nothing of it changes.
#include "made_ranks.h"

#include <olab/analysis/analyze.h>
#include <olab/analysis/collectives.h>
#include <olab/recording/merge.h>
#include <olab/trace/container.h>
#include <olab/trace/lanes_of.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace olab::test {
namespace {

using testing::HasSubstr;
using testing_import::TextFile;

std::vector<recording::MergePart> partsOf(const std::vector<std::string>& files) {
    std::vector<recording::MergePart> parts;
    for (const std::string& text : files) {
        const TextFile file(text);
        parts.push_back(recording::partOf(io::readRecording(file.path()),
                                          "file" + std::to_string(parts.size()) + ".json"));
    }
    return parts;
}

Trace mergedOf(const std::vector<std::string>& files) {
    return recording::mergeRecordings(partsOf(files)).trace;
}

Defect defectIn(const Trace& trace, DefectCode code) {
    return testing_import::defectOf(trace, code);
}

/// All that the counting contract counts; when is shifted by whoever merges.
void expectSameNumbers(const analysis::DeviceReport& merged, const analysis::DeviceReport& alone) {
    EXPECT_EQ(merged.span, alone.span);
    EXPECT_EQ(merged.idle, alone.idle);
    EXPECT_EQ(merged.busyAny, alone.busyAny);
    EXPECT_EQ(merged.pairs, alone.pairs);
    EXPECT_EQ(merged.enginePairs, alone.enginePairs);
    EXPECT_EQ(merged.derived.copyBusy, alone.derived.copyBusy);
    EXPECT_EQ(merged.derived.kernelAndCopy, alone.derived.kernelAndCopy);
    ASSERT_EQ(merged.classes.size(), alone.classes.size());
    for (const auto& [cls, numbers] : alone.classes) {
        const analysis::ClassNumbers& there = merged.classes.at(cls);
        EXPECT_EQ(there.count, numbers.count) << className(cls);
        EXPECT_EQ(there.busy, numbers.busy) << className(cls);
        EXPECT_EQ(there.sum, numbers.sum) << className(cls);
        EXPECT_EQ(there.concurrent, numbers.concurrent) << className(cls);
        EXPECT_EQ(there.bytes, numbers.bytes) << className(cls);
        EXPECT_EQ(there.streams, numbers.streams) << className(cls);
    }
}

void expectNumbersOfTheFiles(const Trace& merged, const std::vector<std::string>& files) {
    const std::vector<analysis::DeviceReport> all = testing_import::numbersOf(merged);
    std::size_t at = 0;
    for (const std::string& file : files)
        for (const analysis::DeviceReport& alone : testing_import::numbersOf(testing_import::read(file))) {
            ASSERT_LT(at, all.size());
            expectSameNumbers(all[at++], alone);
        }
    EXPECT_EQ(at, all.size());
}

TEST(Merge, RanksWithTheSameDeviceNumberStayApartAndKeepTheirNumbersToTheNanosecond) {
    const auto files = madeRanks({.ranks = 8});
    const Trace merged = mergedOf(files);
    ASSERT_EQ(merged.devices().size(), 8u);
    ASSERT_EQ(merged.ranks().size(), 8u);
    for (std::uint32_t rank = 0; rank < 8; ++rank) {
        EXPECT_EQ(merged.ranks()[rank].name, "rank " + std::to_string(rank));
        EXPECT_EQ(merged.devices()[rank].rank, rank);
    }
    EXPECT_EQ(merged.deviceText(3), "rank 3 · GPU 3");
    expectNumbersOfTheFiles(merged, files);
    RecordCounts counts;
    for (const std::string& file : files) {
        const RecordCounts alone = testing_import::read(file).counts();
        counts.read += alone.read, counts.kept += alone.kept, counts.refused += alone.refused;
    }
    EXPECT_EQ(merged.counts(), counts);
}

TEST(Merge, ClocksThatAgreeAreKeptAndTheEndsOfCollectivesTellHowExactlyTheyAre) {
    const Trace merged = mergedOf(madeRanks({.clockError = [](int rank) { return Ns{rank} * 5'000; }}));
    EXPECT_EQ(merged.ranks()[0].alignment, RankAlignment::Reference);
    for (std::size_t rank = 1; rank < 4; ++rank) {
        const RankRecord& there = merged.ranks()[rank];
        EXPECT_EQ(there.alignment, RankAlignment::Clocks);
        EXPECT_EQ(there.correction, 0);
        EXPECT_EQ(there.shared, 20u);
        EXPECT_NEAR(static_cast<double>(there.error), 5'000. * static_cast<double>(rank), 3'000);
    }
    EXPECT_EQ(defectIn(merged, DefectCode::ClocksDisagree).count, 0u);
}

TEST(Merge, FilesWithDifferentBasesMeetInWallTime) {
    auto files = madeRanks({.ranks = 2, .collectives = false});
    MadeRun later{.ranks = 2, .base = 1'700'000'000'000'000'000 - 7'000'000};
    later.collectives = false;
    files[1] = madeRanks(later)[1];
    const auto parts = partsOf(files);
    const Ns first = parts[1].trace->span().begin;
    const Trace merged = recording::mergeRecordings(parts).trace;
    EXPECT_EQ(merged.ranks()[1].alignment, RankAlignment::Clocks);
    EXPECT_EQ(merged.ranks()[1].error, -1) << "no collective shows it";
    EXPECT_EQ(merged.ranks()[1].shift - merged.ranks()[0].shift, -7'000'000);
    EXPECT_EQ(merged.span().begin, first + merged.ranks()[1].shift);
    EXPECT_EQ(merged.environment().at("import.base_time_ns"),
              std::to_string(1'700'000'000'000'000'000 - merged.ranks()[0].shift));
}

TEST(Merge, CollectivesCorrectAClockThatIsWrongAndItIsTold) {
    const auto files = madeRanks({.clockError = [](int rank) { return rank == 2 ? Ns{3'000'000} : Ns{0}; }});
    const Trace merged = mergedOf(files);
    const RankRecord& wrong = merged.ranks()[2];
    EXPECT_EQ(wrong.alignment, RankAlignment::Collectives);
    EXPECT_NEAR(static_cast<double>(wrong.correction), -3'000'000., 3'000);
    EXPECT_LT(wrong.error, 4'000);
    const Defect told = defectIn(merged, DefectCode::ClocksDisagree);
    EXPECT_EQ(told.count, 1u);
    EXPECT_EQ(told.severity(), Severity::Notice);
    EXPECT_THAT(told.detail, HasSubstr("rank 2 by 3"));
    expectNumbersOfTheFiles(merged, files);
}

TEST(Merge, WithoutWallTimeTheCollectivesAloneAlign) {
    const auto files =
        madeRanks({.saysBase = false, .clockError = [](int rank) { return Ns{rank} * 40'000'000'000; }});
    const Trace merged = mergedOf(files);
    for (std::size_t rank = 1; rank < 4; ++rank) {
        EXPECT_EQ(merged.ranks()[rank].alignment, RankAlignment::Collectives);
        EXPECT_NEAR(static_cast<double>(merged.ranks()[rank].shift - merged.ranks()[0].shift),
                    -40'000'000'000. * static_cast<double>(rank), 3'000);
    }
    const auto collectives = analysis::collectivesOf(merged);
    ASSERT_NE(collectives, nullptr);
    EXPECT_EQ(collectives->shared, 20u);
    EXPECT_EQ(collectives->alone, 0u);
}

TEST(Merge, StepsThatARankMissesDoNotMoveIt) {
    MadeRun run{.saysBase = false};
    run.clockError = [](int rank) { return Ns{rank} * 7'000'000'000; };
    run.missing = [](int rank, int step) { return rank == 1 && (step < 3 || step == 11); };
    const Trace merged = mergedOf(madeRanks(run));
    EXPECT_EQ(merged.ranks()[1].alignment, RankAlignment::Collectives);
    EXPECT_EQ(merged.ranks()[1].shared, 16u);
    EXPECT_NEAR(static_cast<double>(merged.ranks()[1].shift - merged.ranks()[0].shift), -7'000'000'000.,
                3'000);
    const auto collectives = analysis::collectivesOf(merged);
    ASSERT_NE(collectives, nullptr);
    EXPECT_EQ(collectives->shared, 20u);
    EXPECT_EQ(collectives->devices[1].count, 16u);
    EXPECT_EQ(collectives->devices[0].count, 20u);
}

TEST(Merge, WhatNothingAlignsIsToldAndComparedWithNobody) {
    const auto files = madeRanks({.ranks = 2, .saysBase = false, .collectives = false});
    const Trace merged = mergedOf(files);
    EXPECT_EQ(merged.ranks()[1].alignment, RankAlignment::Unaligned);
    const Defect told = defectIn(merged, DefectCode::NotAligned);
    EXPECT_EQ(told.count, 1u);
    EXPECT_EQ(told.detail, "rank 1");
    EXPECT_EQ(told.severity(), Severity::Notice) << "the numbers of each device stand";
    EXPECT_EQ(analysis::collectivesOf(merged), nullptr);
    expectNumbersOfTheFiles(merged, files);
}

TEST(Merge, AProgramThatRepeatsItselfExactlyIsNotGuessed) {
    MadeRun run{.ranks = 2, .scatter = 0, .jitter = 0, .saysBase = false};
    run.missing = [](int rank, int step) { return rank == 1 && step < 2; };
    const Trace merged = mergedOf(madeRanks(run));
    EXPECT_EQ(merged.ranks()[1].alignment, RankAlignment::Unaligned);
    EXPECT_EQ(defectIn(merged, DefectCode::NotAligned).count, 1u);
    run.saysBase = true; // a clock says which of the steps it was
    const Trace known = mergedOf(madeRanks(run));
    EXPECT_EQ(known.ranks()[1].alignment, RankAlignment::Clocks);
    EXPECT_EQ(known.ranks()[1].shift, known.ranks()[0].shift);
}

TEST(Merge, WhoComesLateIsNamedWithWhatTheOthersWaited) {
    const Trace merged =
        mergedOf(madeRanks({.late = [](int rank) { return rank == 3 ? Ns{150'000} : Ns{0}; }}));
    const auto lanes = lanesOf(merged);
    const analysis::Report report = analysis::analyze({merged, *lanes});
    ASSERT_NE(report.collectives, nullptr);
    const analysis::Collectives& all = *report.collectives;
    ASSERT_TRUE(all.straggler);
    EXPECT_EQ(all.devices[*all.straggler].name, "rank 3");
    EXPECT_EQ(all.devices[3].last, 20u);
    EXPECT_EQ(all.devices[3].waited, 0);
    // 150 us late each of 20 times, and up to 60 us of scatter either way
    EXPECT_NEAR(static_cast<double>(all.devices[3].waitedFor), 20 * 150'000., 20 * 30'000.);
    const auto finding = std::ranges::find(report.findings, "straggler", &analysis::Finding::id);
    ASSERT_NE(finding, report.findings.end());
    EXPECT_THAT(finding->text, HasSubstr("rank 3 arrives last at 100 % of 20 collectives"));
    EXPECT_EQ(finding->lost, all.devices[3].waitedFor);
    EXPECT_FALSE(finding->activities.empty());
    for (const ActivityIndex row : finding->activities)
        EXPECT_NE(merged.device(row), 3) << "the others wait";
}

TEST(Merge, RanksThatComeTogetherBlameNobody) {
    const Trace merged = mergedOf(madeRanks({.scatter = 0}));
    const auto lanes = lanesOf(merged);
    const analysis::Report report = analysis::analyze({merged, *lanes});
    ASSERT_NE(report.collectives, nullptr);
    EXPECT_FALSE(report.collectives->straggler);
    EXPECT_EQ(report.collectives->together, 20u);
    EXPECT_EQ(std::ranges::find(report.findings, "straggler", &analysis::Finding::id), report.findings.end());
}

TEST(Merge, DamageOfOneIsToldWithItsNameAndSpoilsNothingElse) {
    auto files = madeRanks({.ranks = 3});
    files[1].resize(files[1].size() * 2 / 3);
    const Trace merged = mergedOf(files);
    const Defect cut = defectIn(merged, DefectCode::TruncatedFile);
    EXPECT_EQ(cut.count, 1u);
    EXPECT_THAT(cut.detail, HasSubstr("rank 1: "));
    EXPECT_EQ(merged.ranks().size(), 3u);
    expectNumbersOfTheFiles(merged, files);
}

TEST(Merge, WhatAProcessDidToStreamsWithoutWorkStaysItsOwn) {
    const auto recorded = [](Ns end) {
        TraceBuilder builder;
        builder.add(DeviceRecord{.device = 0, .name = "H200", .uuid = "GPU-1"});
        ActivityRecord r;
        r.cls = ActivityClass::Kernel, r.device = 0, r.context = 1, r.stream = 7, r.begin = 10, r.end = end;
        builder.add(r);
        builder.add(ContextRecord{.context = 1, .device = 0});
        StreamCallRecord call{StreamCallKind::StreamWait};
        call.context = 1, call.stream = 8; // a stream on which nothing ran
        builder.add(call);
        call.process = 5; // of which nothing else is known
        builder.add(call);
        io::RecordingData data;
        data.trace = builder.finish();
        return data;
    };
    ASSERT_EQ(recorded(20).trace.streamCalls().size(), 2u);
    const Trace merged = recording::mergeRecordings({recording::partOf(recorded(20), "a.olab"),
                                                     recording::partOf(recorded(21), "b.olab")})
                             .trace;
    std::set<std::uint32_t> processes;
    ASSERT_EQ(merged.streamCalls().size(), 4u);
    for (const StreamCall& call : merged.streamCalls()) {
        processes.insert(call.process);
        if (call.queue != kNoQueue) {
            EXPECT_EQ(merged.queue(call.queue).process, call.process);
        }
    }
    EXPECT_EQ(processes.size(), 4u) << "two of each";
    std::set<std::uint16_t> devices;
    for (const Queue& queue : merged.queues())
        if (queue.kind == Queue::Kind::Stream && queue.number == 8)
            devices.insert(queue.device);
    EXPECT_GE(devices.size(), 2u) << "each on the device of its own";
}

TEST(Merge, TheSameGpuInTwoRecordingsIsTwoDevices) {
    const auto recorded = [](Ns begin) {
        TraceBuilder builder;
        builder.add(ProvenanceRecord{SourceKind::Cuda, "here", "1", ""});
        builder.add(DeviceRecord{.device = 0, .name = "H200", .uuid = "GPU-1"});
        ActivityRecord r;
        r.cls = ActivityClass::Kernel, r.device = 0, r.context = 1, r.stream = 7;
        r.begin = 1'700'000'000'000'000'000 + begin, r.end = r.begin + 1000;
        r.op = OpId{0};
        builder.add(r);
        builder.add(WindowRecord{r.begin, r.end});
        io::RecordingData data;
        data.trace = builder.finish();
        return data;
    };
    const Trace merged = recording::mergeRecordings({recording::partOf(recorded(0), "a.olab"),
                                                     recording::partOf(recorded(500), "b.olab")})
                             .trace;
    ASSERT_EQ(merged.devices().size(), 2u);
    EXPECT_EQ(merged.ranks()[0].name, "a");
    EXPECT_EQ(merged.ranks()[1].alignment, RankAlignment::Clocks);
    EXPECT_EQ(merged.ranks()[1].shift, merged.ranks()[0].shift);
    EXPECT_EQ(merged.ranks()[1].leftOut, "its measured window");
    EXPECT_EQ(merged.opOf(0), kNoOp);
    EXPECT_EQ(merged.begin(1) - merged.begin(0), 500);
    EXPECT_EQ(merged.provenance().source, SourceKind::Cuda);
}

TEST(Merge, SeveralDevicesOfEachStayAsManyWithoutUuids) {
    const auto recorded = [](Ns length) {
        TraceBuilder builder;
        builder.add(ProvenanceRecord{SourceKind::Imported, "tool", "1", ""});
        for (std::uint32_t device = 0; device < 3; ++device) {
            ActivityRecord r;
            r.cls = ActivityClass::Kernel, r.device = device, r.context = device + 1, r.stream = 7;
            r.begin = 1'700'000'000'000'000'000, r.end = r.begin + length + device;
            builder.add(r);
        }
        io::RecordingData data;
        data.trace = builder.finish();
        return data;
    };
    const Trace merged = recording::mergeRecordings({recording::partOf(recorded(100), "a.json"),
                                                     recording::partOf(recorded(200), "b.json")})
                             .trace;
    const auto numbers = testing_import::numbersOf(merged);
    ASSERT_EQ(numbers.size(), 6u);
    for (std::size_t d = 0; d < 6; ++d) {
        EXPECT_EQ(merged.devices()[d].rank, d / 3);
        EXPECT_EQ(numbers[d].busyAny, static_cast<Ns>(d < 3 ? 100 + d : 197 + d));
    }
}

TEST(Merge, OfDifferentToolsIsOfBothAndSimulatedIsNeverAMeasurement) {
    auto parts = partsOf(madeRanks({.ranks = 2}));
    TraceBuilder builder;
    builder.add(ProvenanceRecord{SourceKind::Simulated, "Overlap Lab", "1", ""});
    ActivityRecord r;
    r.cls = ActivityClass::Kernel, r.device = 0, r.context = 1, r.stream = 7, r.begin = 10, r.end = 20;
    builder.add(r);
    io::RecordingData simulated;
    simulated.trace = builder.finish();
    parts.push_back(recording::partOf(std::move(simulated), "sim.olab"));
    const Trace merged = recording::mergeRecordings(parts).trace;
    EXPECT_EQ(merged.provenance().source, SourceKind::Simulated);
    EXPECT_EQ(merged.provenance().tool, "PyTorch Profiler (Kineto), Overlap Lab");
    EXPECT_EQ(merged.ranks()[2].alignment, RankAlignment::Unaligned) << "its clock is made up";
    EXPECT_EQ(merged.devices().size(), 3u);
}

TEST(Merge, AFileKeepsTheRanksAndMergedOnesMergeAgain) {
    const auto files = madeRanks({.ranks = 4});
    io::RecordingData merged = recording::mergeRecordings(partsOf({files[0], files[1]}));
    const TextFile place("", "two.olab");
    io::exporters().front().write(place.path(), merged, {});
    io::RecordingData again = io::readRecording(place.path());
    EXPECT_EQ(again.trace, merged.trace);
    std::vector<recording::MergePart> parts = partsOf({files[2], files[3]});
    parts.insert(parts.begin(), recording::partOf(std::move(again), "two.olab"));
    const Trace all = recording::mergeRecordings(std::move(parts)).trace;
    ASSERT_EQ(all.ranks().size(), 4u);
    EXPECT_EQ(all.rankText(1), "rank 1");
    EXPECT_EQ(all.rankText(3), "rank 3");
    expectNumbersOfTheFiles(all, files);
    ASSERT_NE(analysis::collectivesOf(all), nullptr);
    EXPECT_EQ(analysis::collectivesOf(all)->shared, 20u);
}

TEST(Merge, NamesComeFromTheRankTheFileOrANumber) {
    auto parts = partsOf(madeRanks({.ranks = 3, .saysRank = false}));
    parts[0].file = "/a/trace_rank-70.Mar_25.json", parts[1].file = "/a/host1.json";
    parts[2].file = "/b/host1.json";
    const Trace merged = recording::mergeRecordings(parts).trace;
    EXPECT_EQ(merged.rankText(0), "rank 70");
    EXPECT_EQ(merged.rankText(1), "host1");
    EXPECT_EQ(merged.rankText(2), "host1 (2)");
    EXPECT_EQ(merged.queueText(merged.queues().front()), "stream 7 of rank 70");
}

TEST(Merge, ARecordingThatIsThereTwiceIsRefused) {
    const std::string rank = madeRanks({.ranks = 1}).front();
    const std::string later = madeRanks({.ranks = 1, .clockError = [](int) { return Ns{1'000}; }}).front();
    for (const std::string& again : {rank, later})
        try {
            mergedOf({madeRanks({.ranks = 2})[1], rank, again});
            FAIL() << "its work counts twice";
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr("file1.json and file2.json are the same recording"));
        }
}

TEST(Merge, OneAloneIsRefused) {
    EXPECT_THROW(recording::mergeRecordings(partsOf(madeRanks({.ranks = 1}))), Error);
}

} // namespace
} // namespace olab::test
