#include "judged_sides.h"

#include <olab/analysis/cause_findings.h>
#include <olab/comparison/same_recording.h>
#include <olab/comparison/same_work.h>

#include <algorithm>
#include <set>

namespace olab::comparison {
namespace {

/// That the simulator ran with; empty: it is none of its runs.
std::string seedOf(const ComparedRun& run) {
    const auto& environment = run.trace.environment();
    const auto seed = environment.find("seed");
    return isSimulated(run) && seed != environment.end() ? seed->second : std::string();
}

/// More of them than not.
template <typename Predicate>
bool inMost(ComparedRuns runs, Predicate is) {
    return 2 * static_cast<std::size_t>(std::ranges::count_if(runs, is)) > runs.size();
}

/// All with the same seed.
bool hasOneSeed(ComparedRuns before, ComparedRuns after) {
    const std::string seed = seedOf(before.front());
    const auto isOfIt = [&](const ComparedRun& run) { return seedOf(run) == seed; };
    return !seed.empty() && std::ranges::all_of(before, isOfIt) && std::ranges::all_of(after, isOfIt);
}

/// With the same options and seed the simulator takes the same time again: one run says as much as many.
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

/// Of several recordings one may show what the others do not.
void settleCauses(ComparedRuns before, ComparedRuns after, AccountChange& account) {
    for (AccountRow& row : account.rows) {
        const bool was = isCausedIn(before, row.cause), is = isCausedIn(after, row.cause);
        row.isNew = row.isNew && is && !was;
        row.isGone = row.isGone && was && !is;
    }
}

/// Why it is so, where the two accounts go the same way as the runs.
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

/// Of what drifts between the two sides, which no interval sees.
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
