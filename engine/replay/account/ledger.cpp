#include <olab/replay/ledger.h>

#include "account/account.h"
#include "account/ledger_words.h"
#include "build/build_graph.h"
#include "play/ideal_chain.h"
#include "play/independent.h"
#include "play/recorded_sharing.h"
#include "play/replay.h"
#include "play/tool_share.h"

#include <olab/analysis/cause_table.h>
#include <olab/analysis/ideal.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace olab::replay {
namespace {

/// Kernels that ran in parallel may be shorter alone, but by at most this factor.
constexpr Ns kMostShortened = 4;
/// If the model misses the run by more, it does not fit and cannot explain what made the run slow.
constexpr double kMostMissed = 0.15;

/// Duration of work in the ideal run. In the lab it comes from solo runs; elsewhere the shortest of a kind
/// says nothing about the others, which may have more to do: they keep their played duration.
Ns inIdeal(const Node& node, Causes gone, const Graph& graph, const analysis::Facts& facts) {
    if (graph.endsWithWork)
        return node.length(gone);
    const Ns alone = facts.solo(node.row);
    return gone.has(node.fixedBy) ? std::min(node.fixed, alone) : alone;
}

analysis::IdealNeeds needsOf(const Graph& graph, Causes gone, const analysis::Facts& facts) {
    std::vector<Ns> lengths;
    for (const NodeId n : graph.workOf)
        lengths.push_back(inIdeal(graph.nodes[n], gone, graph, facts));
    return analysis::idealNeeds(facts, lengths, idealChain(graph, gone, lengths));
}

/// No run is faster than its ideal: if the model's ideal is longer than the run, the ideal is the run's
/// length without its causes.
void setIdeal(analysis::Ledger& ledger, Ns left) {
    Ns without = ledger.measured;
    for (const analysis::LedgerEntry& entry : ledger.entries)
        without -= entry.cost;
    ledger.ideal = left > ledger.measured ? without : left;
    ledger.cut = left - ledger.ideal;
    ledger.unexplained = without - ledger.ideal;
}

void addIdealTimes(analysis::Ledger& ledger, const Graph& graph, const RunControl& control) {
    const Played ideal = play(graph, Causes::all(), Keep::Times, control);
    for (const NodeId n : graph.workOf)
        ledger.idealTimes.push_back(ideal.times[n]);
}

/// For the device whose kernels took longest: kernel time, regardless of concurrency.
Ns longestKernels(const analysis::Facts& facts) {
    Ns longest = 0;
    for (const auto& device : facts.perDevice())
        longest = std::max(longest, device.coverage[static_cast<std::size_t>(ActivityClass::Kernel)].total());
    return longest;
}

bool misses(Ns model, Ns measured) {
    return std::abs(static_cast<double>(model - measured)) > kMostMissed * static_cast<double>(measured);
}

/// Length of the model with all causes.
Ns playAsRecorded(Graph& graph, const RunControl& control) {
    const Ns base = play(graph, {}, Keep::Length, control).length;
    if (base <= graph.measured() || !misses(base, graph.measured()))
        return base;
    trustRecorded(graph);
    return play(graph, {}, Keep::Length, control).length;
}

/// Shorter than its kernels allow, even if all of them run in parallel, one per stream.
bool isTooShort(const Graph& graph, const Account& account, Ns kernels) {
    std::set<std::uint16_t> streams;
    for (const NodeId n : graph.workOf)
        if (graph.nodes[n].cls == ActivityClass::Kernel)
            streams.insert(graph.nodes[n].queue);
    return account.left() < kernels / std::max(kMostShortened, static_cast<Ns>(streams.size()));
}

/// Streams of other programs may take turns because of their host: if running all their kernels in parallel
/// would make the ideal too short, kernels keep their recorded order.
Account accountFor(Graph& graph, analysis::Ledger& ledger, Ns base, Ns kernels, const RunControl& control) {
    Account account(graph, control);
    account.add(ledger, base);
    if (!graph.endsWithWork || !isTooShort(graph, account, kernels))
        return account;
    keepKernelsApart(graph);
    ledger.entries.clear();
    Account apart(graph, control);
    apart.add(ledger, playAsRecorded(graph, control));
    return apart;
}

Ns hostsOwn(const analysis::Ledger& ledger) {
    Ns sum = 0;
    for (const analysis::LedgerEntry& entry : ledger.entries)
        sum += analysis::causeRow(entry.cause).hostsOwn ? entry.cost : 0;
    return sum;
}

bool beginsWithHost(const analysis::Ledger& ledger) {
    return !ledger.entries.empty() && analysis::causeRow(ledger.entries.front().cause).hostsOwn;
}
bool beginsWithWait(const analysis::Ledger& ledger, Ns least) {
    return !ledger.entries.empty() && !beginsWithHost(ledger) &&
           ledger.entries.front().cause != analysis::LossCause::Tool && ledger.entries.front().cost >= least;
}

/// Short kernels of one name, many in a row in their stream: a graph does not shorten them, but fewer and
/// larger ones may, if the program allows it.
Ns inRunsOfShort(const Graph& graph, const Trace& trace) {
    constexpr Ns kShort = 5'000;
    constexpr std::size_t kMany = 32;
    struct Run {
        std::uint32_t kind = kNoNumber;
        std::size_t count = 0;
        Ns time = 0; ///< without the first
    };
    std::map<std::uint16_t, Run> runs; // by stream
    Ns sum = 0;
    for (const NodeId n : graph.workOf) {
        const Node& node = graph.nodes[n];
        Run& run = runs[node.queue];
        const bool isShort = node.cls == ActivityClass::Kernel && node.measured.length() <= kShort;
        const std::uint32_t kind = isShort ? trace.kindOf(node.row) : kNoNumber;
        if (kind != run.kind || !isShort)
            run = {kind, 0, 0};
        if (!isShort)
            continue;
        run.time += run.count++ > 0 ? node.work : 0;
        if (run.count >= kMany)
            sum += std::exchange(run.time, 0);
    }
    return sum;
}

void addLimits(analysis::Ledger& ledger, const Graph& graph, const Trace& trace) {
    for (analysis::LedgerEntry& entry : ledger.entries) {
        if (graph.endsWithWork) {
            entry.isAtMost = analysis::causeRow(entry.cause).hostsOwn;
            entry.brought = analysis::causeRow(entry.cause).brought;
        }
        if (entry.cause == analysis::LossCause::LaunchBound && graph.endsWithWork)
            entry.more = inRunsOfShort(graph, trace);
    }
}

/// A wait of the host that no operation waited for costs by what the host does once it goes on, which
/// recording of each operator makes longer. How much longer is an estimate: what such a wait costs is only
/// sure where it is more than half of that.
void doubtWaits(analysis::Ledger& ledger) {
    using enum analysis::LossCause;
    const auto recording = std::ranges::find(ledger.entries, Tool, &analysis::LedgerEntry::cause);
    if (recording == ledger.entries.end())
        return;
    const Ns taken = recording->cost;
    for (analysis::LedgerEntry& entry : ledger.entries) {
        const bool isWait = entry.cause == HostSync || entry.cause == Readback;
        const bool isLittle = entry.cost < ledger.measured / 100; // nobody is told to fix it
        if (!isWait || entry.waited > 0 || isLittle || 2 * entry.cost > taken)
            continue;
        recording->gain = recording->cost += std::exchange(entry.cost, 0);
        entry.gain = 0;
        ledger.recorderInDoubt = true;
    }
    std::stable_partition(ledger.entries.begin(), recording,
                          [](const analysis::LedgerEntry& entry) { return entry.cost > 0; });
}

std::size_t countWithoutCall(const Graph& graph, const analysis::Facts& facts) {
    return static_cast<std::size_t>(std::ranges::count_if(
        graph.workOf, [&](NodeId n) { return facts.apiOf(graph.nodes[n].row) == kNoActivity; }));
}

analysis::Ledger missing(std::string why) {
    analysis::Ledger ledger;
    ledger.missing = std::move(why);
    return ledger;
}

/// True if sums of these times may not fit into 64 bits: a wrong clock or a damaged file.
bool isTooLong(const Trace& trace) {
    constexpr double kMost = 4e18; // ns, half of it
    double sum = 0, most = 0;
    for (ActivityIndex row = 0; row < trace.size(); ++row) {
        const Interval time = trace.time(row);
        sum += static_cast<double>(time.end) - static_cast<double>(time.begin);
        most = std::max(
            {most, std::abs(static_cast<double>(time.begin)), std::abs(static_cast<double>(time.end))});
    }
    return sum + most > kMost;
}

analysis::Ledger ledgerOf(Graph graph, const analysis::Facts& facts, const RunControl& control,
                          double toolRatio, std::shared_ptr<const analysis::JudgedPart> part) {
    const Ns measured = graph.measured(), base = playAsRecorded(graph, control);
    const bool restStands = graph.endsWithWork && base < measured; // recordings of others lack data
    if (measured <= 0 || (misses(base, measured) && !restStands))
        return missing(replay::missedSentence(measured, base));
    shareOutTool(graph, base, toolRatio, control);
    analysis::Ledger ledger;
    ledger.measured = measured;
    ledger.part = std::move(part);
    ledger.lacksCalls = facts.count(ActivityClass::Api) == 0;
    ledger.withoutCall = ledger.lacksCalls ? 0 : countWithoutCall(graph, facts);
    const Ns kernels = longestKernels(facts);
    const Account account = accountFor(graph, ledger, base, kernels, control);
    if (isTooShort(graph, account, kernels))
        return missing(replay::tooShortSentence(account.left(), kernels));
    account.addWaits(ledger, facts.trace());
    if (graph.recordsOperators)
        doubtWaits(ledger);
    addLimits(ledger, graph, facts.trace());
    setIdeal(ledger, account.left());
    ledger.ifIndependent = ifIndependent(graph, facts, account.gone(), ledger.ideal, control);
    ledger.needs = needsOf(graph, account.gone(), facts);
    ledger.waits = graph.waits;
    addIdealTimes(ledger, graph, control);
    replay::addWords(ledger, facts);
    return ledger;
}

/// It is uncertain whether the host would be late without recording. If that then costs nothing, nobody is
/// told to fix what recording may have caused; if a wait then comes first, the wait is certain and the late
/// host is not.
bool blamesRecorder(const analysis::Ledger& likely, const analysis::Ledger& atMost) {
    constexpr double kNothing = 0.03; // of the run
    const auto least = static_cast<Ns>(kNothing * static_cast<double>(likely.measured));
    if (!atMost.missing.empty())
        return false;
    return (hostsOwn(likely) >= least && hostsOwn(atMost) < least) ||
           (beginsWithHost(likely) && beginsWithWait(atMost, least));
}

} // namespace

analysis::Ledger makeLedger(const analysis::Facts& facts, const RunControl& control, double toolRatio,
                            std::shared_ptr<const analysis::JudgedPart> part) {
    if (facts.deviceWork().size() == 0)
        return missing("No work of a device was recorded.");
    if (isTooLong(facts.trace()))
        return missing("Its times are too long to be added up: more than a hundred years.");
    Graph graph = buildGraph(facts, control, part.get());
    const bool isInDoubt = graph.recorderInDoubt;
    analysis::Ledger ledger = ledgerOf(std::move(graph), facts, control, toolRatio, part);
    if (!isInDoubt || !ledger.missing.empty() || hostsOwn(ledger) < ledger.measured / 50)
        return ledger;
    analysis::Ledger atMost = ledgerOf(buildGraph(facts, control, part.get(), RecorderShare::AtMost), facts,
                                       control, toolRatio, part);
    if (!blamesRecorder(ledger, atMost))
        return ledger;
    atMost.recorderInDoubt = true;
    replay::addWords(atMost, facts);
    return atMost;
}

} // namespace olab::replay
