#include <olab/analysis/comparison.h>

#include <olab/analysis/race.h>
#include <olab/analysis/waits.h>
#include <olab/experiment/option_table.h>
#include <olab/trace/number_text.h>

#include <algorithm>
#include <cmath>

namespace olab {

namespace {

bool isSimulated(const ComparedRun& run) {
    return run.trace.provenance().source == SourceKind::Simulated;
}

std::string deviceOf(const ComparedRun& run) {
    const auto devices = run.trace.devices();
    return devices.empty() ? std::string() : devices.front().name;
}

const Verdict* sameVerdict(const std::vector<const Verdict*>& all, const Verdict& wanted) {
    const auto at =
        std::ranges::find_if(all, [&](const Verdict* v) { return v->a == wanted.a && v->b == wanted.b; });
    return at == all.end() ? nullptr : *at;
}

std::vector<VerdictPair> pairsOf(const Report& before, const Report& after) {
    const auto ofBefore = shownVerdicts(before), ofAfter = shownVerdicts(after);
    std::vector<VerdictPair> pairs;
    for (const Verdict* verdict : ofBefore)
        pairs.push_back({verdict, sameVerdict(ofAfter, *verdict)});
    for (const Verdict* verdict : ofAfter)
        if (!sameVerdict(ofBefore, *verdict))
            pairs.push_back({nullptr, verdict});
    return pairs;
}

std::string durationText(const std::optional<Ns>& time) {
    return time ? timeText(*time) : "an unknown time";
}

std::string headlineOf(const ComparedRun& before, const ComparedRun& after,
                       const std::optional<double>& speedup) {
    const std::string took = before.name + " took " + durationText(before.report.bounds.measured) + ", " +
                             after.name + " took " + durationText(after.report.bounds.measured);
    if (!speedup)
        return took + ".";
    if (std::abs(*speedup - 1) < kSameSpeed)
        return took + ": no difference worth a word.";
    return took + ": " +
           (*speedup > 1 ? fixedText(*speedup, 2) + " times as fast."
                         : fixedText(1 / *speedup, 2) + " times as long.");
}

std::optional<double> speedupOf(const Report& before, const Report& after) {
    const Ns was = before.bounds.measured.value_or(0), is = after.bounds.measured.value_or(0);
    if (was <= 0 || is <= 0)
        return std::nullopt;
    return static_cast<double>(was) / static_cast<double>(is);
}

} // namespace

std::vector<OptionDifference> optionDifferences(const Experiment& before, const Experiment& after) {
    std::vector<OptionDifference> found;
    for (const OptionRow& row : optionTable())
        if (std::string was = row.get(before), is = row.get(after); was != is)
            found.push_back({row.key, std::move(was), std::move(is)});
    return found;
}

std::string comparisonObstacle(const ComparedRun& before, const ComparedRun& after) {
    for (const ComparedRun* run : {&before, &after})
        if (!raceText(run->report).empty())
            return run->name + " raced" + raceScope(run->report) +
                   ": what came out is wrong, and its times are those of a broken program.";
    if (isSimulated(before) != isSimulated(after))
        return (isSimulated(before) ? before : after).name +
               " is simulated, the other was measured: compare the words, not the times.";
    if (deviceOf(before) != deviceOf(after))
        return "They ran on different devices: " + deviceOf(before) + " and " + deviceOf(after) + ".";
    return {};
}

Comparison compare(const ComparedRun& before, const ComparedRun& after) {
    Comparison comparison;
    if (before.experiment && after.experiment)
        comparison.options = optionDifferences(*before.experiment, *after.experiment);
    comparison.obstacle = comparisonObstacle(before, after);
    if (comparison.obstacle.empty())
        comparison.speedup = speedupOf(before.report, after.report);
    comparison.verdicts = pairsOf(before.report, after.report);
    comparison.headline = headlineOf(before, after, comparison.speedup);
    return comparison;
}

std::vector<const Verdict*> allVerdicts(const Report& report) {
    std::vector<const Verdict*> found;
    for (const bool minor : {false, true})
        for (const Verdict& verdict : report.verdicts)
            if (verdict.kind != VerdictKind::NotApplicable && verdict.minor() == minor)
                found.push_back(&verdict);
    return found;
}

std::vector<const Verdict*> shownVerdicts(const Report& report) {
    std::vector<const Verdict*> found = allVerdicts(report);
    std::erase_if(found, [&](const Verdict* v) { return v->device != report.verdicts.front().device; });
    return found;
}

} // namespace olab
