// Statistics by name: what counts together, what of it lies in a part, and the work that belongs to a name.
#include "made_trace.h"

#include <olab/analysis/framework.h>
#include <olab/analysis/statistics.h>

#include <gtest/gtest.h>

#include <random>

namespace olab::test {
namespace {

using analysis::LossCause;
using analysis::Statistics;
using analysis::StatisticsGroup;
using analysis::StatisticsRow;

class StatisticsByName : public testing::Test {
protected:
    void kernel(const char* name, Ns begin, Ns end, std::uint32_t stream = 13) {
        made.work(Kernel, begin, end, stream).name = made.text(name);
    }
    void copy(ActivityClass cls, MemoryKind source, MemoryKind target, Ns begin, Ns end) {
        ActivityRecord& r = made.work(cls, begin, end, 14);
        r.source = source, r.target = target, r.bytes = 1000;
    }
    void range(const char* name, Ns begin, Ns end) {
        ActivityRecord& r = made.work(Nvtx, begin, end);
        r.name = made.text(name), r.thread = 99, r.correlation = 0, r.bytes = 0;
    }
    Statistics by(StatisticsGroup group, std::optional<Interval> part = {},
                  const analysis::SteadyState* steady = nullptr) {
        const analysis::Facts& facts = made.facts();
        return analysis::statisticsOf(facts, analysis::ExplainedWaits(facts), {group, part, steady});
    }
    static const StatisticsRow& rowOf(const Statistics& statistics, std::string_view name) {
        const auto row = std::ranges::find(statistics.rows, name, &StatisticsRow::name);
        if (row == statistics.rows.end())
            throw std::runtime_error("no row " + std::string(name));
        return *row;
    }
    Made made;
};

std::vector<std::string> namesOf(const Statistics& statistics) {
    std::vector<std::string> names;
    for (const StatisticsRow& row : statistics.rows)
        names.push_back(row.name);
    return names;
}

TEST_F(StatisticsByName, KernelsCountByDemangledName) {
    kernel("_ZN2ns1kIfEEvi", 1000, 1100);
    kernel("void ns::k<float>(int)", 2000, 2301); // the same, from another tool
    kernel("gemm", 3000, 3010);
    const Statistics found = by(StatisticsGroup::Kernel);
    EXPECT_EQ(namesOf(found), (std::vector<std::string>{"void ns::k<float>(int)", "gemm"}));
    const StatisticsRow& row = found.rows[0];
    EXPECT_EQ(row.label, "k<float>");
    EXPECT_EQ(row.cls, Kernel);
    EXPECT_EQ(row.count, 2u);
    EXPECT_EQ(row.total, 401);
    EXPECT_EQ(row.mean, 200) << "rounded down";
    EXPECT_EQ(row.median, 200);
    EXPECT_EQ(row.shortest, 100);
    EXPECT_EQ(row.longest, 301);
    EXPECT_EQ(row.spread, 142) << "201 / sqrt(2)";
    EXPECT_EQ(found.deviceTime, 411);
    EXPECT_DOUBLE_EQ(found.shareOf(row), 401. / 411);
    EXPECT_EQ(found.rows[1].spread, 0);
}

TEST_F(StatisticsByName, CopiesCountByDirectionAndMemory) {
    copy(MemcpyH2D, MemoryKind::Pinned, MemoryKind::Device, 1000, 1100);
    copy(MemcpyH2D, MemoryKind::Pageable, MemoryKind::Device, 1200, 1400);
    copy(MemcpyH2D, MemoryKind::Pinned, MemoryKind::Device, 1500, 1800);
    copy(Memset, MemoryKind::Unknown, MemoryKind::Device, 1900, 1950);
    copy(MemcpyD2H, MemoryKind::Unknown, MemoryKind::Unknown, 2000, 2020);
    const Statistics found = by(StatisticsGroup::Copy);
    EXPECT_EQ(namesOf(found), (std::vector<std::string>{"H2D pinned -> device", "H2D pageable -> device",
                                                        "memset device", "D2H"}));
    EXPECT_EQ(found.rows[0].work.bytes, 2000);
    EXPECT_DOUBLE_EQ(found.rows[0].work.rate().value(), 5.0);
    EXPECT_EQ(by(StatisticsGroup::Work).rows.size(), 4u);
    EXPECT_TRUE(by(StatisticsGroup::Kernel).rows.empty());
}

TEST_F(StatisticsByName, OverlapIsWithOtherClassesOfTheSameDevice) {
    kernel("a", 1000, 2000);
    kernel("b", 1500, 3000, 15); // beside a: the same class
    copy(MemcpyH2D, MemoryKind::Pinned, MemoryKind::Device, 1800, 2500);
    const Statistics found = by(StatisticsGroup::Work);
    EXPECT_EQ(rowOf(found, "a").work.overlapped, 200);
    EXPECT_EQ(rowOf(found, "b").work.overlapped, 700);
    EXPECT_EQ(rowOf(found, "H2D pinned -> device").work.overlapped, 700);
}

TEST_F(StatisticsByName, WhatReachesOverAnEndCountsWithItsPart) {
    kernel("a", 1000, 2000);
    kernel("a", 3000, 3400);
    kernel("b", 5000, 6000);
    copy(MemcpyH2D, MemoryKind::Pinned, MemoryKind::Device, 1500, 2500);
    const Statistics found = by(StatisticsGroup::Work, Interval{1750, 3400});
    EXPECT_EQ(namesOf(found), (std::vector<std::string>{"H2D pinned -> device", "a"}));
    const StatisticsRow& a = rowOf(found, "a");
    EXPECT_EQ(a.count, 2u);
    EXPECT_EQ(a.cut, 1u);
    EXPECT_EQ(a.total, 250 + 400);
    EXPECT_EQ(a.longest, 1000) << "nothing lasted 250 ns";
    EXPECT_EQ(a.mean, 700);
    EXPECT_EQ(a.work.overlapped, 250);
    EXPECT_EQ(rowOf(found, "H2D pinned -> device").work.bytes, 750);
    EXPECT_EQ(found.deviceTime, 650 + 750);
    EXPECT_EQ(found.activitiesOf(made.trace, 1).size(), 2u);
    EXPECT_EQ(by(StatisticsGroup::Work).activitiesOf(made.trace, 0), (std::vector<ActivityIndex>{0, 2}));
}

TEST_F(StatisticsByName, CallsHaveTheWorkThatTheyIssued) {
    kernel("a", us(100), us(150));
    made.issued(us(90), us(95));
    kernel("b", us(200), us(250));
    made.issued(us(190), us(196));
    copy(MemcpyD2H, MemoryKind::Device, MemoryKind::Pinned, us(240), us(260));
    made.issued(us(230), us(233), "cudaMemcpyAsync");
    const Statistics found = by(StatisticsGroup::Call);
    const StatisticsRow& launch = rowOf(found, "cudaLaunchKernel");
    EXPECT_EQ(launch.total, us(11));
    EXPECT_EQ(launch.work.count, 2u);
    EXPECT_EQ(launch.work.time, us(100));
    EXPECT_EQ(launch.work.overlapped, us(10));
    EXPECT_EQ(rowOf(found, "cudaMemcpyAsync").work.bytes, 1000);
    EXPECT_EQ(found.deviceTime, us(120));
    EXPECT_TRUE(found.knowsWork);
}

TEST_F(StatisticsByName, WithoutCallsNothingIsKnownOfTheirWork) {
    kernel("a", 1000, 2000);
    range("epoch", 500, 3000);
    const Statistics found = by(StatisticsGroup::Range);
    EXPECT_EQ(rowOf(found, "epoch").total, 2500);
    EXPECT_FALSE(found.knowsWork);
}

TEST_F(StatisticsByName, RangesHaveTheWorkIssuedWithinThem) {
    range("epoch", us(80), us(300));
    range("aten::linear, seq = 4", us(85), us(210));
    range("aten::linear", us(88), us(120)); // within itself: its work counts once
    range("aten::add, seq = 5", us(185), us(199));
    kernel("gemm", us(400), us(450)); // long after all of them
    made.issued(us(90), us(95));
    kernel("add", us(460), us(470));
    made.issued(us(190), us(196));
    kernel("late", us(480), us(481));
    made.issued(us(310), us(312));
    const Statistics operators = by(StatisticsGroup::Operator);
    EXPECT_EQ(namesOf(operators), (std::vector<std::string>{"aten::linear", "aten::add"}));
    EXPECT_EQ(operators.rows[0].count, 2u);
    EXPECT_EQ(operators.rows[0].total, us(125) + us(32));
    EXPECT_EQ(operators.rows[0].work.count, 2u);
    EXPECT_EQ(operators.rows[0].work.time, us(60));
    EXPECT_EQ(operators.rows[1].work.time, us(10));
    const Statistics ranges = by(StatisticsGroup::Range);
    EXPECT_EQ(namesOf(ranges), std::vector<std::string>{"epoch"});
    EXPECT_EQ(ranges.rows[0].work.count, 2u);
    EXPECT_EQ(ranges.deviceTime, us(61));
    const Statistics part = by(StatisticsGroup::Operator, Interval{us(100), us(430)});
    EXPECT_EQ(part.rows[0].work.time, us(30)) << "of the work what lies in the part";
}

TEST_F(StatisticsByName, TheCauseIsThatOfMostOfTheWaiting) {
    for (int i = 0; i < 3; ++i) { // each waits for the copy engine behind a long one
        const Ns at = us(1000 * i);
        made.work(MemcpyH2D, at + us(100), at + us(600), 15);
        made.issued(at + us(80), at + us(84), "cudaMemcpyAsync");
        copy(MemcpyH2D, MemoryKind::Pinned, MemoryKind::Device, at + us(601), at + us(650));
        made.issued(at + us(90), at + us(94), "cudaMemcpyAsync");
    }
    const analysis::Facts& facts = made.facts();
    const analysis::ExplainedWaits waits(facts);
    Ns waited = 0;
    for (std::size_t n = 0; n < waits.size(); ++n)
        if (waits[n].isHeld() && facts.trace().source(facts.deviceWork().row(n)) == MemoryKind::Pinned)
            waited += waits[n].length();
    const Statistics found = analysis::statisticsOf(facts, waits, {StatisticsGroup::Copy});
    const StatisticsRow& row = rowOf(found, "H2D pinned -> device");
    EXPECT_EQ(row.work.cause, LossCause::HeadOfLine) << "it takes a tenth of what it stands behind";
    EXPECT_EQ(row.work.waited, waited);
    EXPECT_GE(row.work.byCause, us(3 * 500));
    EXPECT_LE(row.work.byCause, row.work.waited);
}

TEST_F(StatisticsByName, WhatIsAlikeIsWhatCountsInARow) {
    kernel("_ZN2ns1kIfEEvi", 1000, 1100);
    kernel("void ns::k<float>(int)", 2000, 2301);
    copy(MemcpyH2D, MemoryKind::Pinned, MemoryKind::Device, 3000, 3100);
    copy(MemcpyH2D, MemoryKind::Pageable, MemoryKind::Device, 3200, 3300);
    range("aten::add, seq = 1", 10, 20);
    range("aten::add, seq = 2", 30, 40);
    range("epoch", 50, 60);
    const Statistics found = by(StatisticsGroup::Work), operators = by(StatisticsGroup::Operator);
    const Trace& trace = made.trace;
    for (ActivityIndex a = 0; a < trace.size(); ++a) {
        const std::vector<bool> alike = analysis::kindsLike(trace, trace.kindOf(a));
        const std::vector<std::uint32_t>& rows =
            isDeviceClass(trace.cls(a)) ? found.rowOfKind : operators.rowOfKind;
        for (ActivityIndex b = 0; b < trace.size(); ++b)
            if (isDeviceClass(trace.cls(a)) == isDeviceClass(trace.cls(b))) {
                EXPECT_EQ(alike[trace.kindOf(b)], rows[trace.kindOf(a)] == rows[trace.kindOf(b)])
                    << a << " " << b;
            }
    }
}

TEST_F(StatisticsByName, PerIterationCountsThoseThatLieInThePart) {
    for (int i = 0; i < 6; ++i) {
        kernel("a", us(100 * i), us(100 * i + 20));
        kernel("a", us(100 * i + 30), us(100 * i + 50));
    }
    analysis::SteadyState steady;
    for (int i = 1; i < 6; ++i)
        steady.iterations.push_back({us(100 * i), us(100 * i + 100)});
    const Statistics whole = by(StatisticsGroup::Kernel, {}, &steady);
    EXPECT_EQ(whole.iterations, 5u);
    EXPECT_EQ(whole.rows[0].count, 12u);
    EXPECT_DOUBLE_EQ(whole.countPerIteration(whole.rows[0]), 2);
    EXPECT_EQ(whole.totalPerIteration(whole.rows[0]), us(40));
    const Statistics part = by(StatisticsGroup::Kernel, Interval{us(150), us(410)}, &steady);
    EXPECT_EQ(part.iterations, 2u);
    EXPECT_EQ(part.iterationsTime, (Interval{us(200), us(400)}));
    EXPECT_EQ(part.rows[0].inIterations, 4u);
    EXPECT_EQ(by(StatisticsGroup::Kernel).iterations, 0u);
}

/// Against sums made one by one.
TEST_F(StatisticsByName, PartsOfRandomWorkAddUpToTheWhole) {
    std::mt19937 random(7);
    const char* const names[] = {"a", "b", "c"};
    for (std::uint32_t i = 0; i < 300; ++i) {
        const Ns begin = static_cast<Ns>(random() % 10'000), length = static_cast<Ns>(random() % 400);
        kernel(names[random() % 3], begin, begin + length, 13 + i % 7);
        copy(MemcpyH2D, MemoryKind::Pinned, MemoryKind::Device, begin + 50, begin + length);
    }
    const Statistics whole = by(StatisticsGroup::Kernel);
    std::map<std::string, std::pair<Ns, Ns>> sums;
    for (Ns from = 0; from < 11'000; from += 1'000)
        for (const StatisticsRow& row : by(StatisticsGroup::Kernel, Interval{from, from + 1'000}).rows) {
            sums[row.name].first += row.total;
            sums[row.name].second += row.work.overlapped;
        }
    ASSERT_EQ(whole.rows.size(), 3u);
    for (const StatisticsRow& row : whole.rows) {
        EXPECT_EQ(row.total, sums[row.name].first) << row.name;
        EXPECT_EQ(row.work.overlapped, sums[row.name].second) << row.name;
        EXPECT_GT(row.work.overlapped, 0);
    }
}

TEST_F(StatisticsByName, RangesThatDifferOnlyInTheirLastNumberAreOneRowUnlessEachIsWanted) {
    range("ProfilerStep#1", 1000, 1100);
    range("ProfilerStep#12", 2000, 2300);
    range("epoch 1 step 3", 3000, 3010);
    range("epoch 2 step 3", 4000, 4010);
    range("alone 7", 5000, 5005);
    const analysis::Facts& facts = made.facts();
    const analysis::ExplainedWaits waits(facts);
    const Statistics found = analysis::statisticsOf(facts, waits, {StatisticsGroup::Range});
    EXPECT_EQ(namesOf(found),
              (std::vector<std::string>{"ProfilerStep#*", "epoch 1 step 3", "epoch 2 step 3", "alone 7"}));
    EXPECT_EQ(found.rows[0].count, 2u);
    EXPECT_EQ(found.rows[0].total, 400);
    EXPECT_EQ(found.rows[0].longest, 300);
    EXPECT_EQ(found.activitiesOf(facts.trace(), 0).size(), 2u);
    const Statistics each = analysis::statisticsOf(facts, waits, {StatisticsGroup::Range, {}, nullptr, true});
    EXPECT_EQ(rowOf(each, "ProfilerStep#12").total, 300);
    EXPECT_EQ(each.rows.size(), 5u);
}

TEST_F(StatisticsByName, RowsAreSortedByAnyColumnAndKeepTheirActivities) {
    kernel("b", 1000, 1100);
    kernel("a", 2000, 2010);
    kernel("a", 3000, 3010);
    const analysis::Facts& facts = made.facts();
    Statistics found =
        analysis::statisticsOf(facts, analysis::ExplainedWaits(facts), {StatisticsGroup::Kernel});
    EXPECT_EQ(namesOf(found), (std::vector<std::string>{"b", "a"}));
    const auto sortBy = [&found](std::string_view id) {
        for (const analysis::StatisticsColumn& column : analysis::statisticsColumns())
            if (column.id == id)
                analysis::sortRows(found, column);
        return namesOf(found);
    };
    EXPECT_EQ(sortBy("count"), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(found.activitiesOf(facts.trace(), 0).size(), 2u);
    EXPECT_EQ(sortBy("max"), (std::vector<std::string>{"b", "a"}));
    EXPECT_EQ(found.activitiesOf(facts.trace(), 0).size(), 1u);
    EXPECT_EQ(sortBy("name"), (std::vector<std::string>{"a", "b"}));
}

TEST(Operators, AreToldByTheirNames) {
    for (const auto& [range, name] : std::initializer_list<std::pair<const char*, const char*>>{
             {"aten::add", "aten::add"},
             {"aten::add, seq = 7, sizes = [[2], [2]]", "aten::add"},
             {"autograd::engine::evaluate_function: MulBackward0",
              "autograd::engine::evaluate_function: MulBackward0"},
             {"ReluBackward0", "ReluBackward0"},
             {"Optimizer.step#SGD.step", "Optimizer.step#SGD.step"},
             {"nccl:all_reduce", "nccl:all_reduce"},
             {"", ""},
             {"ProfilerStep#3", ""},
             {"## Backward ##", ""},
             {"Backward", ""},
             {"torch/nn/module.py(1): forward", ""},
             {"my step::fast", ""},
             {"::add", ""}})
        EXPECT_EQ(analysis::operatorOf(range), name) << range;
}

} // namespace
} // namespace olab::test
