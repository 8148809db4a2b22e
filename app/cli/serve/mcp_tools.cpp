#include "mcp_tools.h"

#include "mcp_answers.h"

#include <algorithm>
#include <string_view>

namespace olab::cli {
namespace {

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
