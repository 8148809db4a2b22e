#include <olab/analysis/cause_table.h>
#include <olab/replay/ledger.h>

#include "build_graph.h"
#include "ideal_chain.h"
#include "independent.h"
#include "ledger_words.h"
#include "recorded_sharing.h"
#include "replay.h"
#include "tool_share.h"

#include <olab/analysis/ideal.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace olab::replay {
namespace {

/// Kernels that ran side by side may be shorter alone, but not by so much.
constexpr Ns kMostShortened = 4;
/// A model that misses the run by more has not understood it, and can not say what made it slow.
constexpr double kMostMissed = 0.15;

std::vector<analysis::LossCause> causesIn(const Graph& graph) {
    std::vector<analysis::LossCause> causes;
    for (std::size_t c = 1; c < analysis::kLossCauses; ++c)
        if (graph.present.has(static_cast<analysis::LossCause>(c)))
            causes.push_back(static_cast<analysis::LossCause>(c));
    return causes;
}

/// Code that runs long in one place can be mended there; what an interpreter takes between calls is
/// everywhere. How much of it is in one place.
double shareInOnePlace(const Graph& graph, analysis::LossCause cause) {
    constexpr Ns kLong = 500'000;
    Ns inLong = 0, all = 0;
    for (const Edge& edge : graph.edges)
        if (edge.latencyCause == cause) {
            all += edge.latency;
            inLong += edge.latency >= kLong ? edge.latency : 0;
        }
    return static_cast<double>(inLong) / static_cast<double>(std::max<Ns>(1, all));
}

/// How much of its gain counts where causes are put in order. What can be mended goes before what work takes
/// from what runs beside it. In programs that are not ours what the host itself does counts less than a wait:
/// it is an upper limit, since no code takes no time, and a host that does not wait runs ahead and hides much
/// of it. So is what waits for communication: some of it reads the result. Least counts what has no name and
/// no place of its own. A graph that is made again and again could be kept: that is no limit, and what waits
/// before it need not be mended.
double weightOf(const Graph& graph, analysis::LossCause cause) {
    using enum analysis::LossCause;
    if (analysis::causeRow(cause).slows)
        return 0.5;
    if (!graph.endsWithWork)
        return 1;
    if (cause == Python || cause == LaunchBound)
        return std::lerp(0.15, 0.4, shareInOnePlace(graph, cause));
    if (cause == HostLate && graph.mostlyMakesGraphs)
        return 0.9;
    if (cause == HostLate || cause == DataLoading || cause == ExposedCommunication)
        return 0.4;
    if (cause == HostSync || cause == Readback) // they matter by what the host does after it
        return graph.mostlyMakesGraphs ? 0.4 : 0.8;
    // Giving up the events that keep a copy's data would bring as much, but only the copy can be mended.
    if (cause == HeadOfLine)
        return 1.2;
    if (cause == Pageable)
        return 1.1;
    if (cause == TooFewStreams) // more streams hide much else: what they wait for is mended rather
        return 0.5;
    return cause == SameStream ? 0.9 : 1; // the mend asks for most: streams and buffers
}

Ns worthOf(const Graph& graph, analysis::LossCause cause, Ns gain) {
    return static_cast<Ns>(weightOf(graph, cause) * static_cast<double>(gain));
}

bool waitsUnexplained(const Graph& graph) {
    return std::ranges::any_of(graph.nodes, [](const Node& node) {
        return node.held > 0 && node.heldBy == analysis::LossCause::Unexplained;
    });
}

class Account {
public:
    Account(const Graph& graph, const RunControl& control)
        : m_graph(graph)
        , m_control(control) {
        const auto causes = static_cast<double>(causesIn(graph).size());
        m_passes = std::max(1.0, causes * (causes + 1) / 2);
    }

