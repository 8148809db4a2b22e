// Kernels of NCCL and RCCL look like communication, all else as its class. What bars are coloured by: the
// same number for a name in every file, colours of their own for those that are listed, and columns split
// among them by the time that each really covers.
#include "shown_fixture.h"

#include <olab/trace/lanes.h>
#include <olab/trace/trace_builder.h>
#include <olab/view/colouring.h>
#include <olab/view/event_marks.h>
#include <olab/view/strip_view.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace olab;
using namespace olab::test;
using view::ColourBy;
using view::Colouring;

namespace {

ActivityRecord kernelNamed(const std::string& name, Ns begin, Ns length, std::uint32_t stream = 13) {
    ActivityRecord r = deviceWork(ActivityClass::Kernel, begin, begin + length, stream);
    r.name = textId(name);
    return r;
}

/// Twelve kernels, the first one longest, one after the other; each comes again and again.
view::ViewDataPtr manyNames(int rounds = 40) {
    std::vector<ActivityRecord> records;
    Ns at = 1'000'000;
    for (int round = 0; round < rounds; ++round)
        for (int k = 0; k < 12; ++k) {
            records.push_back(kernelNamed("kernel" + std::to_string(k), at, 2'000 - 100 * k));
            at += 2'100;
        }
    return shownOf(records);
}

view::ViewColumns columnsOf(const view::ViewData& shown, int width) {
    view::Viewport view;
    view.setLimits(shown.limits());
    view.setWidth(width);
    view.fit();
    return view::ViewColumns(view);
}

} // namespace

TEST(Colouring, ANameHasTheSameColourInEveryFile) {
    EXPECT_EQ(view::colourOfName("spin"), view::colourOfName(std::string("spin")));
    const view::ViewDataPtr one = shownOf({kernelNamed("gemm", 0, 100), kernelNamed("relu", 200, 50)});
    const view::ViewDataPtr other = shownOf({kernelNamed("relu", 0, 10), kernelNamed("gemm", 200, 3)});
    const Colouring a(*one, ColourBy::Name), b(*other, ColourBy::Name);
    EXPECT_EQ(a.of(0), view::colourOfName("gemm"));
    EXPECT_EQ(a.of(0), b.of(1));
    EXPECT_EQ(a.of(1), b.of(0));
    std::set<view::ColourNumber> seen;
    for (int i = 0; i < 400; ++i) {
        const view::ColourNumber colour = view::colourOfName("kernel" + std::to_string(i));
        ASSERT_TRUE(colour >= 1 && colour <= view::kNameColours);
        seen.insert(colour);
    }
    EXPECT_EQ(seen.size(), view::kNameColours) << "all of them are used";
}

TEST(Colouring, WhatIsListedHasAColourOfItsOwn) {
    const view::ViewDataPtr shown = manyNames();
    const Colouring made(*shown, ColourBy::Name);
    const auto& entries = made.entries();
    ASSERT_EQ(entries.size(), Colouring::kListedDevice + 1);
    EXPECT_EQ(entries.front().name, "kernel0") << "the longest first";
    EXPECT_EQ(entries.back().colour, view::kOtherColour);
    EXPECT_EQ(made.unlisted(), 12 - Colouring::kListedDevice);
    std::set<view::ColourNumber> listed;
    for (const Colouring::Entry& entry : entries)
        EXPECT_TRUE(listed.insert(entry.colour).second) << entry.name;
    std::map<std::string, Ns> time;
    for (ActivityIndex i = 0; i < shown->trace().size(); ++i) {
        const std::string name(shown->trace().text(shown->trace().nameOf(i)));
        time[name] += shown->trace().duration(i);
        const auto entry = std::ranges::find(entries, name, &Colouring::Entry::name);
        EXPECT_EQ(entry != entries.end(), listed.contains(made.of(i))) << name;
        if (entry != entries.end()) {
            EXPECT_EQ(entry->colour, made.of(i)) << name;
        }
    }
    Ns all = 0;
    for (const Colouring::Entry& entry : entries) {
        all += entry.time;
        if (entry.colour != view::kOtherColour) {
            EXPECT_EQ(entry.time, time[entry.name]);
        }
    }
    Ns whole = 0;
    for (const auto& [name, sum] : time)
        whole += sum;
    EXPECT_EQ(all, whole);
}

/// The brute force: of each colour that has a layer, what it covers of each column.
TEST(Colouring, ColumnsAreSplitByTheTimeThatEachColourCovers) {
    constexpr int kWidth = 60, kHeight = 40;
    const view::ViewDataPtr shown = manyNames(200);
    const Colouring made(*shown, ColourBy::Name);
    const view::ViewColumns columns = columnsOf(*shown, kWidth);
    for (const Lane& lane : shown->index.lanes().lanes())
        for (const view::Strip& strip : shown->index.strips(lane.id)) {
            const Colouring::Layered* layered = made.layered(strip);
            ASSERT_TRUE(layered);
            ASSERT_EQ(layered->colours.size(), Colouring::kMostLayers);
            ASSERT_EQ(std::ranges::count(layered->colours, view::kOtherColour), 1);
            const view::StripView drawn(strip, columns, kHeight, &layered->table);
            for (int px = 0; px < kWidth; ++px) {
                std::array<Ns, view::kColours> busy{};
                for (std::size_t i = 0; i < strip.times.size(); ++i) {
                    const Interval time = strip.times[i], column = columns[px];
                    const Ns part = std::min(time.end, column.end) - std::max(time.begin, column.begin);
                    busy[made.of(strip.activities[i])] += std::max<Ns>(part, 0);
                }
                Ns below = 0;
                for (std::size_t layer = 0; layer < drawn.layers(); ++layer) {
                    for (view::ColourNumber c = 0; c < view::kColours; ++c)
                        below += layered->layerOf[c] == layer ? busy[c] : 0;
                    const double share =
                        static_cast<double>(below) / static_cast<double>(columns[px].length());
                    EXPECT_NEAR(drawn.tops(layer)[static_cast<std::size_t>(px)], share * kHeight, 1.0)
                        << "column " << px << " layer " << layer;
                }
            }
        }
}

TEST(Colouring, NothingIsHigherOrLowerThanWithClasses) {
    const view::ViewDataPtr shown = randomShown(5, 4'000);
    const view::ViewColumns columns = columnsOf(*shown, 150);
    for (const ColourBy by : {ColourBy::Name, ColourBy::Stream, ColourBy::Iteration, ColourBy::Overlap}) {
        const Colouring made(*shown, by);
        for (const Lane& lane : shown->index.lanes().lanes())
            for (const view::Strip& strip : shown->index.strips(lane.id)) {
                const view::StripView plain(strip, columns, 30),
                    drawn(strip, columns, 30, &made.layered(strip)->table);
                for (int px = 0; px < columns.count(); ++px) {
                    const auto at = static_cast<std::size_t>(px);
                    ASSERT_EQ(plain.hasTick(px), drawn.hasTick(px));
                    if (plain.layers() > 0) {
                        ASSERT_NEAR(plain.tops(plain.layers() - 1)[at], drawn.tops(drawn.layers() - 1)[at], 1)
                            << view::colourByRows()[static_cast<std::size_t>(by)].key << " column " << px;
                    }
                }
            }
    }
}

TEST(Colouring, StreamsHaveOneColourOnTheirEnginesToo) {
    const view::ViewDataPtr shown = smallShown();
    const Colouring made(*shown, ColourBy::Stream);
    EXPECT_EQ(made.of(0), made.of(1));
    EXPECT_EQ(made.of(2), made.of(3));
    EXPECT_NE(made.of(0), made.of(2));
    EXPECT_EQ(made.of(0), view::colourOfName("stream 13"));
    EXPECT_EQ(made.entries().size(), 2u);
}

TEST(Colouring, OverlapSaysHowMuchOfAnOperationHadCompany) {
    using enum ActivityClass;
    const view::ViewDataPtr shown =
        shownOf({deviceWork(Kernel, 0, 1'000, 13), deviceWork(MemcpyH2D, 900, 1'000, 14),
                 deviceWork(MemcpyD2H, 2'000, 3'000, 14), deviceWork(Kernel, 4'000, 4'100, 13),
                 deviceWork(MemcpyH2D, 4'040, 4'140, 14)});
    const Colouring made(*shown, ColourBy::Overlap);
    const auto step = [&](ActivityIndex i) { return made.of(i) - view::kFirstOverlap; };
    EXPECT_EQ(step(0), 1) << "a tenth";
    EXPECT_EQ(step(1), 3) << "all of it";
    EXPECT_EQ(step(2), 0) << "alone";
    EXPECT_EQ(step(3), 2) << "60 of 100";
    EXPECT_EQ(made.entries()[0].time, 1'000);
    EXPECT_EQ(made.entries()[3].time, 100);
}

TEST(Colouring, WithoutIterationsItSaysSo) {
    const view::ViewDataPtr shown = smallShown();
    const Colouring made(*shown, ColourBy::Iteration);
    ASSERT_EQ(made.entries().size(), 1u);
    EXPECT_EQ(made.entries().front().name, "no repeating iteration was found");
    EXPECT_EQ(made.of(0), view::kOtherColour);
}

TEST(Colouring, EveryKeyIsRead) {
    for (const view::ColourByRow& row : view::colourByRows())
        EXPECT_EQ(view::colourByOf(row.key), row.by);
    EXPECT_FALSE(view::colourByOf("rainbow"));
}

namespace {

ActivityRecord call(const char* name, Ns begin, std::uint32_t correlation) {
    ActivityRecord r;
    r.cls = ActivityClass::Api;
    r.thread = 1;
    r.name = textId(name);
    r.begin = begin, r.end = begin + 5;
    r.correlation = correlation;
    return r;
}

ActivityRecord issued(Ns begin, Ns end, std::uint32_t stream, std::uint32_t correlation) {
    ActivityRecord r = deviceWork(ActivityClass::Kernel, begin, end, stream);
    r.correlation = correlation;
    return r;
}

} // namespace

TEST(EventMarks, StandWhereTheStreamReachedThem) {
    const view::ViewDataPtr plain = shownOf(
        {call("cudaLaunchKernel", 0, 1), call("cudaEventRecord", 10, 2), call("cudaLaunchKernel", 20, 3),
         call("cudaStreamWaitEvent", 30, 4), call("cudaLaunchKernel", 40, 5), issued(100, 200, 13, 1),
         issued(200, 300, 13, 3), issued(210, 260, 14, 5)});
    TraceBuilder builder;
    plain->trace().replay(builder);
    builder.add(StreamCallRecord{StreamCallKind::EventRecord, 2, 1, 13, 7, 1, 0});
    builder.add(StreamCallRecord{StreamCallKind::StreamWait, 4, 1, 14, 7, 1, 0});
    const view::ViewData shown(
        recording::makeRecording({builder.finish(), nullptr, std::nullopt}, "t", true));
    const std::vector<view::EventMark> marks = view::eventMarks(shown.facts);
    ASSERT_EQ(marks.size(), 2u);
    const auto streamOf = [&](const view::EventMark& m) { return shown.trace().queue(m.queue).number; };
    EXPECT_EQ(streamOf(marks[0]), 13u);
    EXPECT_FALSE(marks[0].isWait);
    EXPECT_EQ(marks[0].time, 200) << "the work before it has ended";
    EXPECT_EQ(streamOf(marks[1]), 14u);
    EXPECT_TRUE(marks[1].isWait);
    EXPECT_EQ(marks[1].time, 210) << "the work behind it begins";
}

TEST(Looks, AKernelOfNcclIsCommunicationAndCountedAsAKernel) {
    const view::ViewDataPtr shown =
        shownOf({deviceWork(ActivityClass::Kernel, 1'000, 2'000, 13),
                 kernelNamed("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                             1'500, 1'500, 14),
                 deviceWork(ActivityClass::MemcpyH2D, 1'000, 1'200, 15)});
    const view::Looks& looks = shown->index.looks();
    EXPECT_TRUE(looks.hasCommunication());
    int communicates = 0;
    for (ActivityIndex i = 0; i < shown->trace().size(); ++i) {
        const bool isIt = shown->trace().time(i).end == 3'000;
        EXPECT_EQ(looks.of(i), isIt ? view::kCommunication : shown->trace().cls(i));
        communicates += isIt;
    }
    EXPECT_EQ(communicates, 1);
    const Lane* compute = shown->index.lanes().engine(0, EngineKind::Compute);
    ASSERT_TRUE(compute);
    EXPECT_EQ(compute->coverage[static_cast<std::size_t>(ActivityClass::Kernel)].total(), 2'000)
        << "the numbers' kernel";
    const view::LookCoverage& coverage = shown->index.coverage(compute->id);
    EXPECT_EQ(coverage[ActivityClass::Kernel].total(), 1'000);
    EXPECT_EQ(coverage[view::kCommunication].total(), 1'500);
    EXPECT_TRUE(coverage[ActivityClass::MemcpyH2D].empty());
    for (const Lane& lane : shown->index.lanes().lanes())
        for (const view::Strip& strip : shown->index.strips(lane.id))
            for (std::size_t i = 0; i < strip.activities.size(); ++i)
                EXPECT_EQ(strip.looks[strip.table.layerOf(i)], looks.of(strip.activities[i])) << lane.label;
}

TEST(Looks, WithoutItLooksAreClasses) {
    const view::ViewDataPtr shown = randomShown(7);
    const view::Looks& looks = shown->index.looks();
    EXPECT_FALSE(looks.hasCommunication());
    for (ActivityIndex i = 0; i < shown->trace().size(); ++i)
        ASSERT_EQ(looks.of(i), shown->trace().cls(i));
    for (const Lane& lane : shown->index.lanes().lanes())
        EXPECT_TRUE(shown->index.coverage(lane.id)[view::kCommunication].empty());
}

TEST(Looks, EachHasWordsAndAPatternOfItsOwnAmongKernels) {
    EXPECT_EQ(view::lookLabel(view::kCommunication), "communication");
    EXPECT_EQ(view::lookLabel(ActivityClass::MemcpyH2D), classLabel(ActivityClass::MemcpyH2D));
    for (std::size_t i = 0; i < kDeviceClassCount; ++i)
        EXPECT_NE(view::lookPattern(static_cast<ActivityClass>(i)), view::lookPattern(view::kCommunication));
}
