// Facts as rules, links and pages ask for them: every index against a plain look at all rows.
#include "made_trace.h"

#include <olab/experiment/plan.h>
#include <olab/trace/lanes_of.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <map>
#include <random>

namespace olab::test {
namespace {

static_assert(!std::is_copy_constructible_v<analysis::Facts> &&
                  !std::is_constructible_v<analysis::Facts, analysis::AnalysisInput>,
              "only gatherFacts() makes them");

/// A recording with a bit of everything: device work of several streams and devices, calls, waits of the
/// host, host functions, ops of a schedule.
class Mixed {
public:
    explicit Mixed(unsigned seed, std::uint32_t count = 3000)
        : m_random(seed) {
        schedule.streams.resize(1); // a plan has the streams that its ops name
        schedule.ops.resize(kOps);
        for (std::uint32_t op = 0; op < kOps; ++op)
            schedule.ops[op].id = OpId{op};
        TraceBuilder builder;
        for (std::uint32_t i = 0; i < count; ++i)
            add(builder, i);
        trace = builder.finish();
        lanes = lanesOf(trace);
        facts = analysis::gatherFacts({trace, *lanes, &schedule});
    }
    /// The rows that `isWanted`, in order.
    template <typename IsWanted>
    std::vector<ActivityIndex> rows(IsWanted isWanted) const {
        std::vector<ActivityIndex> found;
        for (ActivityIndex i = 0; i < trace.size(); ++i)
            if (isWanted(trace[i]))
                found.push_back(i);
        return found;
    }

