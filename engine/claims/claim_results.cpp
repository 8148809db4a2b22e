#include <olab/claims/claim_results.h>

#include "claim_texts.h"

#include <olab/trace/json_limits.h>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace olab::claims {
namespace {

using Json = nlohmann::ordered_json;
using nlohmann::json;

constexpr std::string_view kFormat = "olab-claims";
constexpr int kVersion = 1;
constexpr JsonLimits kLimits{std::size_t{8} << 20, 16};

Json claimJson(const ClaimResult& result) {
    Json out{{"id", result.id}};
    const ClaimRow* const row = findClaim(result.id);
    if (row) {
        out["claim"] = row->claim;
        out["documented"] = documentedName(row->documented);
    }
    out["measured"] = outcomeName(result.outcome);
    const Agreement both = row ? agreement(*row, result) : Agreement::Undecided;
    out["agrees"] = both == Agreement::Agrees    ? Json(true)
                    : both == Agreement::Differs ? Json(false)
                                                 : Json(); // undecided, or not documented
    out["reason"] = result.reason;
    out["cases"] = Json::array();
    for (const CaseResult& tested : result.cases)
        out["cases"].push_back(
            {{"says", tested.says}, {"side", caseSideName(tested.side)}, {"text", tested.text}});
    if (row)
        out["experiments"] = experimentsOf(*row);
    return out;
}

Json labJson(const LabResult& result) {
    return {{"id", result.id},           {"title", result.title},   {"seconds", result.seconds},
            {"missing", result.missing}, {"failed", result.failed}, {"control", result.control},
            {"numbers", result.numbers}, {"files", result.files}};
}

template <typename Enum, typename Name>
Enum fromName(const std::string& word, int count, Name name) {
    for (int i = 0; i < count; ++i)
        if (name(static_cast<Enum>(i)) == word)
            return static_cast<Enum>(i);
    throw Error(ErrorKind::Usage, "bad-claims", "'" + word + "' means nothing in results of claims.",
                "The file is damaged, or of a newer version of Overlap Lab.");
}

ClaimResult resultFrom(const json& object) {
    ClaimResult result{object.at("id"), fromName<ClaimOutcome>(object.at("measured"), 5, outcomeName),
                       object.value("reason", "")};
    for (const json& tested : object.at("cases"))
        result.cases.push_back(
            {tested.at("says"), fromName<CaseSide>(tested.at("side"), 3, caseSideName), tested.at("text")});
    return result;
}

LabResult labFrom(const json& object) {
    return {object.at("id"),
            object.at("title"),
            realNumber(object.at("seconds"), 0, 1e9).value_or(0),
            object.value("missing", ""),
            object.value("failed", false),
            object.value("control", ""),
            object.at("numbers").get<std::map<std::string, double>>(),
            object.value("files", std::vector<std::string>())};
}

ClaimsResults resultsFrom(const json& object) {
    ClaimsResults results;
    results.source = fromName<ClaimsSource>(object.at("source"), 3, claimsSourceName);
    results.recordedAt = object.value("recorded_at", "");
    results.environment = object.at("environment").get<std::map<std::string, std::string>>();
    results.seconds = realNumber(object.at("seconds"), 0, 1e9).value_or(0);
    for (const json& claim : object.at("claims"))
        results.claims.push_back(resultFrom(claim));
    for (const json& experiment : object.at("experiments"))
        results.experiments.push_back(labFrom(experiment));
    return results;
}

[[noreturn]] void refuse(const std::string& why) {
    throw Error(ErrorKind::Usage, "bad-claims", "These are no results of claims: " + why + ".",
                "Results are what 'olab claims --json' prints.");
}

} // namespace

std::string_view claimsSourceName(ClaimsSource s) {
    constexpr std::string_view kNames[] = {"measured", "simulated", "recorded"};
    return kNames[static_cast<std::size_t>(s)];
}

const ClaimResult* findResult(const ClaimsResults& results, std::string_view claim) {
    const auto at = std::ranges::find(results.claims, claim, &ClaimResult::id);
    return at == results.claims.end() ? nullptr : &*at;
}

const LabResult* findLabResult(const ClaimsResults& results, std::string_view experiment) {
    const auto at = std::ranges::find(results.experiments, experiment, &LabResult::id);
    return at == results.experiments.end() ? nullptr : &*at;
}

std::string claimsToJson(const ClaimsResults& results) {
    Json out{{"format", kFormat},
             {"version", kVersion},
             {"source", claimsSourceName(results.source)},
             {"recorded_at", results.recordedAt},
             {"environment", results.environment},
             {"seconds", results.seconds}};
    out["claims"] = Json::array();
    for (const ClaimResult& claim : results.claims)
        out["claims"].push_back(claimJson(claim));
    out["experiments"] = Json::array();
    for (const LabResult& experiment : results.experiments)
        out["experiments"].push_back(labJson(experiment));
    return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

ClaimsResults claimsFromJson(std::string_view text) {
    std::string why;
    const auto object = parsedJson<json>(text, why, kLimits);
    if (!object || !object->is_object())
        refuse(why.empty() ? "no JSON object" : why);
    try {
        if (object->at("format") != kFormat || object->at("version") != kVersion)
            refuse("the format or its version is another");
        return resultsFrom(*object);
    } catch (const json::exception& e) {
        refuse(e.what());
    }
}

const std::optional<ClaimsResults>& recordedClaims() {
    static const std::optional<ClaimsResults> shipped = []() -> std::optional<ClaimsResults> {
        if (detail::recordedText().empty())
            return std::nullopt;
        ClaimsResults results = claimsFromJson(detail::recordedText());
        results.source = ClaimsSource::Recorded;
        return results;
    }();
    return shipped;
}

} // namespace olab::claims
