#include "account/account.h"

#include "play/replay.h"

#include <olab/analysis/cause_table.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace olab::replay {
namespace {

std::vector<analysis::LossCause> causesIn(const Graph& graph) {
    std::vector<analysis::LossCause> causes;
    for (std::size_t c = 1; c < analysis::kLossCauses; ++c)
        if (graph.present.has(static_cast<analysis::LossCause>(c)))
            causes.push_back(static_cast<analysis::LossCause>(c));
    return causes;
}

/// The likely part of a gain: in other programs, what fixes of such causes brought. Work slowed by parallel
/// work does not get faster for free: once separated, one of the two waits.
Ns likely(const Graph& graph, analysis::LossCause cause, Ns gain) {
    constexpr double kTakenApart = 0.5;
    const analysis::CauseRow& row = analysis::causeRow(cause);
    const double part = row.slows ? kTakenApart : graph.endsWithWork ? row.brought.part : 1;
    return static_cast<Ns>(part * static_cast<double>(gain));
}

/// Among causes that bring about the same, the one with the surest fix comes first: one that removes a wait,
/// not a limit, and whose data stay in order without further measures.
int doubts(analysis::LossCause cause) {
    const analysis::CauseRow& row = analysis::causeRow(cause);
    return (row.hostsOwn ? 2 : 0) + (row.mustHold.empty() ? 0 : 1);
}

constexpr Ns kLittle = 50, kMuchTogether = 20; ///< parts of the run: a cause that alone brings less, and
                                               ///< causes that together bring more
constexpr Ns kTie = 30;                        ///< ... gains are right to 3 % (tests/truth, the median)
constexpr double kNearlyAll = 0.9;             ///< of what all causes bring

bool waitsUnexplained(const Graph& graph) {
    return std::ranges::any_of(graph.nodes, [](const Node& node) {
        return node.held > 0 && node.heldBy == analysis::LossCause::Unexplained;
    });
}

/// For one cause: how long something waited for it, and what; and how much of that is inferred from times.
struct WaitsOfOne {
    std::vector<std::pair<Ns, ActivityIndex>> all;
    Ns inferred = 0;
};
using WaitsByCause = std::vector<WaitsOfOne>;

void addWaitsOf(const Node& node, const analysis::OwnedWait& wait, WaitsByCause& waits) {
    const auto add = [&](analysis::LossCause cause, Ns time) {
        waits[static_cast<std::size_t>(cause)].all.emplace_back(time, node.row);
    };
    if (wait.cause != analysis::LossCause::None)
        add(wait.cause, node.measured.begin - wait.ready);
    if (wait.rests == analysis::RestsOn::Inferred)
        waits[static_cast<std::size_t>(wait.cause)].inferred += node.measured.begin - wait.ready;
    if (node.extra > 0 && node.extraCause != analysis::LossCause::None)
        add(node.extraCause, node.extra);
    if (node.fixedBy != analysis::LossCause::None && node.work > node.fixed)
        add(node.fixedBy, node.work - node.fixed);
}

void fill(analysis::LedgerEntry& entry, WaitsOfOne& of, const Trace& trace) {
    auto& waits = of.all;
    entry.count = waits.size();
    for (const auto& [time, row] : waits) {
        entry.waited += time;
        entry.classes |= maskOf(trace.cls(row));
    }
    entry.isInferred = 2 * of.inferred > entry.waited;
    const auto most =
        waits.begin() + static_cast<std::ptrdiff_t>(std::min(waits.size(), analysis::kMaxEvidence));
    std::ranges::partial_sort(waits, most, std::greater<>{});
    for (auto at = waits.begin(); at != most; ++at)
        entry.activities.push_back(at->second);
}

} // namespace

Account::Account(const Graph& graph, const RunControl& control)
    : m_graph(graph)
    , m_control(control) {
    const auto causes = static_cast<double>(causesIn(graph).size());
    m_passes = std::max(1.0, causes * (causes + 1) / 2);
}

void Account::add(analysis::Ledger& ledger, Ns base) {
    std::vector<analysis::LossCause> left = causesIn(m_graph);
    if (m_graph.endsWithWork && std::erase(left, analysis::LossCause::Tool) > 0)
        base = withoutRecorder(base);
    m_left = takeOut(ledger, left, base);
    for (const analysis::LossCause cause :
         left) // causes that cost nothing, although something waited for them
        ledger.entries.emplace_back().cause = cause;
    std::stable_partition(ledger.entries.begin(), ledger.entries.end(), // clang 14 cannot read that of ranges
                          [](const auto& entry) { return entry.cost > 0; });
    for (analysis::LedgerEntry& entry : ledger.entries)
        entry.gain = m_alone[static_cast<std::size_t>(entry.cause)];
    addRecorder(ledger);
    if (!waitsUnexplained(m_graph))
        return;
    m_gone = m_gone.with(analysis::LossCause::Unexplained);
    m_left = std::min(m_left, lengthWithout(m_gone));
}

