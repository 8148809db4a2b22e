// What was expected of each experiment on an H200, stated before its recording was made, and what the
// recording must show.
#include "recordings.h"

#include <olab/recording/recording.h>

#include <gtest/gtest.h>

namespace olab {
namespace {

using enum ActivityClass;
using enum analysis::VerdictKind;

struct Expected {
    const char* recording;
    ActivityClass a, b;
    std::vector<analysis::VerdictKind> verdicts; ///< one, or two where jitter of the host decides
};

const std::vector<Expected>& expectations() {
    static const std::vector<Expected> table = {
        // Copy engines, SMs with room: all three run at once. Memsets share the SMs' memory traffic: slowed
        // by more than a fifth. Stretched came later, as a word for what is partial here although the clock
        // shows the overlap.
        {"default-h200", MemcpyH2D, Kernel, {Overlapped}},
        {"default-h200", MemcpyD2H, Kernel, {Overlapped}},
        {"default-h200", Memset, Kernel, {Partial, Stretched, Overlapped}},
        {"default-h200", MemcpyH2D, MemcpyD2H, {Overlapped}},
        {"default-h200", MemcpyH2D, Memset, {Partial, Stretched, Overlapped}},
        {"default-h200", MemcpyD2H, Memset, {Partial, Stretched, Overlapped}},
        // Every copy call holds the issuing thread until the copy is done: nothing runs beside anything.
        {"pageable-h200", MemcpyH2D, Kernel, {Serialized}},
        {"pageable-h200", MemcpyD2H, Kernel, {Serialized}},
        {"pageable-h200", Memset, Kernel, {Serialized}},
        {"pageable-h200", MemcpyH2D, MemcpyD2H, {Serialized}},
        {"pageable-h200", MemcpyH2D, Memset, {Serialized}},
        {"pageable-h200", MemcpyD2H, Memset, {Serialized}},
        // A NULL-stream memset after each pass: no two passes of blocking streams overlap.
        {"null-stream-h200", MemcpyH2D, Kernel, {Serialized}},
        {"null-stream-h200", MemcpyD2H, Kernel, {Serialized}},
        {"null-stream-h200", Memset, Kernel, {Serialized}},
        {"null-stream-h200", MemcpyH2D, MemcpyD2H, {Serialized}},
        {"null-stream-h200", MemcpyH2D, Memset, {Serialized}},
        {"null-stream-h200", MemcpyD2H, Memset, {Serialized}},
        // The same with non-blocking streams: as the default; the NULL stream's memsets run in a row at the
        // start, before any D2H.
        {"null-stream-nonblocking-h200", MemcpyH2D, Kernel, {Overlapped}},
        {"null-stream-nonblocking-h200", MemcpyD2H, Kernel, {Overlapped}},
        {"null-stream-nonblocking-h200", Memset, Kernel, {Partial, Stretched}},
        {"null-stream-nonblocking-h200", MemcpyH2D, MemcpyD2H, {Overlapped}},
        {"null-stream-nonblocking-h200", MemcpyH2D, Memset, {Partial, Stretched, Overlapped}},
        {"null-stream-nonblocking-h200", MemcpyD2H, Memset, {Partial, Stretched}},
        // Grids of eight fills: each memset is held by the other stream's grid. Copies hide behind the other
        // stream's kernel as far
        // as the host function between D2H and the next H2D is prompt: 2 x 305 us of copies beside 800 us of
        // kernel leave it
        // 190 us, and 60 to 480 us were seen. So they overlap well or in part, and the two directions hardly
        // meet.
        {"full-grid-h200", MemcpyH2D, Kernel, {Overlapped, Partial}},
        {"full-grid-h200", MemcpyD2H, Kernel, {Overlapped, Partial}},
        {"full-grid-h200", Memset, Kernel, {Serialized}},
        // Apart came later, as a word for what is serialized here and by nothing that can be mended: neither
        // waits for the other. Without host functions, as it is recorded now, the directions never meet.
        {"full-grid-h200", MemcpyH2D, MemcpyD2H, {Serialized, Partial, Apart}},
        {"full-grid-h200", MemcpyH2D, Memset, {Serialized, Partial, Apart}},
        {"full-grid-h200", MemcpyD2H, Memset, {Serialized, Partial, Apart}},
    };
    return table;
}

recording::RecordingPtr opened(const std::string& name) {
    return recording::openRecording(test::recordingFile(name));
}

const analysis::Finding* finding(const analysis::Report& report, std::string_view id) {
    for (const analysis::Finding& f : report.findings)
        if (f.id == id)
            return &f;
    return nullptr;
}

TEST(ExpectedVerdicts, EveryPairOfEveryRecordingIsAsStatedInAdvance) {
    for (const Expected& expected : expectations()) {
        const recording::RecordingPtr recording = opened(expected.recording);
        bool found = false;
        for (const analysis::Verdict& v : recording->report.verdicts) {
            if (v.a != expected.a || v.b != expected.b)
                continue;
            found = true;
            EXPECT_NE(std::find(expected.verdicts.begin(), expected.verdicts.end(), v.kind),
                      expected.verdicts.end())
                << expected.recording << ": " << analysis::verdictName(v.kind) << ": " << v.text;
        }
        EXPECT_TRUE(found) << expected.recording << ' ' << className(expected.a) << '|'
                           << className(expected.b);
    }
}

// Else what is too short for them would be judged all the same.
TEST(ExpectedVerdicts, TheStepOfTheTimeStampsIsTheDevicesWhereAnythingIsShort) {
    for (const std::string& name : test::recordingNames()) {
        const recording::RecordingPtr recording = opened(name);
        Ns shortest = 20'000;
        for (const analysis::DeviceFacts& device : recording->facts->perDevice())
            for (const Ns median : device.blocked.median)
                shortest = median > 0 ? std::min(shortest, median) : shortest;
        if (shortest < 20'000) {
            EXPECT_EQ(recording->facts->resolution(), 32) << name << ": " << shortest;
        }
    }
}

TEST(ExpectedVerdicts, TheDefaultLastsThirtyMillisecondsAndItsTraceEffectIsKnown) {
    const recording::RecordingPtr recording = opened("default-h200");
    EXPECT_GE(recording->report.bounds.measured, 30'000'000);
    ASSERT_TRUE(recording->report.toolEffect);
    EXPECT_GE(recording->report.toolEffect->runs, 5);
    EXPECT_LT(recording->report.toolEffect->ratio(), 1.10);
}

TEST(ExpectedVerdicts, EachRunWithACauseHasItsFindingAndTheOthersDoNot) {
    EXPECT_NE(finding(opened("pageable-h200")->report, "pageable"), nullptr);
    EXPECT_NE(finding(opened("null-stream-h200")->report, "null-stream"), nullptr);
    EXPECT_EQ(finding(opened("null-stream-nonblocking-h200")->report, "null-stream"), nullptr);
    EXPECT_NE(finding(opened("full-grid-h200")->report, "memset-full-grid"), nullptr);
    for (const char* id : {"pageable", "null-stream", "memset-full-grid", "same-stream", "launch-bound"})
        EXPECT_EQ(finding(opened("default-h200")->report, id), nullptr) << id;
}

TEST(ExpectedVerdicts, TheStarvedMemsetsFindingNamesTheKernelAndTheTime) {
    const recording::RecordingPtr recording = opened("full-grid-h200");
    const analysis::Finding* f = finding(recording->report, "memset-full-grid");
    ASSERT_NE(f, nullptr);
    EXPECT_NE(f->text.find("olab_fma_kernel #"), std::string::npos) << f->text;
    EXPECT_NE(f->text.find("8448 blocks"), std::string::npos) << f->text;
    EXPECT_NE(f->text.find(" us"), std::string::npos) << f->text;
    EXPECT_GT(f->lost, 0);
    EXPECT_FALSE(f->activities.empty());
}

} // namespace
} // namespace olab
