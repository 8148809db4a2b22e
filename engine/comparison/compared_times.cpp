#include "compared_times.h"

#include <olab/analysis/steady_state.h>

#include <algorithm>
#include <numeric>

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

/// Each until the next begins: nobody knows how long the last one takes.
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

/// When a recording was made, and of which side it is.
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

/// Each two that follow each other are one of each side, by times that say which came first.
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

} // namespace olab::comparison
