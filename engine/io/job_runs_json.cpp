#include "job_runs_json.h"

#include <olab/trace/json_limits.h>
#include <olab/trace/text_limits.h>

#include <algorithm>
#include <stdexcept>

namespace olab::io {
namespace {

constexpr std::int64_t kMostInJob = 1'000'000;
constexpr std::size_t kMostTroubled = 1'000; // a job has 200 runs at most
constexpr std::int64_t kMostCount = std::int64_t{1} << 53;

[[noreturn]] void refuse(const std::string& why) {
    throw std::invalid_argument("runs: " + why);
}

std::int64_t numberIn(const nlohmann::json& json, const char* key, std::int64_t min, std::int64_t max) {
    const auto number = wholeNumber(json.at(key), min, max);
    return number ? *number : (refuse(std::string(key) + " is out of range"), 0);
}

const nlohmann::json& listIn(const nlohmann::json& json, const char* key, std::size_t most) {
    const nlohmann::json& list = json.at(key);
    if (!list.is_array() || list.empty() || list.size() > most)
        refuse(std::string(key) + " is no list that can be");
    return list;
}

/// Of a newer version's defect nothing more is known.
DefectCode codeNamed(std::string_view id) {
    const auto rows = defectTable();
    const auto row = std::ranges::find(rows, id, &DefectRow::id);
    return row == rows.end() ? DefectCode::BadRecord : row->code;
}

Defect defectFrom(const nlohmann::json& json) {
    Defect defect;
    defect.code = codeNamed(json.at("code").get_ref<const std::string&>());
    defect.count = static_cast<std::uint64_t>(numberIn(json, "count", 1, kMostCount));
    defect.classes = static_cast<ClassMask>(numberIn(json, "classes", 0, kAllClasses));
    defect.detail = cutText(json.at("detail").get_ref<const std::string&>(), kMaxFactBytes);
    return defect;
}

analysis::RunTrouble troubleFrom(const nlohmann::json& json, int runs) {
    analysis::RunTrouble trouble;
    trouble.run = static_cast<int>(numberIn(json, "run", 1, runs));
    trouble.traced = json.at("traced").get<bool>();
    for (const nlohmann::json& defect : listIn(json, "defects", kMaxDefectKinds))
        trouble.defects.push_back(defectFrom(defect));
    return trouble;
}

} // namespace

nlohmann::json runsToJson(const analysis::JobRuns& runs) {
    nlohmann::json troubled = nlohmann::json::array();
    for (const analysis::RunTrouble& run : runs.troubled) {
        nlohmann::json defects = nlohmann::json::array();
        for (const Defect& d : run.defects)
            defects.push_back({{"code", defectRow(d.code).id},
                               {"count", d.count},
                               {"classes", d.classes},
                               {"detail", d.detail}});
        troubled.push_back({{"run", run.run}, {"traced", run.traced}, {"defects", std::move(defects)}});
    }
    return {{"traced", runs.traced},
            {"untraced", runs.untraced},
            {"shown", runs.shown},
            {"shown_traced", runs.shownTraced},
            {"troubled", std::move(troubled)}};
}

analysis::JobRuns runsFromJson(const nlohmann::json& json) {
    analysis::JobRuns runs;
    runs.traced = static_cast<int>(numberIn(json, "traced", 0, kMostInJob));
    runs.untraced = static_cast<int>(numberIn(json, "untraced", 0, kMostInJob));
    runs.shown = static_cast<int>(numberIn(json, "shown", 1, std::max(1, runs.count())));
    runs.shownTraced = json.at("shown_traced").get<bool>();
    for (const nlohmann::json& run : listIn(json, "troubled", kMostTroubled))
        runs.troubled.push_back(troubleFrom(run, runs.count()));
    const auto inOrder = [](const analysis::RunTrouble& a, const analysis::RunTrouble& b) {
        return a.run < b.run;
    };
    if (!std::is_sorted(runs.troubled.begin(), runs.troubled.end(), inOrder) ||
        std::ranges::adjacent_find(runs.troubled, {}, &analysis::RunTrouble::run) != runs.troubled.end())
        refuse("they are not in order");
    return runs;
}

} // namespace olab::io
