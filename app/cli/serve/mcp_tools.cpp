#include "mcp_tools.h"

#include "paged_json.h"

#include <olab/intervention/intervention.h>
#include <olab/io/comparison_report.h>
#include <olab/survey/survey.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace olab::cli {
namespace {

// The answers of the tools: of arguments that fit the schema of each (mcp_tools.cpp).

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

// Each throws Error where a file cannot be read or has no such part.
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

/// How many of each there are, for somebody who reads only the text.
std::string caveatText(const Json& content) {
    std::string text;
    for (const Json& defect : content["defects"])
        text += "\nDefect (" + defect.value("severity", "") + "): " + defect.value("text", "");
    for (const Json& reason : content["inconclusive"])
        text += "\nInconclusive: " + reason.get<std::string>();
    for (const Json& rule : content["abstained"])
        text += "\nNot judged, " + rule.value("rule", "") + ": " + rule.value("lacks", "");
    return text;
}

Json textSchema(const char* says) {
    return {{"type", "string"}, {"description", says}};
}
Json numberSchema(const char* says, int least) {
    return {{"type", "integer"}, {"minimum", least}, {"description", says}};
}
Json listSchema(const char* says) {
    return {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}, {"description", says}};
}
Json schemaOfObject(Json properties, Json required) {
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", std::move(required)},
            {"additionalProperties", false}};
}

Json fileSchema() {
    return textSchema("path of a recording or trace: .olab, Nsight Systems, torch.profiler, Chrome trace");
}
Json topSchema() {
    return numberSchema("at most so many elements of each list; 10 if not given", 1);
}
Json skipSchema() {
    return numberSchema("without the first so many elements of the list: the next page", 0);
}
Json steadySchema() {
    return {
        {"type", "boolean"},
        {"description", "also of recordings of more than 200000 operations make the account; takes minutes"}};
}

Json reportSchema() {
    return schemaOfObject(
        {{"file", fileSchema()},
         {"select",
          textSchema("JSON pointer of a part: /verdicts, /findings/0, /bounds/efficiency; all if not given")},
         {"skip", skipSchema()},
         {"top", topSchema()},
         {"steady", steadySchema()}},
        {"file"});
}
Json accountSchema() {
    return schemaOfObject({{"file", fileSchema()}, {"top", topSchema()}, {"steady", steadySchema()}},
                          {"file"});
}
Json waitsSchema() {
    return schemaOfObject({{"file", fileSchema()},
                           {"from", textSchema("350us, 2ms: counted from the first device work")},
                           {"to", textSchema("the end of the range")},
                           {"cause", textSchema("only waits of the cause with this id")},
                           {"skip", skipSchema()},
                           {"top", topSchema()},
                           {"steady", steadySchema()}},
                          {"file"});
}
Json compareSchema() {
    return schemaOfObject(
        {{"before",
          listSchema("paths of recordings of one side; five or more of each tell a difference from chance")},
         {"after", listSchema("paths of recordings of the other side")},
         {"select", textSchema("JSON pointer of a part of the comparison: /slowdown, /account")},
         {"skip", skipSchema()},
         {"top", topSchema()}},
        {"before", "after"});
}
Json recordingsSchema() {
    return schemaOfObject({{"folder", textSchema("path of a folder to look in")},
                           {"top", numberSchema("at most so many; 200 if not given", 1)}},
                          Json::array());
}

struct Tool {
    std::string_view name, title, says;
    Json (*schema)();
    ToolAnswer (*call)(const Asked&, RecordingCache&);
};
constexpr Tool kTools[] = {
    {"recordings", "Recordings of a folder",
     "Lists the recordings and traces of a folder, and those that are open.", recordingsSchema,
     recordingsAnswer},
    {"report", "Report of a recording",
     "What overlapped in a recording of CUDA work, what did not, and why: verdicts, bounds, findings, or any "
     "part of the report. Times are ns.",
     reportSchema, reportAnswer},
    {"account", "Account: what costs time",
     "Where the time of a run went: measured = ideal + causes + unexplained, to the nanosecond.",
     accountSchema, accountAnswer},
    {"waits", "Waits of a range",
     "Which operations waited in a range of time, how long, for what, by which cause; the longest first.",
     waitsSchema, waitsAnswer},
    {"compare", "Comparison of recordings",
     "Two recordings, or several of each side, held against each other: slower or faster, beyond chance or "
     "not, by which causes.",
     compareSchema, compareAnswer},
};

const Tool* toolNamed(const std::string& name) {
    const auto found = std::ranges::find(kTools, name, &Tool::name);
    return found == std::ranges::end(kTools) ? nullptr : &*found;
}

/// What every answer has.
Json answerSchema() {
    const Json list{{"type", "array"}};
    return {{"type", "object"},
            {"properties", {{"defects", list}, {"abstained", list}, {"inconclusive", list}}},
            {"required", {"defects", "abstained", "inconclusive"}}};
}

bool fits(const Asked& value, const Json& schema) {
    const std::string type = schema["type"];
    if (type == "string")
        return value.is_string();
    if (type == "boolean")
        return value.is_boolean();
    if (type == "integer")
        return value.is_number_integer() && Json(value) >= schema["minimum"];
    return value.is_array() && !value.empty() && std::ranges::all_of(value, &Asked::is_string);
}

} // namespace

Json toolList() {
    Json list = Json::array();
    for (const Tool& tool : kTools)
        list.push_back({{"name", tool.name},
                        {"title", tool.title},
                        {"description", tool.says},
                        {"inputSchema", tool.schema()},
                        {"outputSchema", answerSchema()},
                        {"annotations", {{"readOnlyHint", true}, {"openWorldHint", false}}}});
    return list;
}

bool isTool(const std::string& name) {
    return toolNamed(name) != nullptr;
}

std::string wrongArguments(const std::string& name, const Asked& arguments) {
    const Json schema = toolNamed(name)->schema();
    if (!arguments.is_object())
        return "The arguments are no object.";
    for (const Json& required : schema["required"])
        if (!arguments.contains(required.get<std::string>()))
            return "The argument '" + required.get<std::string>() + "' is missing.";
    for (const auto& [key, value] : arguments.items())
        if (!schema["properties"].contains(key))
            return "There is no argument '" + key + "'.";
        else if (!fits(value, schema["properties"][key]))
            return "The argument '" + key + "' must be " + writtenJson(schema["properties"][key]) + ".";
    return {};
}

ToolAnswer callTool(const std::string& name, const Asked& arguments, RecordingCache& cache) {
    ToolAnswer answer = toolNamed(name)->call(arguments, cache);
    answer.text += caveatText(answer.content);
    return answer;
}

} // namespace olab::cli
