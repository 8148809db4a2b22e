#include "judged_sides.h"

#include <olab/analysis/cause_findings.h>
#include <olab/analysis/steady_state.h>
#include <olab/comparison/same_work.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace olab::comparison {
namespace {

constexpr std::size_t kFewestUntraced = 2;

template <typename Predicate>
bool allOf(ComparedRuns before, ComparedRuns after, Predicate is) {
    return std::ranges::all_of(before, is) && std::ranges::all_of(after, is);
}

const std::vector<Ns>& untracedOf(const ComparedRun& run) {
    static const std::vector<Ns> kNone;
    return run.times ? run.times->untraced : kNone;
}
bool hasTraced(const ComparedRun& run) {
    return run.times && !run.times->traced.empty();
}

const analysis::SteadyState* repeating(const ComparedRun& run) {
    const analysis::SteadyState* const state = run.report.steadyState.get();
    return state && state->missing.empty() && !state->iterations.empty() ? state : nullptr;
}

bool repeatsAs(const analysis::SteadyState& first, const ComparedRun& run) {
    const analysis::SteadyState* const state = repeating(run);
    return state && state->mark == first.mark && state->name == first.name;
}

bool repeatTheSame(ComparedRuns before, ComparedRuns after) {
    const analysis::SteadyState* const first = before.empty() ? nullptr : repeating(before.front());
    return first && allOf(before, after, [&](const ComparedRun& run) { return repeatsAs(*first, run); });
}

/// Each lasts until the next begins; the last one is excluded, since its length is unknown.
Ns meanIteration(const ComparedRun& run) {
    const std::vector<Interval>& all = repeating(run)->iterations;
    if (all.size() < 2)
        return all.front().length();
    return (all.back().begin - all.front().begin) / static_cast<Ns>(all.size() - 1);
}

std::vector<Ns> timesOf(const ComparedRun& run, TimeBasis basis) {
    switch (basis) {
    case TimeBasis::Untraced:
        return untracedOf(run);
    case TimeBasis::Traced:
        if (hasTraced(run))
            return isSimulated(run) ? std::vector{run.times->traced.front()} : run.times->traced;
        break;
    case TimeBasis::Iteration:
        return {meanIteration(run)};
    case TimeBasis::DeviceSpan:
        return {run.trace.deviceSpan().length()};
    case TimeBasis::Measured:
        break;
    }
    return {run.report.bounds.measured.value_or(0)};
}

Ns typicalTime(const ComparedRun& run, TimeBasis basis) {
    const auto spread = spreadOf(timesOf(run, basis));
    return spread ? spread->median : 0;
}

std::vector<Ns> gathered(ComparedRuns runs, TimeBasis basis, bool perRecording) {
    std::vector<Ns> all;
    for (const ComparedRun& run : runs) {
        if (perRecording)
            all.push_back(typicalTime(run, basis));
        else
            std::ranges::copy(timesOf(run, basis), std::back_inserter(all));
    }
    return all;
}

/// When a recording was made, and its side.
struct Made {
    std::string_view at;
    std::size_t index = 0;
    bool isAfter = false;
};

std::vector<Made> inOrderOfTime(ComparedRuns before, ComparedRuns after) {
    std::vector<Made> made;
    for (std::size_t i = 0; i < before.size(); ++i)
        made.push_back({before[i].trace.provenance().recordedAt, i, false});
    for (std::size_t i = 0; i < after.size(); ++i)
        made.push_back({after[i].trace.provenance().recordedAt, i, true});
    std::ranges::sort(made, {}, &Made::at);
    return made;
}

bool isInOrder(const std::vector<Made>& made) {
    return !made.empty() && !made.front().at.empty() &&
           std::ranges::adjacent_find(made, {}, &Made::at) == made.end();
}

/// Consecutive recordings belong to different sides, by times that determine their order.
bool areInTurns(const std::vector<Made>& made) {
    if (!isInOrder(made) || made.size() % 2 != 0)
        return false;
    for (std::size_t i = 0; i < made.size(); i += 2)
        if (made[i].isAfter == made[i + 1].isAfter)
            return false;
    return true;
}

TimeOrder orderOf(const std::vector<Made>& made) {
    if (made.front().at.empty())
        return TimeOrder::Unknown;
    std::string_view first[2], last[2]; // of each side
    for (const Made& one : made) {
        first[one.isAfter] = first[one.isAfter].empty() ? one.at : first[one.isAfter];
        last[one.isAfter] = one.at;
    }
    if (last[0] < first[1] || last[1] < first[0])
        return TimeOrder::OneFirst;
    return first[0] < last[1] && first[1] < last[0] ? TimeOrder::Mixed : TimeOrder::Unknown;
}

void orderByTurns(ComparedTimes& times, ComparedRuns before, ComparedRuns after) {
    const std::vector<Made> made = inOrderOfTime(before, after);
    times.order = orderOf(made);
    times.inTurns = times.perRecording && before.size() == after.size() && before.size() >= kFewestRunPairs &&
                    areInTurns(made);
    if (!times.inTurns)
        return;
    const std::vector<Ns> was = std::move(times.before), is = std::move(times.after);
    times.before.clear(), times.after.clear();
    for (const Made& one : made)
        (one.isAfter ? times.after : times.before).push_back((one.isAfter ? is : was)[one.index]);
}

ComparedTimes gatheredTimes(ComparedRuns before, ComparedRuns after, TimeBasis basis) {
    ComparedTimes times;
    times.basis = basis;
    const bool hasRuns = basis == TimeBasis::Untraced || basis == TimeBasis::Traced;
    times.perRecording = !hasRuns || std::min(before.size(), after.size()) >= kFewestRuns;
    times.before = gathered(before, basis, times.perRecording);
    times.after = gathered(after, basis, times.perRecording);
    orderByTurns(times, before, after);
    return times;
}

} // namespace

