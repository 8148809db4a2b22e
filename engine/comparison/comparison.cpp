#include <olab/comparison/comparison.h>

#include "judged_sides.h"

#include <olab/analysis/race.h>
#include <olab/analysis/waits.h>
#include <olab/comparison/same_work.h>
#include <olab/experiment/option_table.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <cmath>

namespace olab::comparison {

namespace {

std::string deviceOf(const ComparedRun& run) {
    const auto devices = run.trace.devices();
    return devices.empty() ? std::string() : devices.front().name;
}

std::vector<VerdictPair> pairsOf(const analysis::Report& before, const analysis::Report& after) {
    const auto ofBefore = shownVerdicts(before), ofAfter = shownVerdicts(after);
    std::vector<VerdictPair> pairs;
    for (const analysis::Verdict* verdict : ofBefore)
        pairs.push_back({verdict, sameVerdict(ofAfter, *verdict)});
    for (const analysis::Verdict* verdict : ofAfter)
        if (!sameVerdict(ofBefore, *verdict))
            pairs.push_back({nullptr, verdict});
    return pairs;
}

std::string durationText(const std::optional<Ns>& time) {
    return time ? analysis::timeText(*time) : "an unknown time";
}

/// Without decimals where they carry no information.
std::string factorText(double factor) {
    return fixedText(factor, factor < 9.95 ? 2 : 0);
}

/// From time after / time before: "1.31x slower", "2.87x faster", "as long".
std::string timesText(double slower) {
    if (std::abs(1 / slower - 1) < kSameSpeed)
        return "as long";
    return slower < 1 ? factorText(1 / slower) + "x faster" : factorText(slower) + "x slower";
}

/// "B does 4 times the work: 1.31x slower in all, 3.05x faster per iteration."
std::string perWorkText(const ComparedRun& after, const Comparison& found, double slower) {
    const WorkChange& work = found.work;
    if (work.amount && std::abs(*work.amount - 1) < kSameSpeed)
        return timesText(slower) + '.';
    if (work.amount)
        return after.name + " does " + shortText(*work.amount, 3) + " times the work: " + timesText(slower) +
               " in all, " + timesText(slower / *work.amount) + " per " + work.unit() + ".";
    std::string text = timesText(slower) + " in all, but the work differs: " + work.differences() + ".";
    if (work.iterationTime)
        text += " Per iteration: " + timesText(*work.iterationTime) + ".";
    return text;
}

/// If only one of them is judged by its iterations, the time for all its work is compared with that of the
/// other.
std::string tookText(const ComparedRun& before, const ComparedRun& after) {
    const bool isAlike = isOfIterations(before) == isOfIterations(after);
    const auto timeOf = [&](const ComparedRun& run) {
        return durationText(isAlike ? run.report.bounds.measured
                                    : std::optional(run.trace.deviceSpan().length()));
    };
    return before.name + " took " + timeOf(before) + ", " + after.name + " took " + timeOf(after) +
           (isAlike ? "" : " from the first to the last device work");
}

std::string headlineOf(const ComparedRun& before, const ComparedRun& after, const Comparison& found) {
    const std::string took = tookText(before, after);
    if (!found.speedup)
        return took + ".";
    if (found.work.differs())
        return took + ": " + perWorkText(after, found, 1 / *found.speedup);
    const bool isSure =
        found.speed.slowdown && (found.speed.slowdown->rises() || found.speed.slowdown->falls());
    if (std::abs(*found.speedup - 1) < kSameSpeed)
        return took + (isSure ? ": nearly as long." : ": no significant difference.");
    return took + ": " + timesText(1 / *found.speedup) + ".";
}

void findPerWork(Comparison& found) {
    if (!found.slower || !found.work.differs())
        return;
    if (found.work.amount)
        found.slowerPerWork = *found.slower / *found.work.amount;
    else
        found.slowerPerWork = found.work.iterationTime;
}

/// Nothing if only one of the two times is that of iterations.
std::optional<double> speedupOf(const ComparedRun& before, const ComparedRun& after) {
    const Ns was = before.report.bounds.measured.value_or(0), is = after.report.bounds.measured.value_or(0);
    if (was <= 0 || is <= 0 || isOfIterations(before) != isOfIterations(after))
        return std::nullopt;
    return static_cast<double>(was) / static_cast<double>(is);
}

constexpr std::size_t kFewestForSpread = 2;

void findSpread(const ComparedTimes& times, Comparison& comparison) {
    if (std::min(times.before.size(), times.after.size()) < kFewestForSpread)
        return;
    comparison.untracedSpread = times.basis == TimeBasis::Untraced;
    comparison.spreadBefore = spreadOf(times.before);
    comparison.spreadAfter = spreadOf(times.after);
    if (comparison.spreadBefore->median > 0)
        comparison.slower = static_cast<double>(comparison.spreadAfter->median) /
                            static_cast<double>(comparison.spreadBefore->median);
}

std::string_view spreadLabel(TimeBasis basis) {
    return basis == TimeBasis::Untraced    ? "Untraced: "
           : basis == TimeBasis::Iteration ? "Per iteration: "
                                           : "All runs: ";
}

/// "Untraced runs took: Run 1 38 ms (median of 5 runs, ...), Run 2 ...: the difference is beyond the spread."
std::string spreadSentence(const ComparedRun& before, const ComparedRun& after, const ComparedTimes& times,
                           const Comparison& found) {
    if (!found.spreadBefore) {
        const bool ofOne = times.before.size() != times.after.size();
        const std::string runs = ofOne ? "One of them has a single run" : "One run each";
        if (isSimulated(before))
            return runs + ": the simulator repeats itself, other seeds show how far its runs differ.";
        return runs + (before.experiment && after.experiment
                           ? ", or the others were not kept: repeat=5 in both shows the run-to-run variation."
                           : ": several recordings of both would show the run-to-run variation.");
    }
    const auto one = [](const ComparedRun& run, const Spread& spread) {
        return run.name + " " + analysis::timeText(spread.median) + " (" + spreadText(spread) + ")";
    };
    return std::string(spreadLabel(times.basis)) + one(before, *found.spreadBefore) + ", " +
           one(after, *found.spreadAfter) + "; the difference is " +
           (found.isBeyondSpread() ? "beyond" : "within") + " the spread of the runs.";
}

/// Why the records do not represent a correct run: it raced, or records were lost.
std::string brokenReason(const ComparedRun& run) {
    if (!analysis::raceText(run.report).empty())
        return run.name + " raced" + analysis::raceScope(run.report) +
               ": what came out is wrong, and its times are those of a broken program.";
    const std::string lost = lossReason(run.report);
    return lost.empty() ? lost : run.name + ": " + lost;
}

std::string brokenReason(const ComparedRun& before, const ComparedRun& after) {
    const std::string ofBefore = brokenReason(before);
    return ofBefore.empty() ? brokenReason(after) : ofBefore;
}

} // namespace

const analysis::Verdict* sameVerdict(const std::vector<const analysis::Verdict*>& all,
                                     const analysis::Verdict& wanted) {
    const auto at = std::ranges::find_if(
        all, [&](const analysis::Verdict* v) { return v->a == wanted.a && v->b == wanted.b; });
    return at == all.end() ? nullptr : *at;
}

std::vector<OptionDifference> optionDifferences(const experiment::Experiment& before,
                                                const experiment::Experiment& after) {
    std::vector<OptionDifference> found;
    for (const experiment::OptionRow& row : experiment::optionTable())
        if (std::string was = row.get(before), is = row.get(after); was != is)
            found.push_back({row.key, std::move(was), std::move(is)});
    return found;
}

std::string comparisonObstacle(const ComparedRun& before, const ComparedRun& after) {
    if (const std::string broken = brokenReason(before, after); !broken.empty())
        return broken;
    if (isSimulated(before) != isSimulated(after))
        return (isSimulated(before) ? before : after).name +
               " is simulated, the other was measured: compare the words, not the times.";
    if (deviceOf(before) != deviceOf(after))
        return "They ran on different devices: " + deviceOf(before) + " and " + deviceOf(after) + ".";
    return {};
}

namespace {

/// Why the times of any two of them must not be compared; the first reason.
std::string obstacleAmong(ComparedRuns before, ComparedRuns after) {
    return firstReason(before, after, comparisonObstacle);
}

/// The part of the comparison that only uses the two typical runs.
Comparison ofTypical(const ComparedRun& before, const ComparedRun& after) {
    Comparison comparison;
    if (before.experiment && after.experiment)
        comparison.options = optionDifferences(*before.experiment, *after.experiment);
    comparison.verdicts = pairsOf(before.report, after.report);
    comparison.work = workChange(before, after);
    comparison.account = accountChange(before.report, after.report);
    return comparison;
}

void findSpeed(const ComparedRun& before, const ComparedRun& after, const ComparedTimes& times,
               Comparison& comparison) {
    comparison.speedup = speedupOf(before, after);
    if (comparison.speedup)
        comparison.slower = 1 / *comparison.speedup;
    findSpread(times, comparison);
    comparison.spread = spreadSentence(before, after, times, comparison);
}

ComparedRun namedSide(ComparedRuns runs, std::size_t typical, const char* side) {
    ComparedRun run = runs[typical];
    if (runs.size() > 1)
        run.name = std::string(side) + " (" + std::to_string(runs.size()) + " recordings)";
    return run;
}

} // namespace

Comparison compare(const ComparedRun& before, const ComparedRun& after) {
    return compareSides({&before, 1}, {&after, 1}).comparison;
}

namespace {

/// Without duplicates on a side.
SidesCompared compareDistinct(ComparedRuns before, ComparedRuns after) {
    const ComparedTimes times = comparedTimes(before, after);
    SidesCompared sides{typicalOf(before, times.basis), typicalOf(after, times.basis), {}};
    const ComparedRun was = namedSide(before, sides.before, "A"), is = namedSide(after, sides.after, "B");
    Comparison& comparison = sides.comparison;
    comparison = ofTypical(was, is);
    comparison.obstacle = obstacleAmong(before, after);
    comparison.unjudged =
        firstReason(before, after, [](const auto& a, const auto& b) { return brokenReason(a, b); });
    if (comparison.unjudged.empty())
        comparison.unjudged = firstReason(before, after, otherWorkReason);
    if (comparison.obstacle.empty())
        findSpeed(was, is, times, comparison);
    judgeSides(before, after, times, comparison);
    findPerWork(comparison);
    comparison.headline = headlineOf(was, is, comparison);
    return sides;
}

/// Limits of the trust in the runs, sentence by sentence.
std::string cautionOf(const DistinctRuns& before, const DistinctRuns& after, const Comparison& found) {
    std::string shared = sharedReason(before.runs, after.runs);
    shared += shared.empty() ? "" : ".";
    std::string text;
    for (const std::string& part : {copiesText(before, "A"), copiesText(after, "B"), shared, found.caution})
        if (!part.empty())
            text += (text.empty() ? "" : " ") + part;
    return text;
}

} // namespace

SidesCompared compareSides(ComparedRuns allBefore, ComparedRuns allAfter) {
    const DistinctRuns before = distinctRuns(allBefore), after = distinctRuns(allAfter);
    SidesCompared sides = compareDistinct(before.runs, after.runs);
    sides.before = before.places[sides.before];
    sides.after = after.places[sides.after];
    sides.comparison.caution = cautionOf(before, after, sides.comparison);
    return sides;
}

std::vector<const analysis::Verdict*> allVerdicts(const analysis::Report& report) {
    std::vector<const analysis::Verdict*> found;
    for (const bool minor : {false, true})
        for (const analysis::Verdict& verdict : report.verdicts)
            if (verdict.kind != analysis::VerdictKind::NotApplicable && verdict.minor() == minor)
                found.push_back(&verdict);
    return found;
}

std::vector<const analysis::Verdict*> shownVerdicts(const analysis::Report& report) {
    std::vector<const analysis::Verdict*> found = allVerdicts(report);
    std::erase_if(found,
                  [&](const analysis::Verdict* v) { return v->device != report.verdicts.front().device; });
    return found;
}

} // namespace olab::comparison
