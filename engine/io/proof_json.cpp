#include "proof_json.h"

namespace olab::io {
namespace {

using Json = nlohmann::ordered_json;

Json timeOrNull(const std::optional<Ns>& time) {
    return time ? Json(*time) : Json();
}

Json numbersJson(const comparison::RunNumbers& numbers) {
    return {{"makespan_ns", timeOrNull(numbers.makespan)},
            {"wait_ns", timeOrNull(numbers.wait)},
            {"overlap_ns", timeOrNull(numbers.overlap)},
            {"blocked_ns", timeOrNull(numbers.blocked)}};
}

Json predictedJson(const comparison::PredictedChange& said) {
    const auto relative = said.relative();
    return {{"by", said.by},
            {"basis", said.basis},
            {"change", relative ? Json(*relative) : Json()},
            {"before", numbersJson(said.before)},
            {"after", numbersJson(said.after)}};
}

Json controlJson(const comparison::ControlRun& run) {
    return {{"holds", run.holds},
            {"makespan_ns", run.makespan},
            {"overlap_ns", run.overlap},
            {"of_attainable", run.ofAttainable ? Json(*run.ofAttainable) : Json()}};
}

} // namespace

Json changeJson(const std::optional<comparison::PairedChange>& change) {
    if (!change)
        return {};
    return {{"before_ns", change->before},
            {"after_ns", change->after},
            {"change_ns", change->change},
            {"low_ns", timeOrNull(change->low)},
            {"high_ns", timeOrNull(change->high)},
            {"pairs", change->pairs},
            {"coverage", change->low ? Json(change->coverage) : Json()}};
}

Json optionChangesJson(const experiment::OptionChanges& changes) {
    Json json = Json::object();
    for (const auto& [key, value] : changes)
        json[key] = value;
    return json;
}

Json predictionJson(const comparison::Prediction& prediction) {
    Json all = Json::array();
    for (const comparison::PredictedChange& said : prediction.all)
        all.push_back(predictedJson(said));
    const auto relative = prediction.relative();
    return {{"change", relative ? Json(*relative) : Json()},
            {"differ", prediction.differs()},
            {"by", std::move(all)},
            {"lacks", prediction.lacks}};
}

Json proofJson(const comparison::Proof& proof) {
    return {{"finding", proof.finding},
            {"changes", optionChangesJson(proof.changes)},
            {"runs", proof.pairs},
            {"simulated", proof.simulated},
            {"untraced", proof.untraced},
            {"failed", proof.failed},
            {"predicted", predictionJson(proof.predicted)},
            {"measured",
             {{"makespan", changeJson(proof.makespan)},
              {"wait", changeJson(proof.wait)},
              {"overlap", changeJson(proof.overlap)},
              {"blocked", changeJson(proof.blocked)}}},
            {"status", comparison::proofStatusName(proof.status)},
            {"text", proof.text}};
}

Json controlsJson(const comparison::Controls& controls) {
    return {{"hold", controls.hold()},
            {"simulated", controls.simulated},
            {"must_overlap", controlJson(controls.together)},
            {"must_not_overlap", controlJson(controls.apart)},
            {"text", controls.text}};
}

Json spreadJson(const std::optional<comparison::Spread>& spread) {
    if (!spread)
        return {};
    return {{"runs", spread->runs},
            {"median_ns", spread->median},
            {"lowest_ns", spread->lowest},
            {"highest_ns", spread->highest}};
}

namespace {

Json allTimesJson(const std::vector<Ns>& times) {
    Json json = spreadJson(comparison::spreadOf(times));
    if (!json.is_null())
        json["times_ns"] = times;
    return json;
}

} // namespace

Json timesJson(const comparison::RunTimes& times) {
    return {{"traced", allTimesJson(times.traced)}, {"untraced", allTimesJson(times.untraced)}};
}

} // namespace olab::io
