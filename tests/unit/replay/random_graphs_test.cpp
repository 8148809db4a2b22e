// What must hold of the graph and the runs of any trace, also of those that nobody could have recorded.
#include "hand_made.h"

#include <olab/trace/lanes_of.h>

#include <random>

namespace olab::test {
namespace {

using namespace replay;

struct Kind {
    const char* name;
    std::uint32_t devices = 1, streams = 6, threads = 2;
    bool calls = true;
    bool units = true;    ///< copies that share an engine, grids that share the SMs
    bool possible = true; ///< work begins after its call, in the order of its stream
    Ns between = 4'000;   ///< about this long from one begin to the next
    std::size_t count = 400;
};

constexpr std::array kCallNames{"cudaLaunchKernel",
                                "cudaMemcpyAsync",
                                "cudaStreamSynchronize",
                                "cudaDeviceSynchronize",
                                "cudaEventRecord",
                                "cudaStreamWaitEvent",
                                "cudaFree",
                                "cudaMalloc",
                                "cudaLaunchHostFunc",
                                "cudaEventQuery",
                                "cudaGetLastError",
                                "cudaGraphLaunch"};
constexpr std::array kStreamCalls{StreamCallKind::EventRecord,  StreamCallKind::StreamWait,
                                  StreamCallKind::HostFunction, StreamCallKind::StreamSync,
                                  StreamCallKind::EventSync,    StreamCallKind::DeviceSync};
constexpr std::array kWork{Kernel, MemcpyH2D, MemcpyD2H, Memset, MemcpyD2D};

class RandomTrace {
public:
    RandomTrace(const Kind& kind, unsigned seed)
        : m_kind(kind)
        , m_random(seed)
        , m_free(kind.devices * kind.streams, us(1))
        , m_threadFree(kind.threads, us(1)) {
        for (std::uint32_t d = 0; d < kind.devices; ++d) {
            DeviceRecord device;
            device.device = d, device.smCount = 132, device.copyEngines = 3;
            m_builder.add(device);
            m_builder.add(ContextRecord{1 + d, d, 7, 0});
            for (std::uint32_t s = 0; s < kind.streams; ++s)
                m_builder.add(StreamRecord{1 + d, 13 + s,
                                           one(3) == 0 ? StreamKind::NonBlocking : StreamKind::Blocking, 0});
            m_builder.add(StreamRecord{1 + d, 7, StreamKind::Null, 0});
        }
        for (std::size_t i = 0; i < kind.count; ++i)
            add();
        m_trace = m_builder.finish();
        m_lanes = lanesOf(m_trace);
        m_facts = analysis::gatherFacts({m_trace, *m_lanes});
    }
    RandomTrace(const RandomTrace&) = delete;
    RandomTrace& operator=(const RandomTrace&) = delete;
    const analysis::Facts& facts() const { return *m_facts; }

private:
    Ns upTo(Ns most) { return static_cast<Ns>(m_random() % static_cast<std::uint64_t>(most + 1)); }
    std::uint32_t one(std::size_t of) { return static_cast<std::uint32_t>(m_random() % of); }

