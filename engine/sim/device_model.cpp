#include <olab/sim/device_model.h>

#include "device_model_json.h"
#include "scaled.h"

#include <olab/experiment/held_experiment.h>
#include <olab/trace/error.h>
#include <olab/trace/limits.h>

#include <algorithm>

namespace olab::sim {

std::uint32_t residentBlocks(const DeviceModel& model, std::uint32_t threads, std::uint64_t shared) {
    constexpr std::uint64_t kReserved = 1024; // per block that uses any, by the system; from cc 8.0 on
    const std::uint64_t perBlock = shared > 0 && model.computeMajor >= 8 ? shared + kReserved : shared;
    const auto byShared = static_cast<std::uint32_t>(
        perBlock > 0 ? std::min<std::uint64_t>(model.sharedPerSm / perBlock, model.maxBlocksPerSm)
                     : model.maxBlocksPerSm);
    const std::uint32_t byThreads = model.maxThreadsPerSm / std::max(threads, 1u);
    const std::uint64_t perSm = std::min({byThreads, byShared, model.maxBlocksPerSm});
    constexpr std::uint64_t kMost = 0x7fffffff; // the maximum number of blocks in a grid
    return static_cast<std::uint32_t>(std::min(perSm * model.smCount, kMost));
}

std::int64_t copyRate(const DeviceModel& model, bool toDevice, bool pageable) {
    if (toDevice)
        return pageable ? model.h2dPageableRate : model.h2dPinnedRate;
    return pageable ? model.d2hPageableRate : model.d2hPinnedRate;
}

Ns callbackDelay(const DeviceModel& model, Ns idle) {
    constexpr Ns kHalfway = 1'000'000;
    const Ns soon = model.callbackIn / 2, late = sim::scaled(model.callbackIn, 10, 3);
    return soon + sim::scaled(late - soon, idle, sim::scaled(idle, 1, 1, kHalfway));
}

Ns transferTime(std::int64_t bytes, std::int64_t rate) {
    return bytes * 1000 / std::max<std::int64_t>(rate, 1);
}

namespace {

using Json = nlohmann::ordered_json;

Json figuresToJson(const CheckFigures& f) {
    return {{"cells", f.cells},        {"median_error", f.medianError}, {"max_error", f.maxError},
            {"lowest", f.lowest},      {"highest", f.highest},          {"verdicts", f.verdicts},
            {"right", f.verdictsRight}};
}

constexpr std::int64_t kMostCells = 1'000'000'000;
constexpr double kLargestError = 1e9; // as a share

[[noreturn]] void refuse(const char* key) {
    throw Error(ErrorKind::Usage, "bad-model", std::string(key) + " is out of range.", "");
}

std::size_t countIn(const Json& json, const char* key) {
    const auto count = wholeNumber(json.at(key), 0, kMostCells);
    return count ? static_cast<std::size_t>(*count) : (refuse(key), 0);
}

double errorIn(const Json& json, const char* key) {
    const auto share = realNumber(json.at(key), -kLargestError, kLargestError);
    return share ? *share : (refuse(key), 0);
}

CheckFigures figuresFromJson(const Json& json) {
    CheckFigures f;
    f.cells = countIn(json, "cells");
    f.medianError = errorIn(json, "median_error");
    f.maxError = errorIn(json, "max_error");
    f.lowest = errorIn(json, "lowest");
    f.highest = errorIn(json, "highest");
    f.verdicts = countIn(json, "verdicts");
    f.verdictsRight = countIn(json, "right");
    return f;
}

CheckedCondition conditionFromJson(const Json& json) {
    CheckedCondition condition;
    for (const auto& [key, value] : json.at("when").items())
        condition.when.emplace_back(key, value.get<std::string>());
    condition.figures = figuresFromJson(json.at("figures"));
    return condition;
}

} // namespace

Json settingsToJson(const CheckedCondition& condition) {
    Json json = Json::object();
    for (const auto& [key, value] : condition.when)
        json[key] = value;
    return json;
}

Json checkSummary(const ModelCheck& check) {
    return {{"against", check.measured ? "measured" : "simulated"},
            {"driver", check.driver},
            {"recorded_at", check.recordedAt},
            {"used_runs", check.usedRuns},
            {"predicted", figuresToJson(check.predicted)}};
}

Json checkToJson(const ModelCheck& check) {
    Json json = checkSummary(check);
    Json& conditions = json["conditions"] = Json::array();
    for (const CheckedCondition& condition : check.conditions)
        conditions.push_back(
            {{"when", settingsToJson(condition)}, {"figures", figuresToJson(condition.figures)}});
    json["scope"] = check.scope;
    return json;
}

ModelCheck checkFromJson(const Json& json) {
    ModelCheck check;
    check.measured = json.at("against").get<std::string>() == "measured";
    json.at("driver").get_to(check.driver);
    json.at("recorded_at").get_to(check.recordedAt);
    check.usedRuns = countIn(json, "used_runs");
    check.predicted = figuresFromJson(json.at("predicted"));
    for (const Json& condition : json.at("conditions"))
        check.conditions.push_back(conditionFromJson(condition));
    json.at("scope").get_to(check.scope);
    return check;
}

std::string simulatorToJson(const DeviceModel& model, const experiment::Experiment& experiment) {
    using Json = nlohmann::ordered_json;
    const ModelCheck* check = model.checked ? &*model.checked : nullptr;
    const Trust trust = trustIn(check, experiment);
    Json run{{"cells", 0}, {"median_error", nullptr}, {"max_error", nullptr}, {"when", nullptr}};
    if (trust.condition) {
        const CheckFigures& f = trust.condition->figures;
        run = {{"cells", f.cells},
               {"median_error", f.medianError},
               {"max_error", f.maxError},
               {"when", settingsToJson(*trust.condition)}};
    }
    run["text"] = trust.text;
    const Json json{
        {"model", model.name}, {"checked", check ? checkSummary(*check) : Json()}, {"for_this_run", run}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace olab::sim
