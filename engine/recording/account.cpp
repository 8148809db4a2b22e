// The account of a recording: of the whole run, or of the iterations that a program repeats.
#include "judged_part.h"

#include <olab/recording/recording.h>

#include <olab/analysis/analyze.h>
#include <olab/analysis/late_ends.h>
#include <olab/analysis/race.h>
#include <olab/analysis/steady_state.h>
#include <olab/replay/ledger.h>
#include <olab/replay/why.h>
#include <olab/trace/lanes_of.h>
#include <olab/trace/trace.h>

#include <algorithm>

namespace olab::recording {
namespace {

/// Activities that count for the account: not named ranges, nor tool overhead.
constexpr ClassMask kAccounted =
    kAllClasses & ~(maskOf(ActivityClass::Nvtx) | maskOf(ActivityClass::Overhead));
/// A pattern that covers less of the device work is only a detail of the run.
constexpr double kCoversRun = 0.5;

/// The inputs of an account.
struct Run {
    const Trace& trace;
    const analysis::Facts& facts;
    const analysis::Report& report;
};

/// Why the account of a run cannot be trusted; empty: it can.
std::string noAccountOf(const analysis::Report& report) {
    if (!analysis::raceText(report).empty())
        return "Its data came out wrong: how long it should take is not known.";
    for (const Defect& defect : report.defects)
        if (defect.severity() == Severity::DataLoss && (defect.classes & kAccounted) != 0 &&
            defect.code != DefectCode::LateEnd) // the account corrects those
            return "Records are missing (" + defect.text() + "): what is not there can not be accounted for.";
    return {};
}

/// For runs with and without recording; 0: not measured.
double toolRatioOf(const analysis::Report& report) {
    return report.toolEffect ? report.toolEffect->ratio() : 0;
}

Ns busyWithin(const analysis::Facts& facts, Interval time) {
    Ns busy = 0;
    for (const analysis::DeviceFacts& device : facts.perDevice())
        for (std::size_t cls = 0; cls < kDeviceClassCount; ++cls)
            busy += device.coverage[cls].measure(time);
    return busy;
}

/// The share of device operations that begin in it.
double shareOfOperations(const analysis::Facts& facts, Interval time) {
    const analysis::DeviceWork& work = facts.deviceWork();
    std::size_t inside = 0;
    for (std::size_t n = 0; n < work.size(); ++n)
        inside += time.contains(facts.trace().begin(work.row(n)));
    return static_cast<double>(inside) / static_cast<double>(std::max<std::size_t>(1, work.size()));
}

/// By time or by number: a program that first tries out kernels spends most of its time doing so. A smaller
/// share is enough if the pattern occurred often.
bool isMostOfRun(const Run& run, const analysis::SteadyState& found) {
    constexpr std::size_t kOften = 10;
    constexpr double kCoversSome = 0.15;
    const double operations = shareOfOperations(run.facts, found.time);
    if (found.mark != analysis::IterationMark::Pattern || operations >= kCoversRun ||
        (found.iterations.size() >= kOften && operations >= kCoversSome))
        return true;
    const auto all = static_cast<double>(busyWithin(run.facts, run.trace.deviceSpan()));
    return static_cast<double>(busyWithin(run.facts, found.time)) >= kCoversRun * all;
}

/// Converts an account of a part to the rows and numbers of the whole.
class Widened {
public:
    Widened(const Run& whole, const analysis::Facts& part, Interval range, Ns since)
        : m_whole(whole)
        , m_part(part) {
        for (ActivityIndex row = 0; row < whole.trace.size(); ++row) {
            const Interval time = whole.trace.time(row);
            const bool isAhead =
                whole.trace.cls(row) == ActivityClass::Api && time.begin >= since && time.begin < range.begin;
            if (isAhead || touches(time, range))
                m_rows.push_back(row);
        }
    }
    /// The slice has the rows of the whole in the same order.
    bool fits() const {
        if (m_rows.size() != m_part.trace().size())
            return false;
        for (ActivityIndex row = 0; row < m_rows.size(); ++row)
            if (m_part.trace().time(row) != m_whole.trace.time(m_rows[row]))
                return false;
        return true;
    }
    void widen(analysis::Ledger& ledger) const {
        for (analysis::LedgerEntry& entry : ledger.entries)
            for (ActivityIndex& row : entry.activities)
                row = m_rows[row];
        const analysis::DeviceWork &all = m_whole.facts.deviceWork(), &some = m_part.deviceWork();
        std::vector<analysis::OwnedWait> waits(all.size());
        std::vector<Interval> ideal;
        for (std::size_t n = 0; n < all.size(); ++n) {
            ideal.push_back(m_whole.trace.time(all.row(n)));
            waits[n].ready = ideal.back().begin;
        }
        for (std::size_t n = 0; n < some.size(); ++n) {
            const std::size_t number = all.numberOf(m_rows[some.row(n)]);
            waits[number] = ledger.waits[n];
            if (waits[number].blocker != kNoActivity)
                waits[number].blocker = m_rows[waits[number].blocker];
            ideal[number] = ledger.idealTimes[n];
        }
        ledger.waits = std::move(waits);
        ledger.idealTimes = std::move(ideal);
    }

private:
    const Run& m_whole;
    const analysis::Facts& m_part;
    std::vector<ActivityIndex> m_rows; ///< per row of the part
};

/// Begin of the first call that issued work of this time: a host that is well ahead made it long before.
Ns issuedSince(const analysis::Facts& facts, Interval time) {
    Ns since = time.begin;
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
        const ActivityIndex row = facts.deviceWork().row(n), call = facts.apiOf(row);
        if (call != kNoActivity && touches(facts.trace().time(row), time))
            since = std::min(since, facts.trace().begin(call));
    }
    return since;
}

/// A slice of a run, with its facts.
class SliceOfRun {
public:
    SliceOfRun(const Run& run, Interval part, const RunControl& control)
        : m_withNext{part.begin, part.end + 1} // the begin of the next iteration ends it
        , m_since(issuedSince(run.facts, m_withNext))
        , m_trace(sliceOf(run.trace, m_withNext, m_since))
        , m_lanes(lanesOf(m_trace))
        , m_facts(analysis::gatherFacts({m_trace, *m_lanes}, control)) {}
    const analysis::Facts& facts() const { return *m_facts; }
    Widened widened(const Run& run) const { return {run, *m_facts, m_withNext, m_since}; }

private:
    Interval m_withNext;
    Ns m_since;
    Trace m_trace;
    std::shared_ptr<const LaneSet> m_lanes;
    analysis::FactsPtr m_facts;
};

analysis::Ledger accountOfPart(const Run& run, analysis::JudgedPart part, const RunControl& control) {
    const SliceOfRun slice(run, part.time, control);
    const Widened widened = slice.widened(run);
    analysis::Ledger ledger;
    if (!widened.fits()) {
        ledger.missing = "Its iterations can not be told from the rest.";
        return ledger;
    }
    part.bounds = std::make_shared<const analysis::Bounds>(slice.facts().bounds());
    part.graphsCallHost = replay::graphsCallHost(run.trace);
    ledger = replay::makeLedger(slice.facts(), control, toolRatioOf(run.report),
                                std::make_shared<const analysis::JudgedPart>(std::move(part)));
    if (ledger.missing.empty())
        widened.widen(ledger);
    return ledger;
}

double unexplainedShare(const analysis::Ledger& ledger) {
    return ledger.missing.empty()
               ? static_cast<double>(ledger.unexplained) / static_cast<double>(ledger.measured)
               : 1;
}

/// The reasons for its waits may be before the part.
bool explainsLittle(const analysis::Ledger& ledger) {
    constexpr double kMostUnexplained = 0.5;
    return !ledger.part || unexplainedShare(ledger) > kMostUnexplained;
}

/// A loader causes waits in bursts, when its prepared batches are used up: those are no accident.
bool waitsForLoader(const analysis::Ledger& ledger) {
    return !ledger.entries.empty() && ledger.entries.front().cause == analysis::LossCause::DataLoading;
}

analysis::Ledger accountOfIterations(const Run& run, const analysis::SteadyState& found,
                                     const RunControl& control) {
    analysis::Ledger ledger = accountOfPart(run, steadyPartOf(found), control);
    const auto usual = usualPartOf(found, run.facts);
    if (!usual || waitsForLoader(ledger))
        return ledger;
    analysis::Ledger ofUsual = accountOfPart(run, *usual, control);
    return ofUsual.missing.empty() ? ofUsual : ledger;
}

analysis::Ledger accountOf(const Run& run, const RunControl& control) {
    analysis::Ledger ledger;
    auto found = run.report.steadyState;
    if (!found && !run.trace.hasTracedWindow())
        found = std::make_shared<const analysis::SteadyState>(analysis::findSteadyState(run.facts, control));
    if (found && found->missing.empty() && !run.trace.hasTracedWindow() && isMostOfRun(run, *found))
        ledger = accountOfIterations(run, *found, control);
    if (explainsLittle(ledger)) {
        analysis::Ledger ofAll = replay::makeLedger(run.facts, control, toolRatioOf(run.report));
        if (!ledger.part || unexplainedShare(ofAll) < unexplainedShare(ledger) / 2)
            ledger = std::move(ofAll);
    }
    return ledger;
}

bool hasLateEnds(const analysis::Report& report) {
    return std::ranges::find(report.defects, DefectCode::LateEnd, &Defect::code) != report.defects.end();
}

/// For an account, copies with a late recorded end get corrected ends; rows and waits are those of the
/// recording.
template <class Answer>
auto withRightEnds(const Recording& recording, const RunControl& control, const Answer& answer) {
    if (!hasLateEnds(recording.report))
        return answer(Run{recording.trace, *recording.facts, recording.report});
    const Trace trace = analysis::withEnds(recording.trace, analysis::findLateEnds(*recording.facts));
    const auto lanes = lanesOf(trace);
    const auto facts = analysis::gatherFacts({trace, *lanes, recording.schedule.get()}, control);
    return answer(Run{trace, *facts, recording.report});
}

} // namespace

std::shared_ptr<const analysis::Ledger> accountFor(const Recording& recording, const RunControl& control) {
    control.report(-1, "working out where the time went");
    analysis::Ledger ledger;
    ledger.missing = noAccountOf(recording.report);
    if (ledger.missing.empty())
        ledger = withRightEnds(recording, control, [&](const Run& run) { return accountOf(run, control); });
    return std::make_shared<const analysis::Ledger>(std::move(ledger));
}

std::vector<std::string> whyLines(const Recording& recording, const RunControl& control) {
    const analysis::Ledger* ledger = recording.report.ledger.get();
    if (!ledger || recording.facts->deviceWork().size() == 0)
        return {"There is no account."};
    return withRightEnds(recording, control, [&](const Run& run) {
        return ledger->part ? replay::whyLines(SliceOfRun(run, ledger->part->time, control).facts(), *ledger)
                            : replay::whyLines(run.facts, *ledger);
    });
}

} // namespace olab::recording
