// The passes that facts are made by, each against the plain way.
#include "facts/coverage_walk.h"
#include "made_trace.h"
#include "measure/measure.h"
#include "measure/medians.h"
#include "measure/stretch_sums.h"

#include <olab/trace/lanes_of.h>
#include <olab/trace/side_by_side.h>

#include <random>
#include <sched.h>

namespace olab::test {
namespace {

std::vector<Interval> randomIntervals(std::mt19937& random, std::size_t count, Ns span) {
    const auto upTo = [&](Ns most) {
        return static_cast<Ns>(random() % static_cast<std::uint64_t>(most + 1));
    };
    std::vector<Interval> intervals(count);
    for (Interval& i : intervals) {
        i.begin = upTo(span);
        i.end = i.begin + (upTo(9) == 0 ? 0 : upTo(20) == 0 ? upTo(span) : upTo(span / 20));
    }
    std::ranges::sort(intervals, {}, [](const Interval& i) { return std::pair(i.begin, i.end); });
    return intervals;
}

class Passes : public testing::TestWithParam<unsigned> {};

TEST_P(Passes, WalkedCoverageIsMeasuredCoverage) {
    std::mt19937 random(GetParam());
    for (const std::size_t count : {0u, 1u, 30u, 800u}) {
        const IntervalSet set = IntervalSet::unionOf(randomIntervals(random, count, 20'000));
        analysis::ForwardMeasure forward(set);
        for (const Interval& range : randomIntervals(random, 500, 21'000))
            ASSERT_EQ(forward.measure(range), set.measure(range));
        std::vector<Interval> ranges = randomIntervals(random, 500, 21'000);
        std::ranges::sort(ranges, {}, &Interval::end);
        analysis::BackwardMeasure backward(set);
        for (const Interval& range : ranges)
            ASSERT_EQ(backward.measure(range), set.measure(range));
    }
}

TEST_P(Passes, TimeWithTwoAtOnceAddsUp) {
    std::mt19937 random(GetParam());
    for (const std::size_t count : {0u, 1u, 2u, 40u, 900u}) {
        const std::vector<Interval> intervals = randomIntervals(random, count, 50'000);
        analysis::ConcurrentSum sum;
        std::vector<Interval> shared;
        for (const Interval& i : intervals)
            shared.push_back(sum.add(i));
        EXPECT_EQ(sum.total(), concurrentLength(intervals));
        EXPECT_EQ(IntervalSet::unionOf(shared).total(), sum.total()) << "no part is given twice";
    }
}

void expectSame(const analysis::ClassSums& a, const analysis::ClassSums& b) {
    EXPECT_EQ(a.count, b.count);
    EXPECT_EQ(a.zeroDuration, b.zeroDuration);
    EXPECT_EQ(a.sum, b.sum);
    EXPECT_EQ(a.bytes, b.bytes);
    EXPECT_EQ(a.concurrent.total(), b.concurrent.total());
}

void expectSame(const analysis::EngineSums& a, const analysis::EngineSums& b) {
    EXPECT_EQ(a.count, b.count);
    EXPECT_EQ(a.classes, b.classes);
    EXPECT_EQ(a.concurrent.total(), b.concurrent.total());
}

/// With long ones that reach over many stretches, classes that are rare, and two devices.
Made workForStretches(unsigned seed) {
    std::mt19937 random(seed);
    Made m;
    for (int device = 0; device < 2; ++device)
        for (const Interval& time : randomIntervals(random, 400, 20'000)) {
            const auto cls = random() % 90 == 0 ? MemcpyP2P : static_cast<ActivityClass>(random() % 4);
            m.work(cls, us(1) + time.begin, us(1) + time.end, 13 + random() % 3).device = device;
        }
    return m;
}

TEST_P(Passes, SumsOfStretchesAreTheSumsOfAll) {
    Made m = workForStretches(GetParam());
    const analysis::Facts& facts = m.facts();
    const std::size_t size = facts.deviceWork().size();
    const analysis::RowSums all = analysis::sumRows(facts, analysis::Crowds::NotKept, {0, size}, {});
    for (const std::size_t stretches : {1u, 2u, 3u, 8u, 100u}) {
        analysis::StretchSums sums(facts, stretches);
        for (std::size_t s = sums.size(); s-- > 0;)
            sums.sum(s, {});
        const analysis::RowSums joined = sums.join();
        EXPECT_EQ(joined.classesOfQueue, all.classesOfQueue);
        for (std::size_t d = 0; d < all.devices.size(); ++d) {
            EXPECT_EQ(joined.devices[d].span, all.devices[d].span);
            for (std::size_t c = 0; c < kDeviceClassCount; ++c)
                expectSame(joined.devices[d].classes[c], all.devices[d].classes[c]);
            for (std::size_t e = 0; e < kEngineCount; ++e)
                expectSame(joined.devices[d].engines[e], all.devices[d].engines[e]);
        }
    }
}

TEST_P(Passes, MediansWithoutACopyOfAllDurations) {
    std::mt19937_64 random(GetParam());
    Made m;
    std::map<ActivityClass, std::vector<Ns>> durations;
    for (int i = 0; i < 2000; ++i) {
        const auto cls = static_cast<ActivityClass>(random() % 5);
        const auto length = static_cast<Ns>(random() >> (20 + random() % 44));
        m.work(cls, us(1) + i, us(1) + i + length, 13 + static_cast<std::uint32_t>(i) % 7);
        durations[cls].push_back(length);
    }
    const auto medians = analysis::medianDurations(m.facts(), {});
    ASSERT_EQ(medians.size(), 1u);
    for (std::size_t c = 0; c < kDeviceClassCount; ++c)
        EXPECT_EQ(medians[0][c], analysis::medianOf(durations[static_cast<ActivityClass>(c)]));
}
INSTANTIATE_TEST_SUITE_P(Seeds, Passes, testing::Values(1u, 2u, 3u, 4u));

/// While it lives this thread, and what it starts, has one core: the analysis then takes one thread.
class OneCore {
public:
    OneCore() {
        sched_getaffinity(0, sizeof m_before, &m_before);
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core)
            if (CPU_ISSET(core, &m_before))
                CPU_SET(core, &one);
        sched_setaffinity(0, sizeof one, &one);
    }
    ~OneCore() { sched_setaffinity(0, sizeof m_before, &m_before); }
    OneCore(const OneCore&) = delete;
    OneCore& operator=(const OneCore&) = delete;

private:
    cpu_set_t m_before;
};

/// Full grids, NULL streams, stretched copies, waits for engines, calls: enough of it for several threads.
Trace busyTrace() {
    constexpr std::array kTurns{Kernel, MemcpyH2D, Memset, MemcpyD2H, Kernel, MemcpyD2D};
    TraceBuilder builder;
    std::mt19937 random(11);
    for (std::uint32_t s = 0; s < 12; ++s)
        builder.add(StreamRecord{1, 13 + s, s == 3 ? StreamKind::Null : StreamKind::Blocking, 0});
    builder.add(SoloRecord{0, Kernel, 0, 2'500, 3, 600, 1056});
    Ns time = us(10);
    for (std::uint32_t i = 0; i < 420'000; ++i) {
        ActivityRecord r;
        r.cls = kTurns[random() % kTurns.size()];
        r.device = 0, r.context = 1, r.stream = 13 + (random() % 60 == 0 ? 3 : random() % 12);
        time += random() % 900 + (random() % 5000 == 0 ? us(200) : 0);
        r.begin = time, r.end = time + 500 + random() % (random() % 9 == 0 ? 60'000 : 4'000);
        r.bytes = r.cls == Kernel ? 0 : 1 << (12 + random() % 4);
        r.correlation = i + 1;
        builder.add(r);
        if (random() % 4 == 0) {
            r.cls = Api, r.thread = 100;
            r.begin = time - random() % 20'000, r.end = r.begin + random() % 9'000;
            builder.add(r);
        }
    }
    return builder.finish();
}

void expectEqualWaits(const analysis::Facts& one, const analysis::Facts& several) {
    ASSERT_EQ(one.waits().size(), several.waits().size());
    for (std::size_t n = 0; n < one.waits().size(); ++n) {
        const analysis::ExplainedWait a = one.waits()[n], b = several.waits()[n];
        ASSERT_EQ(std::tuple(a.op, a.time, a.held, a.cause, a.blocker, a.stretched),
                  std::tuple(b.op, b.time, b.held, b.cause, b.blocker, b.stretched));
        if (n % 1000 == 0) {
            ASSERT_EQ(one.stretcherOf(a.op), several.stretcherOf(b.op));
        }
    }
}

TEST(SideBySide, AnyNumberOfThreadsFindsTheSame) {
    const Trace trace = busyTrace();
    std::optional<OneCore> oneCore(std::in_place);
    ASSERT_EQ(threadsFor(trace.size()), 1u);
    const auto lanes = lanesOf(trace);
    const analysis::FactsPtr one = analysis::gatherFacts({trace, *lanes});
    oneCore.reset();
    if (threadsFor(trace.size()) == 1)
        GTEST_SKIP() << "this machine has one core";
    const auto again = lanesOf(trace);
    const analysis::FactsPtr several = analysis::gatherFacts({trace, *again});
    expectEqualWaits(*one, *several);
    for (std::size_t cause = 0; cause < analysis::kLossCauses; ++cause)
        EXPECT_EQ(one->waitTable().count(static_cast<analysis::LossCause>(cause)),
                  several->waitTable().count(static_cast<analysis::LossCause>(cause)));
    for (const analysis::LossCause cause :
         {analysis::LossCause::NullStream, analysis::LossCause::EngineBound, analysis::LossCause::FullGrid})
        EXPECT_GT(one->waitTable().count(cause), 0u) << analysis::lossCauseId(cause);
    EXPECT_EQ(one->perDevice()[0].blocked.stretchedBy, several->perDevice()[0].blocked.stretchedBy);
    EXPECT_EQ(one->perDevice()[0].computeLoad, several->perDevice()[0].computeLoad);
    EXPECT_EQ(one->bounds().criticalPath, several->bounds().criticalPath);
}

TEST(SideBySide, EachPartIsDoneOnceAndWhatOneThrowsIsThrown) {
    for (const std::size_t threads : {1u, 2u, 5u}) {
        std::vector<int> done(100);
        sideBySide(done.size(), threads, [&](std::size_t part) { ++done[part]; });
        EXPECT_EQ(done, std::vector<int>(100, 1));
        EXPECT_THROW(sideBySide(10, threads,
                                [](std::size_t part) {
                                    if (part == 3)
                                        throw std::runtime_error("no room");
                                }),
                     std::runtime_error);
    }
    for (const std::size_t items : {0u, 1u, 7u, 100u})
        for (const std::size_t parts : {1u, 3u, 8u}) {
            std::size_t next = 0;
            for (std::size_t part = 0; part < parts; ++part) {
                EXPECT_EQ(stretchOf(part, parts, items).begin, next);
                next = stretchOf(part, parts, items).end;
            }
            EXPECT_EQ(next, items);
        }
}

} // namespace
} // namespace olab::test
