#include "olab_format.h"

#include "proof_json.h"

#include <olab/analysis/job_runs.h>
#include <olab/experiment/held_experiment.h>
#include <olab/trace/container.h>
#include <olab/trace/limits.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace olab::io {
namespace {

// Problems in the runs of a job, as the member "runs" of the environment chunk: {"traced", "untraced",
// "shown", "shown_traced", "troubled": [{"run", "traced", "defects": [{"code", "count", "classes",
// "detail"}]}]}. Unknown members are ignored.

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

/// @throws std::exception for invalid content: then the problems are unknown, which is a data loss.
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

namespace fs = std::filesystem;

// --- reading

std::string_view textOf(const Chunk& chunk) {
    return {reinterpret_cast<const char*>(chunk.payload.data()), chunk.payload.size()};
}

RefusedRecord badChunk(std::string detail) {
    return {DefectCode::BadChunk, 1, 0, std::move(detail), false};
}

void readExperiment(std::string_view text, RecordingData& data, RecordSink& records) {
    try {
        data.experiment = experiment::shareExperiment(experiment::experimentFromJson(text));
    } catch (const std::exception& e) {
        records.add(badChunk(std::string("experiment: ") + e.what()));
    }
}

constexpr Ns kLongestRun = Ns{1} << 61;
constexpr std::int64_t kMostRuns = 1'000'000;
constexpr std::size_t kMostTimes = 10'000; // a job has 200 runs at most
constexpr double kMostRatio = 1e9;

std::int64_t numberIn(const nlohmann::json& json, const char* key, std::int64_t max) {
    const auto number = wholeNumber(json.at(key), 0, max);
    return number ? *number : throw std::invalid_argument(std::string(key) + " is out of range");
}

/// 0 if there is none.
double ratioIn(const nlohmann::json& json) {
    const auto ratio = realNumber(json.value("ratio", nlohmann::json(0)), 0, kMostRatio);
    return ratio ? *ratio : throw std::invalid_argument("ratio is out of range");
}

analysis::ToolEffect toolEffectFrom(const nlohmann::json& effect) {
    return {numberIn(effect, "traced_ns", kLongestRun), numberIn(effect, "untraced_ns", kLongestRun),
            static_cast<int>(numberIn(effect, "runs", kMostRuns)), ratioIn(effect),
            std::string(cutText(effect.value("measured_with", ""), kMaxFactBytes))};
}

std::vector<Ns> timesIn(const nlohmann::json& json, const char* key) {
    const nlohmann::json& list = json.at(key);
    if (!list.is_array() || list.size() > kMostTimes)
        throw std::invalid_argument(std::string(key) + " is no list that can be");
    std::vector<Ns> times;
    for (const nlohmann::json& entry : list)
        times.push_back(wholeNumber(entry, 0, kLongestRun).value_or(0));
    return times;
}

comparison::RunTimes timesFrom(const nlohmann::json& json) {
    return {timesIn(json, "traced_ns"), timesIn(json, "untraced_ns")};
}

/// `read` gets the member, if present; an invalid one is a defect, and the others are still read.
template <typename Read>
void readMember(const nlohmann::json& json, const char* key, RecordSink& records, Read read) {
    try {
        if (json.contains(key))
            read(json.at(key));
    } catch (const std::exception& e) {
        records.add(badChunk(std::string("environment: ") + e.what()));
    }
}

void readEnvironment(std::string_view text, RecordingData& data, RecordSink& records) {
    std::string why;
    const auto json = parsedJson<nlohmann::json>(text, why);
    if (!json)
        return records.add(badChunk("environment: " + why));
    readMember(*json, "tool_effect", records, [&](const auto& j) { data.toolEffect = toolEffectFrom(j); });
    readMember(*json, "runs", records, [&](const auto& j) { data.runs = runsFromJson(j); });
    readMember(*json, "run_times", records, [&](const auto& j) { data.times = timesFrom(j); });
    Interventions& made = data.interventions;
    readMember(*json, "controls", records, [&](const auto& j) { made.controls = controlsFromJson(j); });
    readMember(*json, "proofs", records, [&](const auto& j) { made.proofs = proofsFromJson(j); });
}

void readBookmarks(std::string_view text, RecordingData& data, RecordSink& records) {
    std::vector<std::string> refused;
    for (Bookmark& bookmark : bookmarksFromJson(text, refused, &data.bookmarksPartly))
        if (data.bookmarks.size() < kMaxBookmarks)
            data.bookmarks.push_back(std::move(bookmark));
        else
            data.bookmarksPartly = true; // there are several chunks
    for (const std::string& why : refused)
        records.add(badChunk("bookmarks: " + why));
}

/// The last one counts: there is only one unless files were concatenated.
void readLabel(std::string_view text, RecordingData& data, RecordSink& records) {
    std::string refused;
    data.label = labelFromJson(text, refused, data.labelPartly);
    if (!refused.empty())
        records.add(badChunk("label: " + refused));
}

void takeChunk(Chunk&& chunk, RecordingData& data, RecordSink& records, RecordChunks& recordChunks) {
    switch (chunk.type) {
    case ChunkType::Records:
        return recordChunks.take(std::move(chunk.payload));
    case ChunkType::Experiment:
        return readExperiment(textOf(chunk), data, records);
    case ChunkType::Environment:
        return readEnvironment(textOf(chunk), data, records);
    case ChunkType::Bookmarks:
        return readBookmarks(textOf(chunk), data, records);
    case ChunkType::Label:
        return readLabel(textOf(chunk), data, records);
    case ChunkType::Report:   // computed again from the records
    case ChunkType::RawCupti: // fixtures only: the decoded records are there
        return;
    }
}

// --- writing

nlohmann::json environmentJson(const std::optional<analysis::ToolEffect>& effect, const OtherRuns& others) {
    nlohmann::json json = nlohmann::json::object();
    if (effect) {
        json["tool_effect"] = {{"traced_ns", effect->traced},
                               {"untraced_ns", effect->untraced},
                               {"ratio", effect->ratio()},
                               {"runs", effect->runs}};
        if (!effect->measuredWith.empty())
            json["tool_effect"]["measured_with"] = effect->measuredWith;
    }
    if (!others.runs.empty())
        json["runs"] = runsToJson(others.runs);
    if (!others.times.empty())
        json["run_times"] = {{"traced_ns", others.times.traced}, {"untraced_ns", others.times.untraced}};
    if (others.interventions.controls)
        json["controls"] = controlsJson(*others.interventions.controls);
    for (const comparison::Proof& proof : others.interventions.proofs)
        json["proofs"].push_back(nlohmann::json(proofJson(proof)));
    return json;
}

void writeChunks(OutputFile& out, const Trace& trace, const experiment::Experiment* experiment,
                 const std::optional<analysis::ToolEffect>& toolEffect, std::string_view reportJson,
                 std::span<const Bookmark> bookmarks, const RunLabel& label, const OtherRuns& others,
                 const RunControl& control) {
    ContainerWriter file(out);
    if (experiment)
        file.append(ChunkType::Experiment, experiment::experimentToJson(*experiment));
    if (const nlohmann::json json = environmentJson(toolEffect, others); !json.empty())
        file.append(ChunkType::Environment,
                    json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    RecordWriter records(file, &control, trace.size());
    trace.replay(records);
    records.flush();
    if (!reportJson.empty())
        file.append(ChunkType::Report, reportJson);
    if (!bookmarks.empty()) // older programs report every file with this chunk
        file.append(ChunkType::Bookmarks, bookmarksToJson(bookmarks));
    if (!label.empty()) // the same
        file.append(ChunkType::Label, labelToJson(label));
    file.finish();
}

/// The version in its header, after eight bytes of magic.
std::string formatOf(std::span<const std::byte> head) {
    constexpr std::size_t kAt = 8;
    std::uint32_t version = 0;
    if (head.size() >= kAt + sizeof(version))
        std::memcpy(&version, head.data() + kAt, sizeof(version));
    const bool isSound = version > 0 && version <= kContainerVersion;
    return "Overlap Lab recording" + (isSound ? ", version " + std::to_string(version) : std::string());
}

} // namespace

RecordingData readOlab(Source& source, RecordSink& records, const RunControl& control) {
    RecordingData data;
    data.format = formatOf(source.head());
    std::vector<RefusedRecord> damage;
    RecordChunks recordChunks(records);
    const auto take = [&](Chunk&& chunk) {
        control.throwIfCancelled();
        takeChunk(std::move(chunk), data, records, recordChunks);
    };
    readContainer(source.file(), take, damage, control);
    recordChunks.finish();
    for (const RefusedRecord& record : damage)
        records.add(record);
    return data;
}

void writeOlab(const fs::path& path, const Trace& trace, const experiment::Experiment* experiment,
               const std::optional<analysis::ToolEffect>& toolEffect, std::string_view reportJson,
               std::span<const Bookmark> bookmarks, const RunLabel& label, const OtherRuns& others,
               const RunControl& control) {
    control.throwIfCancelled();
    OutputFile file(path);
    writeChunks(file, trace, experiment, toolEffect, reportJson, bookmarks, label, others, control);
    control.throwIfCancelled();
    file.commit();
}

} // namespace olab::io
