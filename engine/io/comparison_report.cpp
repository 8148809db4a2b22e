#include <olab/io/comparison_report.h>

#include "proof_json.h"

namespace olab::io {
namespace {

using Json = nlohmann::ordered_json;

Json runJson(const comparison::ComparedRun& run, const std::optional<comparison::Spread>& spread) {
    const auto& measured = run.report.bounds.measured;
    return {{"name", run.name},
            {"measured_ns", measured ? Json(*measured) : Json()},
            {"spread", spreadJson(spread)}};
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

} // namespace

std::string comparisonToJson(const comparison::Comparison& comparison, const comparison::ComparedRun& before,
                             const comparison::ComparedRun& after) {
    const Json json{{"format", "olab-comparison"},
                    {"version", 1},
                    {"before", runJson(before, comparison.spreadBefore)},
                    {"after", runJson(after, comparison.spreadAfter)},
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
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace olab::io