    /// Greedy: first the cause whose removal brings most, then the next given that the first is gone.
    void add(analysis::Ledger& ledger, Ns base) {
        std::vector<analysis::LossCause> left = causesIn(m_graph);
        if (m_graph.endsWithWork && std::erase(left, analysis::LossCause::Tool) > 0)
            base = withoutRecorder(base);
        Ns length = base;
        for (bool first = true; !left.empty(); first = false) {
            std::vector<Ns> lengths, worth;
            for (const analysis::LossCause cause : left) {
                lengths.push_back(lengthWithout(m_gone.with(cause)));
                worth.push_back(worthOf(m_graph, cause, length - lengths.back()));
            }
            const auto best = static_cast<std::size_t>(std::ranges::max_element(worth) - worth.begin());
            if (first)
                for (std::size_t i = 0; i < left.size(); ++i)
                    m_alone[static_cast<std::size_t>(left[i])] = base - lengths[i];
            if (length - lengths[best] < std::max<Ns>(1, base / 1000))
                break;
            analysis::LedgerEntry entry;
            entry.cause = left[best];
            entry.cost = length - lengths[best];
            ledger.entries.push_back(entry);
            m_gone = m_gone.with(left[best]);
            length = lengths[best];
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
        }
        for (const analysis::LossCause cause : left) // what costs nothing, though some waited for it
            ledger.entries.emplace_back().cause = cause;
        for (analysis::LedgerEntry& entry : ledger.entries)
            entry.gain = m_alone[static_cast<std::size_t>(entry.cause)];
        addRecorder(ledger);
        m_left = length;
        if (!waitsUnexplained(m_graph))
            return;
        m_gone = m_gone.with(analysis::LossCause::Unexplained);
        m_left = std::min(length, lengthWithout(m_gone));
    }
    Ns left() const { return m_left; }     ///< with all taken out that brings something
    Causes gone() const { return m_gone; } ///< what was taken out

    void addWaits(analysis::Ledger& ledger) const {
        std::vector<std::vector<std::pair<Ns, ActivityIndex>>> waits(analysis::kLossCauses);
        for (std::size_t n = 0; n < m_graph.workOf.size(); ++n) {
            const Node& node = m_graph.nodes[m_graph.workOf[n]];
            const analysis::OwnedWait& wait = m_graph.waits[n];
            if (wait.cause != analysis::LossCause::None)
                waits[static_cast<std::size_t>(wait.cause)].emplace_back(node.measured.begin - wait.ready,
                                                                         node.row);
            if (node.extra > 0 && node.extraCause != analysis::LossCause::None)
                waits[static_cast<std::size_t>(node.extraCause)].emplace_back(node.extra, node.row);
            if (node.mendedBy != analysis::LossCause::None && node.work > node.mended)
                waits[static_cast<std::size_t>(node.mendedBy)].emplace_back(node.work - node.mended,
                                                                            node.row);
        }
        for (analysis::LedgerEntry& entry : ledger.entries)
            fill(entry, waits[static_cast<std::size_t>(entry.cause)]);
    }

private:
    /// A program runs without its profiler: what its causes cost and bring is counted without it.
    Ns withoutRecorder(Ns base) {
        m_gone = m_gone.with(analysis::LossCause::Tool);
        const Ns length = lengthWithout(m_gone);
        m_recorder = base - length;
        return length;
    }
    /// The last line: nobody can mend it in the program.
    void addRecorder(analysis::Ledger& ledger) const {
        if (!m_recorder)
            return;
        analysis::LedgerEntry entry;
        entry.cause = analysis::LossCause::Tool;
        entry.cost = entry.gain = *m_recorder;
        ledger.entries.push_back(entry);
    }
    Ns lengthWithout(Causes causes) {
        m_control.report(std::min(1.0, m_pass++ / m_passes), "working out where the time went");
        return play(m_graph, causes, Keep::Length, m_control).length;
    }

    static void fill(analysis::LedgerEntry& entry, std::vector<std::pair<Ns, ActivityIndex>>& waits) {
        entry.count = waits.size();
        for (const auto& [time, row] : waits)
            entry.waited += time;
        const auto most =
            waits.begin() + static_cast<std::ptrdiff_t>(std::min(waits.size(), analysis::kMaxEvidence));
        std::ranges::partial_sort(waits, most, std::greater<>{});
        for (auto at = waits.begin(); at != most; ++at)
            entry.activities.push_back(at->second);
    }

