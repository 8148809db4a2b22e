#include <olab/claims/claim_table.h>

#include "claim_texts.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace olab::claims {
namespace {

using nlohmann::json;

/// They are part of the program: a parse failure is a bug that the unit tests catch first.
[[noreturn]] void badTable(const std::string& why) {
    throw Error(ErrorKind::Internal, "bad-claims", "The table of claims cannot be read: " + why,
                "Report this as a bug of Overlap Lab.");
}

json parsed(std::string_view text) {
    try {
        return json::parse(text);
    } catch (const json::exception& e) {
        badTable(e.what());
    }
}

std::vector<std::string> textsIn(const json& object, const char* key) {
    return object.contains(key) ? object.at(key).get<std::vector<std::string>>() : std::vector<std::string>();
}

/// Of a claim that is documented as true or false, each case is.
std::optional<bool> documentedSide(const json& entry, Documented ofClaim) {
    if (ofClaim != Documented::Partly)
        return ofClaim == Documented::True;
    if (!entry.contains("documented"))
        return std::nullopt;
    return entry.at("documented") == "holds";
}

Documented documentedFrom(const std::string& word) {
    for (const Documented d : {Documented::True, Documented::Partly, Documented::False})
        if (documentedName(d) == word)
            return d;
    badTable("'" + word + "' is no answer");
}

ClaimRow claimFrom(const json& row) {
    ClaimRow claim{row.at("id"),
                   row.at("claim"),
                   row.at("id").get<std::string>().substr(0, 3),
                   row.at("place"),
                   documentedFrom(row.at("documented")),
                   row.at("reason"),
                   row.at("reference")};
    claim.needs = row.value("needs", "");
    for (const json& entry : row.value("cases", json::array()))
        claim.cases.push_back({entry.at("says"), textsIn(entry, "holds"), textsIn(entry, "contrary"),
                               documentedSide(entry, claim.documented)});
    return claim;
}

LabRun runFrom(const std::string& name, json options) {
    LabRun run{name};
    run.serialKernels = options.value("serial_kernels", false);
    options.erase("serial_kernels");
    run.experiment = experiment::experimentFromJson(options.dump());
    return run;
}

LabExperiment experimentFrom(const json& row) {
    LabExperiment experiment{row.at("id"), row.at("title")};
    experiment.probe = row.value("probe", "");
    experiment.repeat = row.value("repeat", experiment.repeat);
    const json runs = row.value("runs", json::object()); // items() refers to it
    for (const auto& [name, options] : runs.items()) {
        json all = row.value("base", json::object()); // shared by its runs
        all.update(options);
        experiment.runs.push_back(runFrom(name, std::move(all)));
    }
    for (const json& entry : row.value("controls", json::array()))
        experiment.controls.push_back({entry.at("says"), textsIn(entry, "holds")});
    return experiment;
}

struct Table {
    std::vector<ClaimSource> sources;
    std::vector<ClaimRow> claims;
    std::vector<LabExperiment> experiments;
};

Table readTable() {
    Table table;
    try {
        const json claims = parsed(detail::claimsText()), experiments = parsed(detail::experimentsText());
        for (const json& row : claims.at("sources"))
            table.sources.push_back({row.at("id"), row.at("title"), row.at("published")});
        for (const json& row : claims.at("claims"))
            table.claims.push_back(claimFrom(row));
        for (const json& row : experiments.at("experiments"))
            table.experiments.push_back(experimentFrom(row));
    } catch (const json::exception& e) {
        badTable(e.what());
    }
    return table;
}

const Table& table() {
    static const Table all = readTable();
    return all;
}

template <typename Row>
const Row* findRow(const std::vector<Row>& rows, std::string_view id) {
    const auto at = std::ranges::find(rows, id, &Row::id);
    return at == rows.end() ? nullptr : &*at;
}

} // namespace

std::string_view documentedName(Documented d) {
    constexpr std::string_view kNames[] = {"TRUE", "PARTLY", "FALSE"};
    return kNames[static_cast<std::size_t>(d)];
}

std::span<const ClaimSource> claimSources() {
    return table().sources;
}
std::span<const ClaimRow> claimTable() {
    return table().claims;
}
std::span<const LabExperiment> labExperiments() {
    return table().experiments;
}
const ClaimRow* findClaim(std::string_view id) {
    return findRow(table().claims, id);
}
const LabExperiment* findLabExperiment(std::string_view id) {
    return findRow(table().experiments, id);
}

ClaimRule claimRule(std::string_view text) {
    const auto colon = text.find(": ");
    if (colon == text.npos || colon == 0)
        badTable("'" + std::string(text) + "' names no run");
    return {text.substr(0, colon), text.substr(colon + 2)};
}

std::vector<std::string> runsOf(std::string_view rule) {
    const ClaimRule parts = claimRule(rule);
    std::vector<std::string> runs{std::string(parts.run)};
    if (const auto at = parts.expression.find('@'); at != std::string_view::npos) {
        const std::string_view name = parts.expression.substr(at + 1);
        runs.emplace_back(name.substr(0, name.find_first_of(" \t")));
    }
    return runs;
}

std::string_view experimentOfRun(std::string_view run) {
    return run.substr(0, run.find('.'));
}

std::vector<std::string> experimentsOf(const ClaimRow& claim) {
    std::vector<std::string> all;
    for (const ClaimCase& tested : claim.cases)
        for (const auto* rules : {&tested.holds, &tested.contrary})
            for (const std::string& rule : *rules)
                for (const std::string& run : runsOf(rule))
                    if (const std::string id(experimentOfRun(run)); std::ranges::find(all, id) == all.end())
                        all.push_back(id);
    return all;
}

} // namespace olab::claims