std::string_view timeBasisText(TimeBasis basis) {
    constexpr std::string_view kTexts[] = {"untraced runs", "traced runs", "recordings, per iteration",
                                           "recordings",
                                           "recordings, from the first to the last device work"};
    return kTexts[static_cast<std::size_t>(basis)];
}

bool isSimulated(const ComparedRun& run) {
    return run.trace.provenance().source == SourceKind::Simulated;
}

bool isOfIterations(const ComparedRun& run) {
    return run.report.ledger && run.report.ledger->part;
}

TimeBasis basisOf(ComparedRuns before, ComparedRuns after) {
    const auto isUntraced = [](const ComparedRun& run) { return untracedOf(run).size() >= kFewestUntraced; };
    if (allOf(before, after, isUntraced))
        return TimeBasis::Untraced;
    if (std::ranges::any_of(before, hasTraced) || std::ranges::any_of(after, hasTraced))
        return TimeBasis::Traced;
    if (allOf(before, after, [](const ComparedRun& run) { return !isOfIterations(run); }))
        return TimeBasis::Measured;
    return repeatTheSame(before, after) ? TimeBasis::Iteration : TimeBasis::DeviceSpan;
}

ComparedTimes comparedTimes(ComparedRuns before, ComparedRuns after) {
    return gatheredTimes(before, after, basisOf(before, after));
}

std::optional<ComparedTimes> iterationTimes(ComparedRuns before, ComparedRuns after) {
    if (!repeatTheSame(before, after))
        return std::nullopt;
    return gatheredTimes(before, after, TimeBasis::Iteration);
}

std::optional<Slowdown> slowdownOf(const ComparedTimes& times) {
    return times.inTurns ? slowdownOfPairs(times.before, times.after)
                         : slowdownOfRuns(times.before, times.after);
}

std::size_t typicalOf(ComparedRuns runs, TimeBasis basis) {
    std::vector<std::size_t> byTime(runs.size());
    std::iota(byTime.begin(), byTime.end(), std::size_t{0});
    std::ranges::stable_sort(byTime, {}, [&](std::size_t i) { return typicalTime(runs[i], basis); });
    return byTime[(byTime.size() - 1) / 2];
}

