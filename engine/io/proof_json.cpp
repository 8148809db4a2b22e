#include "proof_json.h"

#include <olab/trace/limits.h>

#include <stdexcept>

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

namespace {

using PlainJson = nlohmann::json;

constexpr Ns kLongestTime = Ns{1} << 61;
constexpr std::int64_t kMostPairs = 1'000'000;
constexpr std::size_t kMostProofs = 256, kMostPredictions = 8, kMostChanges = 64; // far more than ever occur

[[noreturn]] void refuse(const char* key) {
    throw std::invalid_argument(std::string(key) + " is nothing that can be");
}

std::string proofText(const PlainJson& json, const char* key, std::size_t most = kMaxTextBytes) {
    const PlainJson& value = json.at(key);
    if (!value.is_string())
        refuse(key);
    return std::string(cutText(value.get_ref<const std::string&>(), most));
}

Ns proofTime(const PlainJson& json, const char* key) {
    const auto time = wholeNumber(json.at(key), -kLongestTime, kLongestTime);
    if (!time)
        refuse(key);
    return *time;
}

std::optional<Ns> maybeTime(const PlainJson& json, const char* key) {
    return json.at(key).is_null() ? std::nullopt : std::optional(proofTime(json, key));
}

int pairsIn(const PlainJson& json, const char* key) {
    const auto count = wholeNumber(json.at(key), 0, kMostPairs);
    if (!count)
        refuse(key);
    return static_cast<int>(*count);
}

/// 0 if there is none.
double shareIn(const PlainJson& json, const char* key) {
    if (json.at(key).is_null())
        return 0;
    const auto share = realNumber(json.at(key), 0, 1);
    if (!share)
        refuse(key);
    return *share;
}

const PlainJson& proofList(const PlainJson& json, const char* key, std::size_t most) {
    const PlainJson& list = json.at(key);
    if (!list.is_array() || list.size() > most)
        refuse(key);
    return list;
}

comparison::ControlRun controlFrom(const PlainJson& json) {
    comparison::ControlRun run{
        proofTime(json, "makespan_ns"), proofTime(json, "overlap_ns"), {}, json.at("holds").get<bool>()};
    if (!json.at("of_attainable").is_null())
        run.ofAttainable = shareIn(json, "of_attainable");
    return run;
}

comparison::RunNumbers numbersFrom(const PlainJson& json) {
    return {maybeTime(json, "makespan_ns"), maybeTime(json, "wait_ns"), maybeTime(json, "overlap_ns"),
            maybeTime(json, "blocked_ns")};
}

std::optional<comparison::PairedChange> changeFrom(const PlainJson& json) {
    if (json.is_null())
        return std::nullopt;
    return comparison::PairedChange{proofTime(json, "before_ns"), proofTime(json, "after_ns"),
                                    proofTime(json, "change_ns"), pairsIn(json, "pairs"),
                                    maybeTime(json, "low_ns"),    maybeTime(json, "high_ns"),
                                    shareIn(json, "coverage")};
}

comparison::Prediction predictionFrom(const PlainJson& json) {
    comparison::Prediction prediction;
    prediction.lacks = proofText(json, "lacks");
    for (const PlainJson& said : proofList(json, "by", kMostPredictions))
        prediction.all.push_back({proofText(said, "by", kMaxFactBytes), proofText(said, "basis"),
                                  numbersFrom(said.at("before")), numbersFrom(said.at("after"))});
    return prediction;
}

experiment::OptionChanges changesFrom(const PlainJson& json) {
    if (!json.is_object() || json.size() > kMostChanges)
        refuse("changes");
    experiment::OptionChanges changes;
    for (const auto& [key, value] : json.items())
        changes.emplace_back(cutText(key, kMaxFactBytes), proofText(json, key.c_str(), kMaxFactBytes));
    return changes;
}

comparison::ProofStatus statusFrom(const PlainJson& json) {
    for (const comparison::ProofStatus status :
         {comparison::ProofStatus::Confirmed, comparison::ProofStatus::Refuted,
          comparison::ProofStatus::Inconclusive})
        if (json == comparison::proofStatusName(status))
            return status;
    refuse("status");
}

comparison::Proof proofFrom(const PlainJson& json) {
    comparison::Proof proof;
    proof.finding = proofText(json, "finding", kMaxFactBytes);
    proof.changes = changesFrom(json.at("changes"));
    proof.pairs = pairsIn(json, "runs");
    proof.simulated = json.at("simulated").get<bool>();
    proof.untraced = json.at("untraced").get<bool>();
    proof.failed = json.value("failed", false);
    proof.predicted = predictionFrom(json.at("predicted"));
    const PlainJson& measured = json.at("measured");
    proof.makespan = changeFrom(measured.at("makespan"));
    proof.wait = changeFrom(measured.at("wait"));
    proof.overlap = changeFrom(measured.at("overlap"));
    proof.blocked = changeFrom(measured.at("blocked"));
    proof.status = statusFrom(json.at("status"));
    proof.text = proofText(json, "text");
    return proof;
}

} // namespace

comparison::Controls controlsFromJson(const PlainJson& json) {
    return {controlFrom(json.at("must_overlap")), controlFrom(json.at("must_not_overlap")),
            json.at("simulated").get<bool>(), proofText(json, "text")};
}

std::vector<comparison::Proof> proofsFromJson(const PlainJson& json) {
    if (!json.is_array() || json.size() > kMostProofs)
        refuse("proofs");
    std::vector<comparison::Proof> proofs;
    for (const PlainJson& proof : json)
        proofs.push_back(proofFrom(proof));
    return proofs;
}

} // namespace olab::io
