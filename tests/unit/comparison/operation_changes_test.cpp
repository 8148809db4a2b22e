// What became of each operation of a run in another.
#include "made_trace.h"
#include "operation_matching.h"

#include <olab/comparison/operation_changes.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

namespace olab::comparison {
namespace {

using test::us;
using enum OperationFate;

/// An operation by its class, times in microseconds and stream; named ones by the name.
struct Op {
    ActivityClass cls;
    double begin, end;
    std::uint32_t stream = 13;
    const char* name = "";
};

Trace traceOf(const std::vector<Op>& operations) {
    test::Made made;
    for (const Op& op : operations)
        made.work(op.cls, us(op.begin), us(op.end), op.stream).name = made.text(op.name);
    made.finish();
    return std::move(made.trace);
}

OperationChanges changesOf(const Trace& before, const Trace& after) {
    return operationChanges(before, alignedAtFirstWork(before), after, alignedAtFirstWork(after));
}

std::vector<OperationFate> fatesOf(const OperationChanges& changes) {
    std::vector<OperationFate> fates;
    for (const OperationChange& change : changes.all)
        fates.push_back(change.fate);
    return fates;
}

using enum ActivityClass;
const std::vector<Op> kThree{{MemcpyH2D, 100, 200}, {Kernel, 200, 300, 13, "work"}, {MemcpyD2H, 300, 400}};

TEST(OperationChanges, TheSameRunLaterOnDoesNotDiffer) {
    const Trace before = traceOf(kThree);
    const Trace after =
        traceOf({{MemcpyH2D, 1100, 1200}, {Kernel, 1200, 1300, 13, "work"}, {MemcpyD2H, 1300, 1400}});
    const OperationChanges changes = changesOf(before, after);
    EXPECT_EQ(fatesOf(changes), (std::vector{Same, Same, Same}));
    EXPECT_EQ(operationChangesText(changes), "No operation differs.");
}

TEST(OperationChanges, KnowsWhereAStreamIsIdleForLonger) {
    const Trace before = traceOf(kThree);
    const Trace after =
        traceOf({{MemcpyH2D, 100, 200}, {Kernel, 270, 370, 13, "work"}, {MemcpyD2H, 370, 470}});
    const OperationChanges changes = changesOf(before, after);
    ASSERT_EQ(fatesOf(changes), (std::vector{Same, Moved, Moved}));
    EXPECT_EQ(changes.all[1].idleLonger, us(70));
    EXPECT_EQ(changes.all[2].idleLonger, 0) << "it is later, but waits no longer";
}

TEST(OperationChanges, WhatIsLongerPushesTheRestBack) {
    const Trace before = traceOf(kThree);
    const Trace after =
        traceOf({{MemcpyH2D, 100, 250}, {Kernel, 250, 350, 13, "work"}, {MemcpyD2H, 350, 390}});
    const OperationChanges changes = changesOf(before, after);
    ASSERT_EQ(fatesOf(changes), (std::vector{Longer, Moved, Shorter}));
    EXPECT_EQ(changes.all[0].longer, us(50));
    EXPECT_EQ(changes.all[1].later, us(50));
    EXPECT_EQ(changes.of(Shorter).longer, -us(60));
    EXPECT_EQ(operationChangesText(changes),
              "Operations: 1 longer (+50.0 us), 1 shorter (-60.0 us), 1 moved; 0 the same.");
}

TEST(OperationChanges, OneInTheMiddleIsNewAndNoneBehindIt) {
    const Trace before =
        traceOf({{Kernel, 0, 10, 13, "a"}, {Kernel, 10, 20, 13, "b"}, {Kernel, 20, 30, 13, "a"}});
    const Trace after = traceOf({{Kernel, 0, 10, 13, "a"},
                                 {Kernel, 10, 10.5, 13, "c"},
                                 {Kernel, 10.6, 20.6, 13, "b"},
                                 {Kernel, 20.6, 30.6, 13, "a"}});
    EXPECT_EQ(fatesOf(changesOf(before, after)), (std::vector{Same, Same, New, Same}));
    const OperationChanges back = changesOf(after, before);
    EXPECT_EQ(back.of(Gone).count, 1U);
    EXPECT_EQ(back.of(New).count, 0U);
    EXPECT_EQ(back.of(Gone).longer, -us(0.5));
}

TEST(OperationChanges, OneInAnotherStreamIsFoundThere) {
    const Trace before = traceOf({{Kernel, 0, 10, 13, "a"}, {Kernel, 10, 20, 13, "b"}});
    const Trace after = traceOf({{Kernel, 0, 10, 13, "a"}, {Kernel, 10, 20, 14, "b"}});
    const OperationChanges changes = changesOf(before, after);
    ASSERT_EQ(fatesOf(changes), (std::vector{Same, Moved}));
    EXPECT_TRUE(changes.all[1].otherStream);
    EXPECT_EQ(changes.all[1].later, 0);
}

TEST(OperationChanges, OnlyWhatBeginsInThePlaceIsCompared) {
    const Trace trace = traceOf(kThree);
    const AlignedSpan early{us(100), {us(100), us(250)}};
    const OperationChanges changes = operationChanges(trace, early, trace, alignedAtFirstWork(trace));
    EXPECT_EQ(fatesOf(changes), (std::vector{Same, Same, New}));
    EXPECT_EQ(operationChangesText(operationChanges(trace, {0, {0, 1}}, trace, {0, {0, 1}})),
              "Neither did any device work here.");
}

/// Whatever the two runs are: each operation is told once, and the swapped runs are the mirror.
TEST(OperationChanges, EachOperationIsToldOnceAndTheMirrorIsTrue) {
    std::mt19937 random(7);
    const auto any = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
    const auto run = [&] {
        std::vector<Op> operations;
        double time = 0;
        for (int i = 0, count = 20 + any(40); i < count; ++i, time += 12)
            operations.push_back({any(3) > 0 ? Kernel : MemcpyH2D, time, time + 5 + any(6),
                                  13 + static_cast<std::uint32_t>(any(3)), any(2) > 0 ? "a" : "b"});
        return traceOf(operations);
    };
    for (int round = 0; round < 50; ++round) {
        const Trace before = run(), after = run();
        const OperationChanges changes = changesOf(before, after), mirror = changesOf(after, before);
        const auto both = changes.all.size() - changes.of(Gone).count - changes.of(New).count;
        EXPECT_EQ(2 * both + changes.of(Gone).count + changes.of(New).count, before.size() + after.size());
        EXPECT_EQ(changes.of(Gone).count + mirror.of(Gone).count,
                  changes.of(Gone).count + changes.of(New).count);
        for (const OperationChange& change : changes.all) {
            if (change.before && change.after) {
                EXPECT_EQ(before.cls(*change.before), after.cls(*change.after));
                EXPECT_EQ(before.text(before.nameOf(*change.before)),
                          after.text(after.nameOf(*change.after)));
            }
        }
        Ns sum = 0;
        for (const OperationChanges::Sum& each : changes.sums)
            sum += each.longer;
        Ns busy = 0;
        for (ActivityIndex i = 0; i < after.size(); ++i)
            busy += after.duration(i);
        for (ActivityIndex i = 0; i < before.size(); ++i)
            busy -= before.duration(i);
        EXPECT_EQ(sum, busy) << "the changes add up to that of all device work";
    }
}

std::size_t longestCommon(const std::vector<Label>& a, const std::vector<Label>& b) {
    std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j)
            best[i][j] =
                a[i - 1] == b[j - 1] ? best[i - 1][j - 1] + 1 : std::max(best[i - 1][j], best[i][j - 1]);
    return best[a.size()][b.size()];
}

TEST(OperationMatching, FindsTheLongestCommonOrder) {
    std::mt19937 random(11);
    const auto some = [&] {
        std::vector<Label> labels(random() % 40);
        std::ranges::generate(labels, [&] { return static_cast<Label>(random() % 4); });
        return labels;
    };
    for (int round = 0; round < 500; ++round) {
        const std::vector<Label> a = some(), b = some();
        const std::vector<Match> found = matchInOrder(a, b);
        EXPECT_EQ(found.size(), longestCommon(a, b));
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_EQ(a[found[i].first], b[found[i].second]);
            if (i > 0) {
                EXPECT_LT(found[i - 1].first, found[i].first);
                EXPECT_LT(found[i - 1].second, found[i].second);
            }
        }
    }
}

TEST(OperationMatching, WhatDiffersTooMuchIsPairedInTurn) {
    const std::vector<Label> a{1, 1, 2, 3}, b{3, 2, 1, 4, 1};
    EXPECT_EQ(matchInOrder(a, b, 1), matchInTurn(a, b));
    EXPECT_EQ(matchInTurn(a, b), (std::vector<Match>{{3, 0}, {2, 1}, {0, 2}, {1, 4}}));
}

} // namespace
} // namespace olab::comparison
