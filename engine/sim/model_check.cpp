#include <olab/experiment/recorded_work.h>
#include <olab/sim/model_check.h>

#include <olab/experiment/option_table.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

namespace olab::sim {
namespace {

/// These keys change which runs are made and kept, but not how long a run takes; nor does the checked device.
bool isOfNoMatter(const experiment::OptionRow& row) {
    return row.group == "Recording" || row.key == "sim.device";
}
/// A run with a few more or fewer iterations than the checked ones is like them.
constexpr std::string_view kIterations = "iterations";
constexpr std::int64_t kIterationsFactor = 2;
/// One cell is an anecdote: a condition needs more to be representative.
constexpr std::size_t kFewestCells = 2;
/// From here on the direction of the error is worth reporting.
constexpr double kMisses = 0.10;

/// Grouping of the recordings: first by kind of host memory, because pageable copies are staged by the host
/// and behave differently, then by one more key.
struct Grouping {
    std::string_view key; ///< in addition to the kind of memory; may be empty
    bool unusual = false; ///< only recordings with a non-default value form a group
};
constexpr std::string_view kMemory[] = {"h2d.memory", "d2h.memory"};
constexpr Grouping kGroupings[] = {
    {""},
    {"streams"},
    {"memset"},
    {"callback"},
    {"env.max_connections", true}, ///< once the largest error of the simulator on held-out runs
    {"h2d.bytes", true},
    {"env.launch_blocking", true},
    {"submit", true},
    {"sync.every", true},
    {"interfere", true},
    {"issue", true},
    {"deps", true},
    {"null_op", true},
};

double rounded(double share) {
    return std::round(share * 1e4) / 1e4;
}

double medianOfErrors(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n == 0 ? 0 : (values[(n - 1) / 2] + values[n / 2]) / 2;
}

bool hasEffect(const experiment::OptionRow& row, const experiment::Experiment& e) {
    return !isOfNoMatter(row) && experiment::disabledBecause(e, row.key).empty();
}

void addScope(std::map<std::string, std::vector<std::string>>& scope, const experiment::Experiment& e) {
    for (const experiment::OptionRow& row : experiment::optionTable()) {
        if (!hasEffect(row, e))
            continue;
        std::vector<std::string>& values = scope[std::string(row.key)];
        const std::string value = row.get(e);
        const auto at = std::lower_bound(values.begin(), values.end(), value);
        if (at == values.end() || *at != value)
            values.insert(at, value);
    }
}

/// Of sizes only those that make the run host-bound count.
bool isUnusual(const experiment::Experiment& e, std::string_view key) {
    constexpr std::int64_t kSmall = 64 << 10;
    const experiment::OptionRow* row = experiment::findOption(key);
    const bool differs = row && row->get(e) != experiment::optionDefault(*row);
    return differs && (key != "h2d.bytes" || experiment::optionNumber(e, "h2d.bytes") <= kSmall);
}

void addConditions(std::vector<CheckedCondition>& out, std::span<const PredictedCell> cells,
                   const Grouping& grouping) {
    using When = std::vector<std::pair<std::string, std::string>>;
    std::map<When, std::vector<PredictedCell>> groups;
    for (const PredictedCell& cell : cells) {
        if (grouping.unusual && !isUnusual(cell.experiment, grouping.key))
            continue;
        When when;
        for (const std::string_view key : kMemory)
            when.emplace_back(key, experiment::optionText(cell.experiment, key));
        if (!grouping.key.empty())
            when.emplace_back(grouping.key, experiment::optionText(cell.experiment, grouping.key));
        groups[when].push_back(cell);
    }
    for (const auto& [when, members] : groups)
        out.push_back({when, figuresOf(members)});
}

std::int64_t numberOf(const std::string& text) {
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

bool isChecked(const std::string& key, const std::string& value, const std::vector<std::string>& checked) {
    return std::any_of(checked.begin(), checked.end(), [&](const std::string& known) {
        if (key != kIterations)
            return known == value;
        const std::int64_t mine = numberOf(value), its = numberOf(known);
        return mine * kIterationsFactor >= its && mine <= its * kIterationsFactor;
    });
}

/// The settings of `e` that none of the recordings had. A key that is not in the check is newer: at its
/// default it changes nothing.
std::vector<std::string> outside(const ModelCheck& check, const experiment::Experiment& e) {
    std::vector<std::string> out;
    for (const experiment::OptionRow& row : experiment::optionTable()) {
        if (!hasEffect(row, e))
            continue;
        const std::string key(row.key), value = row.get(e);
        const auto known = check.scope.find(key);
        if (known == check.scope.end() ? value != experiment::optionDefault(row)
                                       : !isChecked(key, value, known->second))
            out.push_back(key + "=" + value);
    }
    return out;
}

bool matches(const CheckedCondition& condition, const experiment::Experiment& e) {
    return std::all_of(condition.when.begin(), condition.when.end(), [&](const auto& setting) {
        return experiment::findOption(setting.first) &&
               experiment::optionText(e, setting.first) == setting.second;
    });
}

/// The narrowest group that is more than an anecdote; of equally narrow ones that with the largest error.
const CheckedCondition* closest(const ModelCheck& check, const experiment::Experiment& e) {
    const CheckedCondition* best = nullptr;
    const auto farther = [](const CheckedCondition& a, const CheckedCondition& b) {
        return std::tuple(b.figures.cells, a.figures.maxError) <
               std::tuple(a.figures.cells, b.figures.maxError);
    };
    for (const CheckedCondition& condition : check.conditions)
        if (condition.figures.cells >= kFewestCells && matches(condition, e))
            if (!best || farther(*best, condition))
                best = &condition;
    return best;
}

std::string percent(double share) {
    return fixedText(std::abs(share) * 100, 1) + " %";
}

std::string wordsOf(const std::string& key, const std::string& value) {
    if (key == "streams")
        return " in " + value + (value == "1" ? " stream" : " streams");
    if (key == "env.max_connections")
        return value == "1" ? " over one connection" : " over " + value + " connections";
    if (key == "memset" || key == "callback")
        return (value == "on" ? " with " : " without ") + key + "s";
    return " with " + key + "=" + value;
}

std::string wordsOf(const CheckedCondition& condition) {
    std::string memory, text;
    for (const auto& [key, value] : condition.when)
        if (key == "h2d.memory")
            memory = value;
        else if (key != "d2h.memory")
            text += wordsOf(key, value);
        else if (value != memory)
            memory += " H2D and " + value + " D2H";
    return memory + " copies" + text;
}

std::string listed(const std::vector<std::string>& items) {
    constexpr std::size_t kMost = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(items.size(), kMost); ++i)
        text += (i == 0 ? "" : ", ") + items[i];
    return items.size() > kMost ? text + " and " + std::to_string(items.size() - kMost) + " more" : text;
}

std::string verdictWords(const CheckFigures& f) {
    if (f.verdicts == 0)
        return "";
    if (f.verdicts == f.verdictsRight)
        return " All " + std::to_string(f.verdicts) + " verdicts were right.";
    return " Verdicts were right in " + std::to_string(f.verdictsRight) + " of " +
           std::to_string(f.verdicts) + ".";
}

std::string trustText(const ModelCheck& check, const CheckedCondition& condition) {
    const CheckFigures& f = condition.figures;
    const std::string runs =
        std::to_string(f.cells) + (check.measured ? " measured runs" : " simulated runs");
    const bool oneSided = f.lowest > 0 || f.highest < 0;
    const std::string how = f.medianError >= kMisses && oneSided
                                ? percent(f.medianError) + (f.highest < 0 ? " too short" : " too long")
                                : "with an error of " + percent(f.medianError);
    return "Simulated. Runs like this one (" + wordsOf(condition) + ") were predicted " + how +
           " (median of " + runs + ", largest " + percent(f.maxError) + ")." + verdictWords(f);
}

} // namespace

CheckFigures figuresOf(std::span<const PredictedCell> cells) {
    CheckFigures out;
    std::vector<double> sizes;
    for (const PredictedCell& cell : cells) {
        const double error = rounded(cell.error);
        out.lowest = sizes.empty() ? error : std::min(out.lowest, error);
        out.highest = sizes.empty() ? error : std::max(out.highest, error);
        sizes.push_back(std::abs(cell.error));
        out.maxError = std::max(out.maxError, std::abs(error));
        out.verdicts += cell.verdicts;
        out.verdictsRight += cell.verdictsRight;
    }
    out.cells = sizes.size();
    out.medianError = rounded(medianOfErrors(std::move(sizes)));
    return out;
}

ModelCheck checkOf(std::span<const PredictedCell> heldOut, std::span<const PredictedCell> usedFromHeldOut) {
    ModelCheck check;
    check.usedRuns = usedFromHeldOut.size();
    check.predicted = figuresOf(heldOut);
    std::vector<PredictedCell> all(heldOut.begin(), heldOut.end());
    all.insert(all.end(), usedFromHeldOut.begin(), usedFromHeldOut.end());
    for (const Grouping& grouping : kGroupings)
        addConditions(check.conditions, all, grouping);
    for (const PredictedCell& cell : all)
        addScope(check.scope, cell.experiment);
    return check;
}

Trust trustIn(const ModelCheck* check, const experiment::Experiment& experiment) {
    const std::string unknown = "accuracy unknown.";
    if (experiment::recordedWorkOf(experiment))
        return {nullptr, "Simulated work of a recording, with kernels as long as it has them: see "
                         "Compare for the accuracy."};
    if (!check)
        return {nullptr,
                "Simulated with a device model that was never checked against measured runs: " + unknown};
    const std::vector<std::string> beyond = outside(*check, experiment);
    if (!beyond.empty())
        return {nullptr, "Simulated with options that the device model was not checked with (" +
                             listed(beyond) + "): " + unknown};
    const CheckedCondition* condition = closest(*check, experiment);
    if (!condition)
        return {nullptr,
                "Simulated with a combination of options that the device model was not checked with: " +
                    unknown};
    return {condition, trustText(*check, *condition)};
}

} // namespace olab::sim
