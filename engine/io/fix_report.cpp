#include <olab/io/fix_report.h>

#include "proof_json.h"

namespace olab::io {
namespace {

using Json = nlohmann::ordered_json;

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
