#include <olab/io/comparison_report.h>

#include "proof_json.h"

namespace olab::io {
namespace {

using Json = nlohmann::ordered_json;

using Runs = std::span<const comparison::ComparedRun>;

/// The typical run of a side.
Json runJson(Runs runs, std::size_t typical, const std::optional<comparison::Spread>& spread) {
    const comparison::ComparedRun& run = runs[typical];
    const auto& measured = run.report.bounds.measured;
    return {{"name", run.name},
            {"measured_ns", measured ? Json(*measured) : Json()},
            {"spread", spreadJson(spread)},
            {"recordings", runs.size()}};
}

Json verdictOf(const analysis::Verdict* verdict) {
    if (!verdict)
        return {};
    return {{"verdict", analysis::verdictName(verdict->kind)},
            {"of_attainable", verdict->known ? Json(verdict->ofAttainable) : Json()},
            {"overlap_ns", verdict->known ? Json(verdict->overlap) : Json()}};
}

Json verdictsJson(const comparison::Comparison& comparison) {
    Json list = Json::array();
    for (const auto& [was, is] : comparison.verdicts) {
        const analysis::Verdict& any = was ? *was : *is;
        list.push_back({{"a", className(any.a)},
                        {"b", className(any.b)},
                        {"before", verdictOf(was)},
                        {"after", verdictOf(is)}});
    }
    return list;
}

Json optionsJson(const comparison::Comparison& comparison) {
    Json options = Json::object();
    for (const comparison::OptionDifference& option : comparison.options)
        options[std::string(option.key)] = {{"before", option.before}, {"after", option.after}};
    return options;
}

Json ratioJson(const std::optional<double>& ratio) {
    return ratio ? Json(*ratio) : Json();
}

Json workJson(const comparison::Comparison& comparison) {
    const comparison::WorkChange& work = comparison.work;
    return {{"differs", work.differs()},
            {"operations_ratio", ratioJson(work.operations)},
            {"bytes_ratio", ratioJson(work.bytes)},
            {"kernel_time_ratio", ratioJson(work.kernelTime)},
            {"times", ratioJson(work.amount)},
            {"unit", work.unit()},
            {"iteration_time_ratio", ratioJson(work.iterationTime)},
            {"ratio_per_work", ratioJson(comparison.slowerPerWork)}};
}

std::string_view basisName(comparison::SlowdownBasis basis) {
    constexpr std::string_view kNames[] = {"none", "runs", "turns", "simulated"};
    return kNames[static_cast<std::size_t>(basis)];
}

Json speedJson(const comparison::JudgedSpeed& speed) {
    if (!speed.slowdown)
        return {};
    const comparison::Slowdown& found = *speed.slowdown;
    return {{"ratio", found.ratio},
            {"low", ratioJson(found.low)},
            {"high", ratioJson(found.high)},
            {"coverage", found.low ? Json(found.coverage) : Json()},
            {"before_runs", found.before},
            {"after_runs", found.after},
            {"by", basisName(found.basis)},
            {"lacks", found.lacks},
            {"text", speed.words}};
}

Json timeJson(const std::optional<Ns>& time) {
    return time ? Json(*time) : Json();
}

Json lineJson(const comparison::AccountLine& line) {
    return {{"before_ns", line.before}, {"after_ns", line.after}, {"change_ns", line.change()}};
}

Json causesJson(const comparison::AccountChange& change) {
    Json causes = Json::array();
    for (const comparison::AccountRow& row : change.rows)
        causes.push_back({{"id", analysis::lossCauseId(row.cause)},
                          {"before_ns", timeJson(row.before)},
                          {"after_ns", timeJson(row.after)},
                          {"change_ns", row.change()},
                          {"new", row.isNew},
                          {"gone", row.isGone}});
    return causes;
}

Json accountJson(const comparison::AccountChange& change) {
    if (!change.missing.empty())
        return {};
    return {{"per_iteration", change.perIteration}, {"measured", lineJson(change.measured)},
            {"ideal", lineJson(change.ideal)},      {"unexplained", lineJson(change.unexplained)},
            {"causes", causesJson(change)},         {"text", comparison::accountChangeText(change)}};
}

void addJudgement(const comparison::Comparison& comparison, Json& json) {
    json["slowdown"] = speedJson(comparison.speed);
    json["slowdown_per_iteration"] = speedJson(comparison.iteration);
    json["caution"] = comparison.caution;
    json["account"] = accountJson(comparison.account);
    if (!comparison.account.missing.empty())
        json["account_missing"] = comparison.account.missing;
    json["findings"] = {{"new", comparison.findings.appeared}, {"gone", comparison.findings.gone}};
}

} // namespace

std::string comparisonToJson(const comparison::SidesCompared& sides, Runs before, Runs after) {
    const comparison::Comparison& comparison = sides.comparison;
    Json json{{"format", "olab-comparison"},
              {"version", 1},
              {"before", runJson(before, sides.before, comparison.spreadBefore)},
              {"after", runJson(after, sides.after, comparison.spreadAfter)},
              {"options", optionsJson(comparison)},
              {"obstacle", comparison.obstacle},
              {"unjudged", comparison.unjudged},
              {"ratio", ratioJson(comparison.slower)},
              {"untraced", comparison.untracedSpread},
              {"beyond_spread", comparison.spreadBefore ? Json(comparison.isBeyondSpread()) : Json()},
              {"headline", comparison.headline},
              {"spread", comparison.spread},
              {"verdicts", verdictsJson(comparison)},
              {"work", workJson(comparison)}};
    addJudgement(comparison, json);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string comparisonToJson(const comparison::Comparison& comparison, const comparison::ComparedRun& before,
                             const comparison::ComparedRun& after) {
    return comparisonToJson({0, 0, comparison}, {&before, 1}, {&after, 1});
}

namespace {

/// In the syntax of the command line.
std::string flagsOf(const experiment::OptionChanges& changes) {
    std::string flags;
    for (const auto& [key, value] : changes)
        flags += (flags.empty() ? "--set " : " --set ") + key + "=" + value;
    return flags;
}

Json candidateJson(const comparison::FixCandidate& candidate) {
    return {{"changes", optionChangesJson(candidate.changes)},
            {"set", flagsOf(candidate.changes)},
            {"predicted", candidate.predicted ? Json(*candidate.predicted) : Json()},
            {"makespan", changeJson(candidate.makespan)},
            {"faster", candidate.isGain()},
            {"trouble", candidate.trouble}};
}

Json listOf(const std::vector<comparison::FixCandidate>& candidates) {
    Json list = Json::array();
    for (const comparison::FixCandidate& candidate : candidates)
        list.push_back(candidateJson(candidate));
    return list;
}

} // namespace

std::string fixToJson(const comparison::Fix& fix) {
    const Json experiment = Json::parse(fix.bestExperiment, nullptr, false);
    const Json json{{"format", "olab-fix"},
                    {"version", 1},
                    {"title", fix.title},
                    {"considered", fix.considered},
                    {"left_out", fix.leftOut},
                    {"runs", fix.pairs},
                    {"simulated", fix.simulated},
                    {"untraced", fix.untraced},
                    {"basis", fix.basis},
                    {"measured", listOf(fix.measured)},
                    {"predicted", listOf(fix.predicted)},
                    {"best", fix.best ? candidateJson(fix.measured[*fix.best]) : Json()},
                    {"experiment", experiment.is_discarded() ? Json() : experiment},
                    {"text", fix.text}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace olab::io
