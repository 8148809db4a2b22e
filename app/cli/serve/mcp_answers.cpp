#include "mcp_answers.h"

#include "waits_json.h"

#include <olab/intervention/intervention.h>
#include <olab/io/comparison_report.h>
#include <olab/survey/survey.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace olab::cli {
namespace {

constexpr std::size_t kUsualTop = 10, kMostFiles = 200;

std::size_t topOf(const Asked& arguments, std::size_t usual = kUsualTop) {
    return arguments.value("top", usual);
}

PageWish pageWish(const Asked& arguments) {
    return {arguments.value("select", ""), arguments.value("skip", std::size_t{0}), topOf(arguments)};
}

recording::RecordingPtr opened(const Asked& arguments, RecordingCache& cache) {
    return cache.open(arguments.at("file").get<std::string>(), arguments.value("steady", false));
}

Json reportOf(const recording::Recording& recording) {
    return Json::parse(documentOf(recording, recording.file).text());
}

std::string headlineOf(const Json& report) {
    const Json& source = report["source"];
    const std::string headline =
        report["headline"].is_string() ? report["headline"].get<std::string>() : "No headline.";
    return source.value("kind", "unknown") + ": " + headline;
}

TimeSlice sliceIn(const Asked& arguments) {
    TimeSlice slice;
    if (arguments.contains("from"))
        slice.begin = timeFromText(arguments["from"].get<std::string>());
    if (arguments.contains("to"))
        slice.end = timeFromText(arguments["to"].get<std::string>());
    if (slice.begin >= slice.end)
        throw Error(ErrorKind::Usage, "bad-time", "'from' must lie before 'to'.", "Exchange the two times.");
    return slice;
}

struct ComparedSide {
    std::vector<recording::RecordingPtr> recordings;
    std::vector<comparison::ComparedRun> runs;
    ComparedSide(const Asked& files, RecordingCache& cache) {
        for (const Asked& file : files)
            recordings.push_back(cache.open(file.get<std::string>(), false));
        for (const recording::RecordingPtr& recording : recordings)
            runs.push_back(intervention::comparedRun(*recording));
    }
};

survey::FoundFiles filesOfFolder(const std::filesystem::path& folder, const RunControl& control) {
    std::error_code problem;
    if (!std::filesystem::is_directory(folder, problem))
        throw Error(ErrorKind::Usage, "cannot-read", folder.string() + " is no folder.",
                    "Check that it exists and that you may read it.");
    return survey::filesIn(std::span(&folder, 1), control);
}

/// Of each file, behind its name.
void addCaveats(Json& content, const ComparedSide& side) {
    for (const recording::RecordingPtr& recording : side.recordings) {
        const Json caveats = caveatsOf(reportOf(*recording));
        for (const char* const name : {"defects", "abstained"})
            for (Json row : caveats[name]) {
                row["file"] = recording->file.string();
                content[name].push_back(std::move(row));
            }
        for (const Json& reason : caveats["inconclusive"])
            content["inconclusive"].push_back(recording->file.filename().string() + ": " +
                                              reason.get<std::string>());
    }
}

} // namespace

ToolAnswer reportAnswer(const Asked& arguments, RecordingCache& cache) {
    const recording::RecordingPtr recording = opened(arguments, cache);
    const Json report = reportOf(*recording);
    Json content{{"file", recording->file.string()}, {"source", report["source"]}};
    content.update(pageOf(report, pageWish(arguments)));
    content.update(caveatsOf(report));
    return {content, headlineOf(report)};
}

ToolAnswer accountAnswer(const Asked& arguments, RecordingCache& cache) {
    const recording::RecordingPtr recording = opened(arguments, cache);
    const Json report = reportOf(*recording);
    Json account = Json::object();
    for (const char* const name : {"headline", "bounds", "ledger", "ledger_missing", "tool_effect"})
        if (report.contains(name))
            account[name] = report[name];
    const Json page = pageOf(account, {"", 0, topOf(arguments)});
    Json content{{"file", recording->file.string()}, {"source", report["source"]}};
    content.update(page["value"]);
    content["left_out"] = page["left_out"];
    content.update(caveatsOf(report));
    return {content, headlineOf(report)};
}

ToolAnswer waitsAnswer(const Asked& arguments, RecordingCache& cache) {
    const recording::RecordingPtr recording = opened(arguments, cache);
    Json content = waitsOf(*recording, {sliceIn(arguments), arguments.value("skip", std::size_t{0}),
                                        topOf(arguments), arguments.value("cause", ""), true});
    content["file"] = recording->file.string();
    std::string text = std::to_string(content["total"].get<std::size_t>()) + " waits.";
    for (const Json& sum : content["causes"])
        text += " " + sum.value("cause", "") + ": " + std::to_string(sum.value("count", 0)) + ", " +
                analysis::timeText(sum.value("wait_ns", Ns{0})) + ".";
    return {content, text};
}

ToolAnswer compareAnswer(const Asked& arguments, RecordingCache& cache) {
    const ComparedSide before(arguments.at("before"), cache), after(arguments.at("after"), cache);
    const comparison::SidesCompared found = comparison::compareSides(before.runs, after.runs);
    const Json document = Json::parse(io::comparisonToJson(found, before.runs, after.runs));
    Json content = pageOf(document, pageWish(arguments));
    for (const char* const name : {"defects", "abstained", "inconclusive"})
        content[name] = Json::array();
    for (const std::string& reason :
         {found.comparison.obstacle, found.comparison.unjudged, found.comparison.caution})
        if (!reason.empty())
            content["inconclusive"].push_back(reason);
    addCaveats(content, before);
    addCaveats(content, after);
    return {content, found.comparison.headline};
}

ToolAnswer recordingsAnswer(const Asked& arguments, RecordingCache& cache) {
    Json content{{"recordings", Json::array()}, {"left_out", 0}, {"opened", Json::array()}};
    bool stopped = false;
    if (arguments.contains("folder")) {
        const std::filesystem::path folder = arguments["folder"].get<std::string>();
        const survey::FoundFiles found = filesOfFolder(folder, cache.control());
        const std::size_t top = std::min(topOf(arguments, kMostFiles), found.files.size());
        for (std::size_t i = 0; i < top; ++i)
            content["recordings"].push_back({{"file", found.files[i].string()},
                                             {"bytes", recording::FileStamp::of(found.files[i]).size}});
        content["left_out"] = found.files.size() - top;
        stopped = found.stopped;
    }
    for (const auto& file : cache.files())
        content["opened"].push_back(file.string());
    for (const char* const name : {"defects", "abstained"})
        content[name] = Json::array();
    content["inconclusive"] =
        Json::array({"Recordings are listed here, not judged: the answer of report has their defects."});
    if (stopped)
        content["inconclusive"].push_back("The folder has more files than were looked at.");
    return {content, std::to_string(content["recordings"].size()) + " recordings."};
}

} // namespace olab::cli
