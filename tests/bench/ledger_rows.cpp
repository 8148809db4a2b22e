#include "ledger_rows.h"

#include "bench.h"
#include "build/build_graph.h"
#include "play/replay.h"

#include <olab/analysis/analyze.h>
#include <olab/experiment/experiment.h>
#include <olab/experiment/plan.h>
#include <olab/replay/ledger.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/lanes_of.h>
#include <olab/trace/trace_builder.h>

#include <cstdio>
#include <optional>

namespace olab::bench {
namespace {

constexpr int kStreams = 8, kPerPass = 7; ///< activities of a stream's pass: calls and what they issue

/// With something to find: the host waits after each pass, and host functions are called.
Trace simulated(std::size_t count) {
    experiment::Experiment experiment;
    experiment.streams = kStreams;
    experiment.iterations = static_cast<int>(count / kPerPass / kStreams);
    experiment.warmup = 0;
    experiment.h2dBytes = experiment.d2hBytes = experiment.memsetBytes = 64 << 10;
    experiment.kernelUs = 10;
    experiment::setOption(experiment, "gate=off");
    experiment::setOption(experiment, "callback=off");
    experiment::setOption(experiment, "sync.every=iteration");
    TraceBuilder builder;
    sim::SimBackend().run(experiment::plan(experiment), {}, builder, {});
    return builder.finish();
}

} // namespace

void benchLedger(std::size_t count, int rounds) {
    const Trace trace = simulated(count);
    const auto lanes = lanesOf(trace);
    const analysis::FactsPtr facts = analysis::gatherFacts({trace, *lanes});
    std::optional<replay::Graph> graph;
    measure(
        "ledger: graph", trace.size(), rounds, [&] { graph = replay::buildGraph(*facts, {}); },
        [&] { graph.reset(); });
    measure("ledger: one pass", trace.size(), rounds,
            [&] { replay::play(*graph, {}, replay::Keep::Length, {}); });
    std::size_t causes = 0;
    for (std::size_t c = 1; c < analysis::kLossCauses; ++c)
        causes += graph->present.has(static_cast<analysis::LossCause>(c));
    graph.reset();
    std::optional<analysis::Ledger> ledger;
    const std::string what = "ledger: whole, " + std::to_string(causes) + " causes";
    measure(
        what, trace.size(), rounds, [&] { ledger = replay::makeLedger(*facts); }, [&] { ledger.reset(); });
    std::printf("  %s\n", ledger->missing.empty() ? ledger->headline.c_str() : ledger->missing.c_str());
}

} // namespace olab::bench
