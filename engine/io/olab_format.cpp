#include "olab_format.h"

#include <olab/trace/container.h>
#include <olab/trace/json_limits.h>
#include <olab/trace/text_limits.h>

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace olab {
namespace {

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
        data.experiment = experimentFromJson(text);
    } catch (const std::exception& e) {
        records.add(badChunk(std::string("experiment: ") + e.what()));
    }
}

constexpr Ns kLongestRun = Ns{1} << 61;
constexpr std::int64_t kMostRuns = 1'000'000;
constexpr double kMostRatio = 1e9;

std::int64_t numberIn(const nlohmann::json& json, const char* key, std::int64_t max) {
    const auto number = wholeNumber(json.at(key), 0, max);
    return number ? *number : throw std::invalid_argument(std::string(key) + " is no number that can be");
}

/// 0 where there is none.
double ratioIn(const nlohmann::json& json) {
    const auto ratio = realNumber(json.value("ratio", nlohmann::json(0)), 0, kMostRatio);
    return ratio ? *ratio : throw std::invalid_argument("ratio is no number that can be");
}

void readEnvironment(std::string_view text, RecordingData& data, RecordSink& records) {
    std::string why;
    const auto json = parsedJson<nlohmann::json>(text, why);
    if (!json)
        return records.add(badChunk("environment: " + why));
    try {
        if (!json->contains("tool_effect"))
            return;
        const auto& effect = json->at("tool_effect");
        data.toolEffect = ToolEffect{numberIn(effect, "traced_ns", kLongestRun),
                                     numberIn(effect, "untraced_ns", kLongestRun),
                                     static_cast<int>(numberIn(effect, "runs", kMostRuns)), ratioIn(effect),
                                     std::string(cutText(effect.value("measured_with", ""), kMaxFactBytes))};
    } catch (const std::exception& e) {
        records.add(badChunk(std::string("environment: ") + e.what()));
    }
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

/// The last one counts: there is one, unless files were put together.
void readLabel(std::string_view text, RecordingData& data, RecordSink& records) {
    std::string refused;
    data.label = labelFromJson(text, refused, data.labelPartly);
    if (!refused.empty())
        records.add(badChunk("label: " + refused));
}

void takeChunk(const Chunk& chunk, RecordingData& data, RecordSink& records) {
    switch (chunk.type) {
    case ChunkType::Records:
        return readRecords(chunk.payload, records);
    case ChunkType::Experiment:
        return readExperiment(textOf(chunk), data, records);
    case ChunkType::Environment:
        return readEnvironment(textOf(chunk), data, records);
    case ChunkType::Bookmarks:
        return readBookmarks(textOf(chunk), data, records);
    case ChunkType::Label:
        return readLabel(textOf(chunk), data, records);
    case ChunkType::Report:   // made again from the records
    case ChunkType::RawCupti: // fixtures only: the records are there decoded
        return;
    }
}

// --- writing

void writeChunks(OutputFile& out, const Trace& trace, const Experiment* experiment,
                 const std::optional<ToolEffect>& toolEffect, std::string_view reportJson,
                 std::span<const Bookmark> bookmarks, const RunLabel& label, const RunControl& control) {
    ContainerWriter file(out);
    if (experiment)
        file.append(ChunkType::Experiment, experimentToJson(*experiment));
    if (toolEffect) {
        nlohmann::json json{{"tool_effect",
                             {{"traced_ns", toolEffect->traced},
                              {"untraced_ns", toolEffect->untraced},
                              {"ratio", toolEffect->ratio()},
                              {"runs", toolEffect->runs}}}};
        if (!toolEffect->measuredWith.empty())
            json["tool_effect"]["measured_with"] = toolEffect->measuredWith;
        file.append(ChunkType::Environment, json.dump());
    }
    RecordWriter records(file, &control, trace.size());
    trace.replay(records);
    records.flush();
    if (!reportJson.empty())
        file.append(ChunkType::Report, reportJson);
    if (!bookmarks.empty()) // programs that do not know them yet say so about every file that has the chunk
        file.append(ChunkType::Bookmarks, bookmarksToJson(bookmarks));
    if (!label.empty()) // the same
        file.append(ChunkType::Label, labelToJson(label));
    file.finish();
}

} // namespace

RecordingData readOlab(Source& source, RecordSink& records, const RunControl& control) {
    RecordingData data;
    std::vector<RefusedRecord> damage;
    const auto take = [&](Chunk&& chunk) {
        control.throwIfCancelled();
        takeChunk(chunk, data, records);
    };
    readContainer(source.file(), take, damage, control);
    for (const RefusedRecord& record : damage)
        records.add(record);
    return data;
}

void writeOlab(const fs::path& path, const Trace& trace, const Experiment* experiment,
               const std::optional<ToolEffect>& toolEffect, std::string_view reportJson,
               std::span<const Bookmark> bookmarks, const RunLabel& label, const RunControl& control) {
    control.throwIfCancelled();
    OutputFile file(path);
    writeChunks(file, trace, experiment, toolEffect, reportJson, bookmarks, label, control);
    control.throwIfCancelled();
    file.commit();
}

} // namespace olab