    static constexpr std::uint32_t kOps = 40;
    experiment::Plan schedule;
    Trace trace;
    std::shared_ptr<const LaneSet> lanes;
    analysis::FactsPtr facts;

private:
    std::uint32_t upTo(std::uint32_t most) { return static_cast<std::uint32_t>(m_random() % (most + 1)); }
    void add(TraceBuilder& builder, std::uint32_t i) {
        constexpr std::array kNames{"cudaLaunchKernel", "cudaDeviceSynchronize", "cudaMalloc",
                                    "cudaFree",         "cudaMemcpyAsync",       "cudaEventQuery"};
        ActivityRecord r;
        r.cls = upTo(2) == 0 ? static_cast<ActivityClass>(7 + upTo(4)) : static_cast<ActivityClass>(upTo(6));
        m_time += upTo(900);
        r.begin = 1 + m_time, r.end = r.begin + upTo(2000);
        r.correlation = 1 + upTo(i);
        r.bytes = r.cls == Kernel ? 0 : 1 << (10 + upTo(3));
        if (upTo(3) == 0)
            r.op = OpId{upTo(kOps + 5)};
        if (isDeviceClass(r.cls))
            r.device = upTo(2), r.context = 1 + r.device, r.stream = 13 + upTo(6);
        else
            r.thread = 90 + upTo(3);
        if (r.cls == Api)
            r.name = builder.intern(kNames[upTo(5)]);
        if (r.cls == Kernel)
            r.geometry = KernelGeometry{{1 + upTo(2), 1, 1}, {64, 1, 1}, 0, 0, 0};
        builder.add(r);
    }
    std::mt19937 m_random;
    Ns m_time = 0;
};

std::vector<ActivityIndex> listed(const auto& rows) {
    return {rows.begin(), rows.end()};
}

class Indices : public testing::TestWithParam<unsigned> {};

TEST_P(Indices, DeviceWorkIsNumberedInBeginOrder) {
    const Mixed m(GetParam());
    const analysis::DeviceWork& work = m.facts->deviceWork();
    const auto rows = m.rows([](const Activity& a) { return isDeviceClass(a.cls); });
    ASSERT_EQ(work.size(), rows.size());
    for (std::size_t n = 0; n < rows.size(); ++n) {
        EXPECT_EQ(work.row(n), rows[n]);
        EXPECT_EQ(work.numberOf(rows[n]), n);
    }
    for (ActivityIndex i = 0; i < m.trace.size(); ++i)
        EXPECT_EQ(work.numberFrom(i),
                  static_cast<std::size_t>(std::ranges::lower_bound(rows, i) - rows.begin()));
}

TEST_P(Indices, OfOpsStreamsEnginesAndThreads) {
    const Mixed m(GetParam());
    for (std::uint32_t op = 0; op < Mixed::kOps + 3; ++op)
        EXPECT_EQ(listed(m.facts->ofOp(OpId{op})),
                  m.rows([&](const Activity& a) { return a.op == OpId{op} && op < Mixed::kOps; }));
    for (std::uint16_t q = 0; q < m.trace.queues().size(); ++q) {
        const bool isStream = m.trace.queues()[q].kind == Queue::Kind::Stream;
        EXPECT_EQ(listed(m.facts->ofStream(QueueId{q})),
                  m.rows([&](const Activity& a) { return isStream && a.queue == QueueId{q}; }));
        const auto calls = listed(m.facts->ofThread(QueueId{q}));
        for (const ActivityIndex i :
             m.rows([&](const Activity& a) { return !isStream && a.queue == QueueId{q} && a.cls == Api; }))
            EXPECT_TRUE(std::ranges::binary_search(calls, i));
    }
    for (std::uint8_t device = 0; device < m.trace.devices().size(); ++device)
        for (std::size_t e = 1; e < kEngineCount; ++e)
            EXPECT_EQ(listed(m.facts->ofEngine(device, static_cast<EngineKind>(e))),
                      m.rows([&](const Activity& a) {
                          return isDeviceClass(a.cls) && a.device == device &&
                                 a.engine == static_cast<EngineKind>(e);
                      }));
}

TEST_P(Indices, OfCallsSyncsAndAllocations) {
    const Mixed m(GetParam());
    std::map<std::uint32_t, ActivityIndex> firstCall;
    for (const ActivityIndex i : m.rows([](const Activity& a) { return a.cls == Api; }))
        firstCall.emplace(m.trace[i].correlation, i);
    std::map<ActivityIndex, std::vector<ActivityIndex>> issued;
    for (const ActivityIndex i :
         m.rows([](const Activity& a) { return isDeviceClass(a.cls) || a.cls == HostFn; })) {
        const auto call = firstCall.find(m.trace[i].correlation);
        const ActivityIndex expected = call == firstCall.end() ? kNoActivity : call->second;
        EXPECT_EQ(m.facts->apiOf(i), expected);
        if (expected != kNoActivity)
            issued[expected].push_back(i);
    }
    EXPECT_TRUE(m.facts->hasApi());
    for (ActivityIndex i = 0; i < m.trace.size(); ++i)
        EXPECT_EQ(listed(m.facts->issuedBy(i)), issued[i]);
}

TEST_P(Indices, EachActivityIsOneOfItsKindOfWork) {
    const Mixed m(GetParam());
    const auto kindOf = [&](ActivityIndex i) {
        const Activity a = m.trace[i];
        const KernelGeometry* g = m.trace.geometry(i);
        return std::tuple(a.cls, a.name, a.bytes, g ? g->blocks() : 0);
    };
    std::map<decltype(kindOf(0)), std::pair<Ns, std::uint64_t>> kinds; // shortest, count
    const auto rows = m.rows([](const Activity& a) { return isDeviceClass(a.cls); });
    for (const ActivityIndex i : rows) {
        auto& [shortest, count] = kinds.try_emplace(kindOf(i), m.trace.duration(i), 0).first->second;
        shortest = std::min(shortest, m.trace.duration(i));
        ++count;
    }
    EXPECT_EQ(m.facts->works().size(), kinds.size());
    for (const ActivityIndex i : rows) {
        EXPECT_EQ(m.facts->solo(i), kinds[kindOf(i)].first);
        EXPECT_EQ(m.facts->work(i).count, kinds[kindOf(i)].second);
        EXPECT_EQ(m.facts->work(i).cls, m.trace.cls(i));
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Indices, testing::Values(1u, 2u, 3u));

TEST(FactsOf, HostActivitiesHaveNoWaitAndNoSoloTime) {
    Made m;
    m.work(Kernel, us(10), us(20));
    m.issued(us(1), us(6));
    const analysis::Facts& facts = m.facts();
    EXPECT_FALSE(facts.waitOf(0));
    EXPECT_EQ(facts.solo(0), 0);
    ASSERT_TRUE(facts.waitOf(1));
    EXPECT_EQ(facts.waitOf(1)->op, 1u);
    EXPECT_FALSE(facts.waitOf(kNoActivity));
}

// Lengths are kept in four bytes; a wait may take hours.
TEST(FactsOf, AWaitOfAnyLengthIsExact) {
    constexpr Ns kHours = Ns{7} * 3600 * 1'000'000'000;
    Made m;
    m.gate(us(9));
    m.work(MemcpyH2D, us(10), us(10) + kHours, 13);
    m.work(MemcpyH2D, us(11) + kHours, us(12) + kHours, 14);
    m.work(MemcpyH2D, us(13) + kHours, us(14) + kHours, 14);
    const analysis::Facts& facts = m.facts();
    EXPECT_EQ(waitAt(facts, 1).cause, analysis::LossCause::EngineBound);
    EXPECT_EQ(waitAt(facts, 1).length(), kHours + us(1));
    EXPECT_EQ(waitAt(facts, 1).time.begin, us(10));
    EXPECT_EQ(waitAt(facts, 1).held, kHours);
    EXPECT_EQ(waitAt(facts, 2).length(), us(1));
    EXPECT_EQ(facts.waitTable().count(analysis::LossCause::EngineBound), 1u);
}

} // namespace
} // namespace olab::test