/// Leaves in `left` the causes that bring nothing. Returns the length of the run without the others.
Ns Account::takeOut(analysis::Ledger& ledger, std::vector<analysis::LossCause>& left, Ns base) {
    Ns length = base;
    for (bool first = true; !left.empty(); first = false) {
        const Lengths lengths = lengthsWithout(left);
        for (std::size_t i = 0; first && i < left.size(); ++i)
            m_alone[static_cast<std::size_t>(left[i])] = saved(base, lengths[i]);
        const std::size_t best = firstOf(left, lengths, length);
        const Ns gain = length - lengths[best];
        Removal out;
        if (gain < base / kLittle)
            out = onlyTogether(left, length, base / kMuchTogether);
        if (out.causes.empty() && gain < std::max<Ns>(1, base / 1000))
            break;
        if (out.causes.empty())
            out = {{left[best]}, lengths[best]};
        addRemoved(ledger, out, length);
        length = out.length;
        std::erase_if(left, [&](analysis::LossCause cause) { return m_gone.has(cause); });
    }
    return length;
}

/// The cause that probably brings most, or the surest of those that alone bring about as much.
std::size_t Account::firstOf(const std::vector<analysis::LossCause>& left, const Lengths& lengths,
                             Ns length) const {
    const auto gain = [&](std::size_t i) { return length - lengths[i]; };
    const auto worth = [&](std::size_t i) { return likely(m_graph, left[i], gain(i)); };
    std::size_t best = 0;
    for (std::size_t i = 1; i < left.size(); ++i)
        best = worth(i) > worth(best) ? i : best;
    const Ns little = m_graph.endsWithWork ? m_graph.measured() / kTie : 0; // the lab is exact
    std::size_t surest = best;
    for (std::size_t i = 0; i < left.size(); ++i)
        if (gain(i) >= std::max(gain(best) - little, gain(best) / 2) &&
            doubts(left[i]) < doubts(left[surest]))
            surest = i;
    return surest;
}

/// Causes that alone bring almost nothing, because the others still delay the run, but together `least` or
/// more. A minimal set: each one is needed. Empty: none.
Account::Removal Account::onlyTogether(std::vector<analysis::LossCause> causes, Ns length, Ns least) {
    const Ns all = causes.size() < 2 ? length : lengthWithout(goneWith(causes));
    if (length - all < std::max<Ns>(1, least))
        return {};
    Removal found{std::move(causes), all};
    for (std::size_t i = found.causes.size(); i-- > 0;) { // as many as possible may stay
        std::vector<analysis::LossCause> fewer = found.causes;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        const Ns without = lengthWithout(goneWith(fewer));
        if (kNearlyAll * static_cast<double>(length - all) <= static_cast<double>(length - without))
            found = {std::move(fewer), without};
    }
    const auto alone = [&](analysis::LossCause cause) { return m_alone[static_cast<std::size_t>(cause)]; };
    std::ranges::stable_sort(found.causes, std::greater<>{}, alone);
    return found;
}

/// Books their common cost on the first one.
void Account::addRemoved(analysis::Ledger& ledger, const Removal& out, Ns length) {
    for (const analysis::LossCause cause : out.causes) {
        analysis::LedgerEntry& entry = ledger.entries.emplace_back();
        entry.cause = cause;
        entry.cost = cause == out.causes.front() ? saved(length, out.length) : 0;
        entry.onlyWith = out.causes;
        std::erase(entry.onlyWith, cause);
    }
    m_gone = goneWith(out.causes);
}

/// Saving for the run. If the model of another program is longer than its run, the excess is a model error
/// and no saving.
Ns Account::saved(Ns before, Ns after) const {
    const Ns most = m_graph.endsWithWork ? m_graph.measured() : std::max(before, after);
    return std::min(before, most) - std::min(after, most);
}

Account::Lengths Account::lengthsWithout(const std::vector<analysis::LossCause>& left) {
    Lengths lengths;
    for (const analysis::LossCause cause : left)
        lengths.push_back(lengthWithout(m_gone.with(cause)));
    return lengths;
}

void Account::addWaits(analysis::Ledger& ledger, const Trace& trace) const {
    WaitsByCause waits(analysis::kLossCauses);
    for (std::size_t n = 0; n < m_graph.workOf.size(); ++n)
        addWaitsOf(m_graph.nodes[m_graph.workOf[n]], m_graph.waits[n], waits);
    for (analysis::LedgerEntry& entry : ledger.entries)
        fill(entry, waits[static_cast<std::size_t>(entry.cause)], trace);
}

/// A program normally runs without its profiler, so costs and gains are counted without it. It cannot run
/// longer without it: if the model says so, earlier calls meet a wait that it has wrong, and the recorded run
/// counts.
Ns Account::withoutRecorder(Ns base) {
    const Ns length = lengthWithout(m_gone.with(analysis::LossCause::Tool));
    m_recorder = std::max<Ns>(0, saved(base, length));
    if (length > base)
        return base;
    m_gone = m_gone.with(analysis::LossCause::Tool);
    return length;
}

/// The last line: nobody can fix it in the program.
void Account::addRecorder(analysis::Ledger& ledger) const {
    if (!m_recorder)
        return;
    analysis::LedgerEntry entry;
    entry.cause = analysis::LossCause::Tool;
    entry.cost = entry.gain = *m_recorder;
    ledger.entries.push_back(entry);
}

Causes Account::goneWith(const std::vector<analysis::LossCause>& causes) const {
    Causes gone = m_gone;
    for (const analysis::LossCause cause : causes)
        gone = gone.with(cause);
    return gone;
}

Ns Account::lengthWithout(Causes causes) {
    m_control.report(std::min(1.0, m_pass++ / m_passes), "working out where the time went");
    return play(m_graph, causes, Keep::Length, m_control).length;
}

} // namespace olab::replay