    const Graph& m_graph;
    const RunControl& m_control;
    double m_pass = 0, m_passes = 1; ///< played, and at most to play
    std::array<Ns, analysis::kLossCauses> m_alone{};
    Ns m_left = 0;
    std::optional<Ns> m_recorder; ///< what the profiler of another program took
    Causes m_gone;
};

analysis::IdealNeeds needsOf(const Graph& graph, Causes gone, const analysis::Facts& facts) {
    std::vector<Ns> lengths;
    for (const NodeId n : graph.workOf) {
        const Node& node = graph.nodes[n];
        const Ns alone = facts.solo(node.row);
        lengths.push_back(gone.has(node.mendedBy) ? std::min(node.mended, alone) : alone);
    }
    return analysis::idealNeeds(facts, lengths, idealChain(graph, gone, lengths));
}

/// No run is faster than its ideal: where the model's is longer than the run, the run is the ideal.
void setIdeal(analysis::Ledger& ledger, Ns left) {
    ledger.cut = std::max<Ns>(0, left - ledger.measured);
    ledger.ideal = left - ledger.cut;
    ledger.unexplained = ledger.measured - ledger.ideal;
    for (const analysis::LedgerEntry& entry : ledger.entries)
        ledger.unexplained -= entry.cost;
}

void addIdealTimes(analysis::Ledger& ledger, const Graph& graph, const RunControl& control) {
    const Played ideal = play(graph, Causes::all(), Keep::Times, control);
    for (const NodeId n : graph.workOf)
        ledger.idealTimes.push_back(ideal.times[n]);
}

/// Of the device whose kernels took longest, however many ran at once.
Ns longestKernels(const analysis::Facts& facts) {
    Ns longest = 0;
    for (const auto& device : facts.perDevice())
        longest = std::max(longest, device.coverage[static_cast<std::size_t>(ActivityClass::Kernel)].total());
    return longest;
}

bool misses(Ns model, Ns measured) {
    return std::abs(static_cast<double>(model - measured)) > kMostMissed * static_cast<double>(measured);
}

/// How long the model takes with all that held the run up.
Ns playAsRecorded(Graph& graph, const RunControl& control) {
    const Ns base = play(graph, {}, Keep::Length, control).length;
    if (base <= graph.measured() || !misses(base, graph.measured()))
        return base;
    trustRecorded(graph);
    return play(graph, {}, Keep::Length, control).length;
}

/// Kernels of the lab may all run beside each other, one of each stream; of others nobody knows that.
bool isTooShort(const Graph& graph, const Account& account, Ns kernels) {
    std::set<std::uint16_t> streams;
    for (const NodeId n : graph.workOf)
        if (!graph.endsWithWork && graph.nodes[n].cls == ActivityClass::Kernel)
            streams.insert(graph.nodes[n].queue);
    return account.left() < kernels / std::max(kMostShortened, static_cast<Ns>(streams.size()));
}

/// Streams of other programs may take turns by what their host does: where all their kernels beside each
/// other would leave too short an ideal, kernels follow each other as they were recorded.
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
        sum += isHostsOwn(entry.cause) ? entry.cost : 0;
    return sum;
}

bool beginsWithHost(const analysis::Ledger& ledger) {
    return !ledger.entries.empty() && isHostsOwn(ledger.entries.front().cause);
}
bool beginsWithWait(const analysis::Ledger& ledger, Ns least) {
    return !ledger.entries.empty() && !beginsWithHost(ledger) &&
           ledger.entries.front().cause != analysis::LossCause::Tool && ledger.entries.front().cost >= least;
}

/// Short kernels of one name, many in a row in their stream: as a graph they take as long, as fewer and
/// larger ones they need not, if the program can do with those.
Ns inRunsOfShort(const Graph& graph, const Trace& trace) {
    constexpr Ns kShort = 5'000;
    constexpr std::size_t kMany = 32;
    struct Run {
        std::uint32_t kind = kNoNumber;
        std::size_t count = 0;
        Ns time = 0; ///< but for the first
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
        entry.isInferred = graph.infersEvents && entry.cause == analysis::LossCause::EventOrder;
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
        const bool isLittle = entry.cost < ledger.measured / 100; // nobody is told to mend it
        if (!isWait || entry.waited > 0 || isLittle || 2 * entry.cost > taken)
            continue;
        recording->gain = recording->cost += std::exchange(entry.cost, 0);
        entry.gain = 0;
        ledger.recorderInDoubt = true;
    }
    std::stable_partition(ledger.entries.begin(), recording,
                          [](const analysis::LedgerEntry& entry) { return entry.cost > 0; });
}

analysis::Ledger missing(std::string why) {
    analysis::Ledger ledger;
    ledger.missing = std::move(why);
    return ledger;
}

/// What a model adds up of these times has no room in 64 bits: the clock was wrong, or the file is.
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
    const bool restStands = graph.endsWithWork && base < measured; // of programs of others less is recorded
    if (measured <= 0 || (misses(base, measured) && !restStands))
        return missing(replay::missedSentence(measured, base));
    shareOutTool(graph, base, toolRatio, control);
    analysis::Ledger ledger;
    ledger.measured = measured;
    ledger.part = std::move(part);
    ledger.lacksCalls = facts.count(ActivityClass::Api) == 0;
    const Ns kernels = longestKernels(facts);
    const Account account = accountFor(graph, ledger, base, kernels, control);
    if (isTooShort(graph, account, kernels))
        return missing(replay::tooShortSentence(account.left(), kernels));
    account.addWaits(ledger);
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

/// Whether the host is late without being recorded is in doubt. If it then costs nothing, nobody is told to
/// mend what the recording may have done; if a wait then comes first, that is sure, and the host is not.
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
