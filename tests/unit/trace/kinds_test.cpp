// The tables of classes and of kinds of lanes: what has a row there is counted, opened, filled and named.
#include "made_records.h"

#include <olab/trace/lanes.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace olab {
namespace {

using made::build;
using made::call;
using made::work;

ActivityRecord one(ActivityClass cls, Ns begin, Ns end) {
    return isDeviceClass(cls) ? work(cls, begin, end) : call(cls, begin, end);
}

/// One activity of each class; all at once, or one after the other.
Trace ofEachClass(bool crossing) {
    std::vector<made::AnyRecord> records;
    for (const ClassRow& row : kClassRows) {
        const Ns begin = 100 + (crossing ? 5 : 20) * static_cast<Ns>(row.cls);
        records.emplace_back(one(row.cls, begin, begin + 20 + (crossing ? 100 : 0)));
    }
    return build(records);
}

TEST(ClassTable, EveryClassIsInALaneThatHoldsIt) {
    for (const bool crossing : {false, true}) {
        const Trace trace = ofEachClass(crossing);
        const LaneSet lanes = LaneSet::of(trace);
        ASSERT_EQ(trace.size(), kClassCount);
        for (const ClassRow& row : kClassRows) {
            std::set<LaneKind> kinds;
            for (const Lane& lane : lanes.lanes())
                for (const ActivityIndex i : lane.activities)
                    if (trace.cls(i) == row.cls) {
                        EXPECT_FALSE(lane.coverage[static_cast<std::size_t>(row.cls)].empty());
                        kinds.insert(lane.kind);
                    }
            EXPECT_FALSE(kinds.empty()) << row.name;
            for (const LaneKind kind : kinds)
                EXPECT_TRUE((laneKindRow(kind).holds & maskOf(row.cls)) != 0 || kind == LaneKind::HostThread)
                    << row.name;
        }
    }
}

TEST(ClassTable, WordsOfASearchMeanOneClassEach) {
    std::set<std::string_view> words;
    std::size_t count = 0;
    for (const ClassRow& row : kClassRows)
        for (std::string_view rest = row.words; !rest.empty(); ++count) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            words.insert(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    EXPECT_EQ(words.size(), count);
    EXPECT_FALSE(words.contains("")) << "one space between them";
    EXPECT_FALSE(words.contains("copy")) << "that is all copies";
}

TEST(LaneTable, APartIsBeneathItsOwnWholeOnly) {
    const LaneSet lanes =
        LaneSet::of(build({call(ActivityClass::Api, 1, 9, 1), call(ActivityClass::Nvtx, 2, 5, 1),
                           call(ActivityClass::Api, 1, 9, 2), work(ActivityClass::Kernel, 3, 4)}));
    const auto all = lanes.lanes();
    const auto ranges = std::ranges::find(all, LaneKind::HostRanges, &Lane::kind);
    ASSERT_NE(ranges, all.end());
    for (const Lane& lane : all)
        EXPECT_EQ(isPartOf(*ranges, lane), &lane == &ranges[-1]) << lane.label;
    for (const Lane& lane : all)
        EXPECT_TRUE(&lane == &*ranges || !isPartOf(lane, ranges[-1]));
}

TEST(LaneTable, LanesStandInTheOrderOfTheirKinds) {
    const Trace trace = ofEachClass(true);
    const LaneSet lanes = LaneSet::of(trace); // one device, one stream, one thread
    EXPECT_TRUE(std::ranges::is_sorted(lanes.lanes(), {}, &Lane::kind));
    std::set<LaneKind> kinds;
    for (const Lane& lane : lanes.lanes())
        kinds.insert(lane.kind);
    for (const LaneKindRow& row : kLaneKindRows)
        EXPECT_EQ(kinds.contains(row.kind), !row.onDemand) << row.help;
}

} // namespace
} // namespace olab