    void add() {
        m_time += upTo(m_kind.between);
        const std::uint32_t device = one(m_kind.devices), stream = one(m_kind.streams);
        ActivityRecord r;
        r.correlation = ++m_correlation;
        r.device = device, r.context = 1 + device, r.stream = one(40) == 0 ? 7 : 13 + stream;
        if (m_kind.calls) {
            ActivityRecord call = r;
            const std::uint32_t thread = one(m_kind.threads);
            call.cls = Api, call.thread = 100 + thread;
            call.name = m_builder.intern(kCallNames[one(kCallNames.size())]);
            call.begin = m_kind.possible ? std::max(m_time, m_threadFree[thread]) : us(1) + upTo(m_time);
            call.end = call.begin + (one(9) == 0 ? upTo(200'000) : upTo(4'000));
            if (m_kind.possible)
                m_threadFree[thread] = call.end;
            m_builder.add(call);
            if (one(4) == 0)
                m_builder.add(StreamCallRecord{kStreamCalls[one(kStreamCalls.size())], r.correlation,
                                               r.context, r.stream, one(5), one(5), 0});
            if (m_kind.possible)
                r.begin = call.begin + 2'000;
        }
        if (one(3) != 0)
            addWork(r, m_free[device * m_kind.streams + stream]);
        else if (one(4) == 0) {
            r.cls = HostFn, r.thread = 200, r.begin = m_time, r.end = m_time + upTo(50'000);
            m_builder.add(r);
        }
    }

    void addWork(ActivityRecord r, Ns& free) {
        r.cls = m_kind.units ? kWork[one(kWork.size())] : Kernel;
        r.begin =
            m_kind.possible ? std::max({r.begin, free, m_time}) + upTo(m_kind.between) : us(1) + upTo(m_time);
        r.end = r.begin + (one(6) == 0 ? 0 : upTo(30'000));
        free = r.end;
        r.bytes = r.cls == Kernel ? 0 : 1 << (10 + one(14));
        r.channel = one(3),
        r.channelType = isCopyClass(r.cls) ? ChannelType::AsyncCopy : ChannelType::Compute;
        if (r.cls != Kernel)
            r.source = r.target = one(5) == 0 ? MemoryKind::Pageable : MemoryKind::Pinned;
        else if (m_kind.units)
            r.geometry = KernelGeometry{{1 + one(3000), 1, 1}, {256, 1, 1}, 32, 0, 0};
        m_builder.add(r);
    }

    Kind m_kind;
    std::mt19937 m_random;
    std::vector<Ns> m_free, m_threadFree;
    Ns m_time = us(10);
    std::uint32_t m_correlation = 0;
    TraceBuilder m_builder;
    Trace m_trace;
    std::shared_ptr<const LaneSet> m_lanes;
    analysis::FactsPtr m_facts;
};

class RandomGraphs : public testing::TestWithParam<Kind> {
protected:
    static constexpr unsigned kSeeds = 40;
    static Played played(const Graph& graph, Causes without) { return play(graph, without, Keep::Times, {}); }
    /// Each step was reached: none is before anything was recorded.
    static void expectReached(const Graph& graph, const Played& run) {
        ASSERT_EQ(run.times.size(), graph.nodes.size());
        for (const Interval& time : run.times) {
            ASSERT_GT(time.begin, 0);
            ASSERT_GE(time.end, time.begin);
        }
    }
    static std::vector<Causes> removals(const Graph& graph) {
        std::vector<Causes> all{Causes(), Causes::all()};
        for (std::size_t c = 1; c < analysis::kLossCauses; ++c)
            if (graph.present.has(static_cast<analysis::LossCause>(c)))
                all.push_back(Causes().with(static_cast<analysis::LossCause>(c)));
        return all;
    }
};

TEST_P(RandomGraphs, ReachEveryStep) {
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
        const RandomTrace trace(GetParam(), seed);
        const Graph graph = buildGraph(trace.facts(), {});
        for (const Causes without : removals(graph))
            ASSERT_NO_FATAL_FAILURE(expectReached(graph, played(graph, without))) << "seed " << seed;
    }
}

TEST_P(RandomGraphs, KeepEveryOrderThatStays) {
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
        const RandomTrace trace(GetParam(), seed);
        const Graph graph = buildGraph(trace.facts(), {});
        for (const Causes without : removals(graph)) {
            const Played run = played(graph, without);
            for (const replay::Edge& edge : graph.edges) {
                if (without.has(edge.cause))
                    continue;
                const Ns latency = without.has(edge.latencyCause) ? edge.fixedLatency : edge.latency;
                const Interval from = run.times[edge.from];
                ASSERT_GE(run.times[edge.to].begin,
                          (edge.fromBegin ? from.begin : from.end) + std::min<Ns>(0, latency))
                    << "seed " << seed;
                if (latency >= 0) {
                    ASSERT_GE(run.times[edge.to].begin, (edge.fromBegin ? from.begin : from.end) + latency);
                }
            }
        }
    }
}

TEST_P(RandomGraphs, GoBackToNoEarlierStep) {
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
        const RandomTrace trace(GetParam(), seed);
        const Graph graph = buildGraph(trace.facts(), {});
        for (const replay::Edge& edge : graph.edges) {
            const Interval from = graph.nodes[edge.from].measured, to = graph.nodes[edge.to].measured;
            if (graph.nodes[edge.from].kind != NodeKind::Start) {
                ASSERT_TRUE(from.begin < to.begin || (from.begin == to.begin && edge.from < edge.to))
                    << "seed " << seed;
            }
        }
    }
}

TEST_P(RandomGraphs, TakeNoLongerWithoutCauses) {
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
        const RandomTrace trace(GetParam(), seed);
        Graph graph = buildGraph(trace.facts(), {});
        // What waits for units may come in another order, and that be worse: Graham's anomalies.
        if (GetParam().units)
            continue;
        for (replay::Node& node : graph.nodes)
            if (node.unit == replay::Unit::Worker)
                node.unit = replay::Unit::None;
        const Ns base = played(graph, {}).length;
        for (const Causes without : removals(graph))
            ASSERT_LE(played(graph, without).length, base) << "seed " << seed;
    }
}

TEST_P(RandomGraphs, ArePlayedTheSameEachTime) {
    const RandomTrace trace(GetParam(), 7);
    const Graph once = buildGraph(trace.facts(), {}), again = buildGraph(trace.facts(), {});
    ASSERT_EQ(once.edges.size(), again.edges.size());
    for (const Causes without : removals(once)) {
        const Played a = played(once, without), b = played(again, without);
        EXPECT_EQ(a.length, b.length);
        EXPECT_EQ(a.times, b.times);
        EXPECT_EQ(play(once, without, Keep::Length, {}).length, a.length);
    }
}

TEST_P(RandomGraphs, HaveALedgerThatAddsUpOrSayWhyNot) {
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
        const RandomTrace trace(GetParam(), seed);
        const analysis::Ledger ledger = replay::makeLedger(trace.facts(), {});
        if (!ledger.missing.empty())
            continue;
        EXPECT_EQ(sumOf(ledger), ledger.measured) << "seed " << seed;
        EXPECT_GT(ledger.measured, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, RandomGraphs,
                         testing::Values(Kind{.name = "Plain", .units = false}, Kind{.name = "Busy"},
                                         Kind{.name = "NoCalls", .calls = false},
                                         Kind{.name = "TwoDevices", .devices = 2},
                                         Kind{.name = "Crossing", .possible = false},
                                         Kind{.name = "CrossingPlain", .units = false, .possible = false},
                                         Kind{.name = "AllAtOnce", .between = 0},
                                         Kind{.name = "ManyStreams", .streams = 300, .threads = 9}),
                         [](const auto& test) { return std::string(test.param.name); });

} // namespace
} // namespace olab::test