namespace {

/// The simulator's seed; empty: not a simulated run.
std::string seedOf(const ComparedRun& run) {
    const auto& environment = run.trace.environment();
    const auto seed = environment.find("seed");
    return isSimulated(run) && seed != environment.end() ? seed->second : std::string();
}

/// True for most of them.
template <typename Predicate>
bool inMost(ComparedRuns runs, Predicate is) {
    return 2 * static_cast<std::size_t>(std::ranges::count_if(runs, is)) > runs.size();
}

/// All have the same seed.
bool hasOneSeed(ComparedRuns before, ComparedRuns after) {
    const std::string seed = seedOf(before.front());
    const auto isOfIt = [&](const ComparedRun& run) { return seedOf(run) == seed; };
    return !seed.empty() && std::ranges::all_of(before, isOfIt) && std::ranges::all_of(after, isOfIt);
}

/// With equal options and seed the simulator repeats its time: one run suffices.
void settleSimulated(const ComparedTimes& times, Slowdown& found) {
    if (found.low)
        return;
    found.ratio = static_cast<double>(spreadOf(times.after)->median) /
                  static_cast<double>(spreadOf(times.before)->median);
    found.low = found.high = found.ratio;
    found.coverage = 1;
    found.basis = SlowdownBasis::Exact;
    found.lacks.clear();
}

std::optional<Slowdown> slowdownAmong(ComparedRuns before, ComparedRuns after, const ComparedTimes& times) {
    std::optional<Slowdown> found = slowdownOf(times);
    if (found && hasOneSeed(before, after))
        settleSimulated(times, *found);
    return found;
}

bool isFound(const ComparedRun& run, std::string_view id) {
    return std::ranges::any_of(run.report.findings, [&](const analysis::Finding& finding) {
        return finding.id == id && finding.status != analysis::FindingStatus::Refuted;
    });
}

FindingChange findingChange(ComparedRuns before, ComparedRuns after) {
    std::set<std::string> ids;
    for (const ComparedRuns runs : {before, after})
        for (const ComparedRun& run : runs)
            for (const analysis::Finding& finding : run.report.findings)
                ids.insert(finding.id);
    FindingChange change;
    for (const std::string& id : ids) {
        const auto hasIt = [&](const ComparedRun& run) { return isFound(run, id); };
        const bool was = inMost(before, hasIt), is = inMost(after, hasIt);
        if (was != is)
            (is ? change.appeared : change.gone).push_back(id);
    }
    return change;
}

bool isCausedIn(ComparedRuns runs, analysis::LossCause cause) {
    return inMost(runs, [&](const ComparedRun& run) {
        return causeShare(run.report, cause).value_or(0) >= analysis::kWorthAFinding;
    });
}

/// One of several recordings may show what the others do not.
void settleCauses(ComparedRuns before, ComparedRuns after, AccountChange& account) {
    for (AccountRow& row : account.rows) {
        const bool was = isCausedIn(before, row.cause), is = isCausedIn(after, row.cause);
        row.isNew = row.isNew && is && !was;
        row.isGone = row.isGone && was && !is;
    }
}

/// The reason, if the two accounts change in the same direction as the runs.
std::string reasonOf(const AccountChange& account, const Slowdown& slowdown) {
    const bool isSure = slowdown.rises() || slowdown.falls();
    if (!isSure || !account.missing.empty() || (account.measured.change() > 0) != slowdown.rises())
        return {};
    const std::string reason = mainReason(account);
    return reason.empty() ? reason : ": " + reason;
}

std::string wordsOf(const Slowdown& slowdown, const AccountChange& account, TimeBasis basis) {
    std::string text = slowdownText(slowdown);
    if (slowdown.basis == SlowdownBasis::Exact)
        return text + ", simulated" + reasonOf(account, slowdown);
    text += ", " + std::to_string(slowdown.before) + " and " + std::to_string(slowdown.after) + " " +
            std::string(timeBasisText(basis)) +
            (slowdown.basis == SlowdownBasis::Pairs ? " alternately" : "");
    return text + (slowdown.low ? reasonOf(account, slowdown) : "; " + slowdown.lacks);
}

JudgedSpeed speedOf(ComparedRuns before, ComparedRuns after, const ComparedTimes& times,
                    const AccountChange& account) {
    JudgedSpeed speed;
    speed.slowdown = slowdownAmong(before, after, times);
    speed.unjudged = sharedReason(before, after);
    if (speed.slowdown)
        speed.words = wordsOf(*speed.slowdown, account, times.basis);
    return speed;
}

JudgedSpeed iterationSpeed(ComparedRuns before, ComparedRuns after, const Comparison& found) {
    JudgedSpeed speed;
    const std::optional<ComparedTimes> times = iterationTimes(before, after);
    if (!found.obstacle.empty())
        speed.unjudged = found.obstacle;
    else if (!times)
        speed.unjudged = "they do not all repeat the same iteration";
    else
        speed.unjudged = firstReason(before, after, otherIterationReason);
    return speed.unjudged.empty() ? speedOf(before, after, *times, found.account) : speed;
}

/// Warns of drift between the two sides, which no interval shows.
std::string driftCaution(const ComparedTimes& times, const JudgedSpeed& speed) {
    if (times.order == TimeOrder::Mixed || std::min(times.before.size(), times.after.size()) < 2 ||
        !speed.slowdown || speed.slowdown->basis == SlowdownBasis::Exact)
        return {};
    constexpr const char* kDrift = "what drifts meanwhile counts as a difference. Record them alternately.";
    return (times.order == TimeOrder::OneFirst
                ? std::string("All recordings of one side were made before those of the other: ")
                : std::string("The recordings do not tell whether all of one side were made before those "
                              "of the other: if so, ")) +
           kDrift;
}

} // namespace

void judgeSides(ComparedRuns before, ComparedRuns after, const ComparedTimes& times, Comparison& comparison) {
    comparison.findings = findingChange(before, after);
    settleCauses(before, after, comparison.account);
    comparison.iteration = iterationSpeed(before, after, comparison);
    comparison.speed.unjudged = comparison.unjudged.empty() ? comparison.obstacle : comparison.unjudged;
    if (!comparison.obstacle.empty())
        return;
    const std::string unjudged = std::move(comparison.speed.unjudged);
    comparison.speed = speedOf(before, after, times, comparison.account);
    if (!unjudged.empty())
        comparison.speed.unjudged = unjudged;
    comparison.caution = driftCaution(times, comparison.speed);
}

} // namespace olab::comparison
