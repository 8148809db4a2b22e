// Several recordings of each side: which counts, what they say together, and programs that repeat an
// iteration.
#include <olab/assertion/comparison_assertion.h>
#include <olab/intervention/intervention.h>
#include <olab/trace/trace_builder.h>

#include <gmock/gmock.h>

namespace olab::comparison {
namespace {

using recording::RecordingPtr;
using testing::HasSubstr;

constexpr Ns kUs = 1'000;

struct Repeated {
    int iterations = 10;
    Ns kernel = 400 * kUs; ///< how long each takes
    Ns pause = 0;          ///< of the host, in each iteration
    std::string recordedAt{};
    const char* second = "backward"; ///< the name of its second kernel
    std::uint32_t grid = 0;          ///< blocks of that one; 0: not recorded
    Ns begin = 0;                    ///< on the wall clock
    Ns own = 0;                      ///< added to the length of its last kernel: no two runs are the same
};

/// A program that copies and runs two kernels, again and again.
class Program {
public:
    explicit Program(const Repeated& how) {
        m_builder.add(ProvenanceRecord{SourceKind::Traced, "somebody", "1", how.recordedAt});
        m_builder.add(DeviceRecord{});
        Ns at = how.begin + 1'000 * kUs;
        for (int i = 0; i < how.iterations; ++i) {
            const Ns copied = at + 200 * kUs, first = copied + how.kernel,
                     end = first + how.kernel + (i + 1 == how.iterations ? how.own : 0);
            const Ns issued = how.pause > 0 ? at : how.begin + i * 20 * kUs; // late, or all at once
            call("cudaMemcpyAsync", issued, issued + 5 * kUs);
            work(ActivityClass::MemcpyH2D, "", at + 10 * kUs, copied);
            call("cudaLaunchKernel", issued + 6 * kUs, issued + 11 * kUs);
            work(ActivityClass::Kernel, "forward", copied, first);
            call("cudaLaunchKernel", issued + 12 * kUs, issued + 17 * kUs);
            work(ActivityClass::Kernel, how.second, first, end, how.grid);
            at = end + how.pause;
        }
    }
    RecordingPtr recorded(const std::string& name) {
        return recording::makeRecording({m_builder.finish(), nullptr, std::nullopt}, name, false);
    }

private:
    void call(std::string_view name, Ns begin, Ns end) {
        ActivityRecord r;
        r.cls = ActivityClass::Api, r.thread = 100, r.correlation = ++m_correlation;
        r.begin = begin, r.end = end, r.name = m_builder.intern(name);
        m_builder.add(r);
    }
    void work(ActivityClass cls, std::string_view name, Ns begin, Ns end, std::uint32_t grid = 0) {
        ActivityRecord r;
        r.cls = cls, r.stream = 7, r.context = 1, r.correlation = m_correlation;
        r.begin = begin, r.end = end, r.name = m_builder.intern(name);
        r.bytes = cls == ActivityClass::Kernel ? 0 : 1 << 20;
        if (grid > 0)
            r.geometry = KernelGeometry{{grid, 1, 1}, {256, 1, 1}};
        m_builder.add(r);
    }
    TraceBuilder m_builder;
    std::uint32_t m_correlation = 0;
};

class Side {
public:
    /// No two of them at the same time, and none as long as another.
    void add(Repeated how) {
        static Ns begin = 0, own = 0;
        how.begin = begin += 1'000'000'000;
        how.own = ++own;
        addExactly(how);
    }
    void addExactly(const Repeated& how) {
        m_recordings.push_back(Program(how).recorded("run" + std::to_string(m_recordings.size() + 1)));
        m_runs.push_back(intervention::comparedRun(*m_recordings.back()));
    }
    /// Their kernels take a little more or less, as runs do.
    void addSome(int count, Repeated how, int firstSecond = 0, int step = 1) {
        addSomeAt(count, how, [&](int i) {
            return "2026-01-01T00:00:" + std::to_string(10 + firstSecond + i * step) + "Z";
        });
    }
    template <typename RecordedAt>
    void addSomeAt(int count, Repeated how, RecordedAt recordedAt) {
        const Ns kernel = how.kernel;
        for (int i = 0; i < count; ++i) {
            how.kernel = kernel + (i * 7 % 5 - 2) * kUs / 2;
            how.recordedAt = recordedAt(i);
            add(how);
        }
    }
    /// Another file of the same recording.
    void copyFirst() {
        m_recordings.push_back(m_recordings.front());
        m_runs.push_back(m_runs.front());
    }
    const std::vector<ComparedRun>& runs() const { return m_runs; }
    const recording::Recording& recording(std::size_t i) const { return *m_recordings[i]; }

private:
    std::vector<RecordingPtr> m_recordings;
    std::vector<ComparedRun> m_runs;
};

assertion::AssertionResult check(const Side& before, const Side& after, std::string_view expression) {
    const SidesCompared found = compareSides(before.runs(), after.runs());
    const recording::Recording &a = before.recording(found.before), &b = after.recording(found.after);
    const io::ReportDocument was = documentOf(a), is = documentOf(b);
    return assertion::checkComparison(found.comparison, {a.report, was, a.facts.get()},
                                      {b.report, is, b.facts.get()}, expression);
}

TEST(CompareSides, TheTypicalRecordingIsShownAndAllAreJudged) {
    Side before, after;
    for (const Ns kernel : {400, 402, 399, 401, 398})
        before.add({.kernel = kernel * kUs});
    for (const Ns kernel : {440, 439, 500, 441, 438})
        after.add({.kernel = kernel * kUs});
    const SidesCompared found = compareSides(before.runs(), after.runs());
    EXPECT_EQ(found.before, 0u) << "the one in the middle";
    EXPECT_EQ(found.after, 0u);
    ASSERT_TRUE(found.comparison.speed.slowdown && found.comparison.speed.slowdown->low);
    EXPECT_EQ(found.comparison.speed.slowdown->before, 5u);
    EXPECT_GT(*found.comparison.speed.slowdown->low, 1.05);
    EXPECT_THAT(found.comparison.headline, HasSubstr("A (5 recordings) took "));
    EXPECT_THAT(found.comparison.speed.words, HasSubstr("the work itself takes "));
    EXPECT_TRUE(check(before, after, "slower<=30%").passed);
    const auto slower = check(before, after, "slower<=2%");
    EXPECT_TRUE(slower.judged && !slower.passed) << slower.text;
}

TEST(CompareSides, ANewCauseIsNamed) {
    Side before, after;
    before.addSome(5, {});
    after.addSome(5, {.pause = 300 * kUs});
    const Comparison found = compareSides(before.runs(), after.runs()).comparison;
    EXPECT_THAT(found.speed.words,
                testing::MatchesRegex("slower by [0-9.]+ % \\([0-9.]+ to [0-9.]+\\), 5 and 5 "
                                      "recordings, per iteration: new cause \"CPU launches too late\""));
    EXPECT_THAT(found.findings.appeared, testing::Contains("host-late"));
    EXPECT_TRUE(found.account.perIteration);
    Side mixed; // two of five show it: not what most of them do
    mixed.addSome(3, {});
    mixed.add({.pause = 300 * kUs});
    mixed.add({.pause = 300 * kUs});
    const Comparison some = compareSides(before.runs(), mixed.runs()).comparison;
    for (const AccountRow& row : some.account.rows)
        EXPECT_FALSE(row.isNew);
    EXPECT_THAT(some.findings.appeared, testing::IsEmpty());
}

TEST(CompareSides, RecordingsMadeByTurnsArePairs) {
    Side before, after, late;
    before.addSome(8, {}, 0, 2);
    after.addSome(8, {}, 1, 2);
    late.addSome(8, {}, 40, 1);
    const Comparison turns = compareSides(before.runs(), after.runs()).comparison,
                     behind = compareSides(before.runs(), late.runs()).comparison;
    EXPECT_EQ(turns.speed.slowdown->basis, SlowdownBasis::Pairs);
    EXPECT_EQ(turns.caution, "");
    EXPECT_EQ(behind.speed.slowdown->basis, SlowdownBasis::Runs);
    EXPECT_THAT(behind.caution, HasSubstr("Record them alternately"));
}

TEST(CompareSides, WithoutTimesItIsNotKnownWhatDrifted) {
    const auto unknown = [](int) { return std::string(); };
    Side before, after, few;
    before.addSomeAt(5, {}, unknown);
    after.addSomeAt(5, {.kernel = 440 * kUs}, unknown);
    few.add({});
    const auto slower = check(before, after, "slower<=2%");
    EXPECT_TRUE(slower.judged && !slower.passed) << slower.text;
    EXPECT_THAT(slower.text, HasSubstr("do not tell whether all of one side were made before"));
    EXPECT_THAT(check(before, after, "slower<=20%").text, HasSubstr("holds, "));
    EXPECT_THAT(compareSides(before.runs(), after.runs()).comparison.caution, HasSubstr("alternately"));
    EXPECT_EQ(compareSides(before.runs(), few.runs()).comparison.caution, "") << "it says nothing anyway";
}

TEST(CompareSides, ARecordingCountsOnceHoweverOftenItIsGiven) {
    Side before, after;
    before.add({}), after.add({.kernel = 390 * kUs});
    for (int i = 0; i < 4; ++i)
        before.copyFirst(), after.copyFirst();
    const SidesCompared found = compareSides(before.runs(), after.runs());
    ASSERT_TRUE(found.comparison.speed.slowdown);
    EXPECT_EQ(found.comparison.speed.slowdown->before, 1u);
    EXPECT_FALSE(found.comparison.speed.slowdown->low);
    EXPECT_THAT(found.comparison.caution, HasSubstr("Of the 5 recordings of A 4 are copies of others"));
    EXPECT_EQ(found.comparison.headline.find("5 recordings"), std::string::npos);
    const auto faster = check(before, after, "slower<=-1%");
    EXPECT_FALSE(faster.passed || faster.judged);
    EXPECT_THAT(faster.text, HasSubstr("inconclusive, faster by "));
}

TEST(CompareSides, ACopyWithAnotherZeroOfItsClockIsNoOtherRun) {
    Side before, after, single, other;
    for (Ns i = 0; i < 5; ++i) {
        before.addExactly({.kernel = 400 * kUs, .begin = i * kUs});
        after.addExactly({.kernel = 390 * kUs, .begin = i * kUs});
        single.addExactly({.iterations = 1, .begin = i * kUs});
        other.addExactly({.iterations = 1, .kernel = 390 * kUs, .begin = i * kUs});
    }
    const Comparison copies = compareSides(before.runs(), after.runs()).comparison;
    EXPECT_THAT(copies.caution, HasSubstr("Of the 5 recordings of A 4 are copies of others"));
    EXPECT_FALSE(check(before, after, "slower<=-1%").judged);
    EXPECT_THAT(check(before, before, "slower<=50%").text, HasSubstr("run1 stands on both sides"));
    const Comparison few = compareSides(single.runs(), other.runs()).comparison;
    EXPECT_EQ(few.speed.slowdown->before, 5u) << "three operations may take as long again by chance";
}

TEST(CompareSides, TheTypicalOneIsFoundAmongCopies) {
    Side before, after;
    before.add({.kernel = 500 * kUs}), before.copyFirst();
    before.add({.kernel = 400 * kUs}), before.add({.kernel = 450 * kUs});
    after.add({});
    EXPECT_EQ(compareSides(before.runs(), after.runs()).before, 3u);
}

TEST(CompareSides, ARecordingOnBothSidesSaysNothingOfTheSpeed) {
    Side side;
    side.addSome(5, {});
    const auto result = check(side, side, "slower<=50%");
    EXPECT_FALSE(result.passed || result.judged);
    EXPECT_THAT(result.text, HasSubstr("cannot be judged, run1 stands on both sides"));
    EXPECT_TRUE(check(side, side, "count(kernel)==@A").passed);
}

TEST(CompareSides, AnotherGridIsOtherWork) {
    Side before, half, unknown;
    before.addSome(5, {.grid = 1000}), half.addSome(5, {.grid = 500}), unknown.addSome(5, {});
    const auto result = check(before, half, "slower<=50%");
    EXPECT_FALSE(result.passed || result.judged);
    EXPECT_THAT(result.text,
                HasSubstr("Nothing shows that both did the same work: kernel backward (grid 1000x1x1, block "
                          "256x1x1) ran 10 times in A and 0 times in B"));
    EXPECT_FALSE(check(before, half, "slower_per_iteration<=50%").judged);
    EXPECT_TRUE(check(before, unknown, "slower<=50%").passed) << "nothing says that it is another";
}

TEST(CompareSides, OneThatDidOtherWorkSpoilsThemAll) {
    Side before, after;
    before.addSome(5, {});
    after.addSome(4, {});
    after.add({.iterations = 11});
    const auto result = check(before, after, "slower<=50%");
    EXPECT_FALSE(result.passed || result.judged);
    EXPECT_THAT(result.text, HasSubstr("did the same work: run1 has 20 kernels, run5 22"));
}

TEST(SlowerPerIteration, IsJudgedHoweverOftenTheyRepeat) {
    Side before, after, same, other;
    before.addSome(5, {.iterations = 10});
    after.addSome(5, {.iterations = 25, .kernel = 440 * kUs});
    same.addSome(5, {.iterations = 25});
    other.addSome(5, {.iterations = 10, .second = "sideways"});
    EXPECT_TRUE(check(before, same, "slower_per_iteration<=3%").passed);
    const auto slower = check(before, after, "slower_per_iteration<=3%");
    EXPECT_TRUE(slower.judged && !slower.passed) << slower.text;
    EXPECT_THAT(slower.text, HasSubstr("slower_per_iteration<=3%: does not hold, slower by 8.0 % ("));
    EXPECT_FALSE(check(before, same, "slower<=3%").judged) << "the work is not the same";
    const auto unlike = check(before, other, "slower_per_iteration<=30%");
    EXPECT_FALSE(unlike.passed || unlike.judged);
    EXPECT_THAT(unlike.text, HasSubstr("Nothing shows that an iteration does the same work: "));
    EXPECT_THROW(check(before, same, "slower_per_iteration>=3%"), Error);
    EXPECT_THROW(check(before, same, "slower_per_iteration(a,b)<=3%"), Error);
}

} // namespace
} // namespace olab::comparison
