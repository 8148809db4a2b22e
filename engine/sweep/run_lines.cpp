#include "run_lines.h"

#include "numbers_json.h"

#include <olab/trace/error.h>
#include <olab/trace/json_limits.h>

namespace olab::sweep {
namespace {

constexpr std::string_view kFormat = "olab-sweep-folder";
constexpr int kVersion = 1, kMostRepeats = 1'000'000;
constexpr Ns kMostRunTime = Ns{1} << 60;

std::string word(const Json& json, const char* key) {
    return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
}

bool isSet(const Json& json, const char* key) {
    return json.contains(key) && json[key].is_boolean() && json[key].get<bool>();
}

std::int64_t count(const Json& json, const char* key) {
    return json.contains(key) ? wholeNumber(json[key], 0, kMostRunTime).value_or(0) : 0;
}

[[noreturn]] void refuseFolder(const std::string& where, const std::string& why) {
    throw Error(ErrorKind::Usage, "not-a-sweep", where + " does not describe a sweep: " + why,
                "Name the folder of a sweep, or an empty one.");
}

} // namespace

std::string runLineText(const RunLine& line) {
    Json json{{"cell", line.cell}};
    if (!line.failed.empty()) {
        json["failed"] = line.failed;
        return lineOf(json);
    }
    json.update({{"traced", line.traced},
                 {"counts", line.counts},
                 {"simulated", line.simulated},
                 {"time_ns", line.time},
                 {"loops", line.loops}});
    if (line.numbers)
        json["numbers"] = numbersJson(*line.numbers);
    if (!line.file.empty())
        json["file"] = line.file;
    if (!line.trouble.empty())
        json["trouble"] = line.trouble;
    return lineOf(json);
}

std::optional<RunLine> runLineFrom(std::string_view text) {
    std::string why;
    const auto json = parsedJson<Json>(text, why);
    if (!json || !json->is_object() || word(*json, "cell").empty())
        return std::nullopt;
    RunLine line;
    line.cell = word(*json, "cell");
    line.failed = word(*json, "failed");
    if (!line.failed.empty())
        return line;
    line.time = count(*json, "time_ns");
    if (line.time == 0)
        return std::nullopt;
    line.traced = isSet(*json, "traced");
    line.counts = isSet(*json, "counts");
    line.simulated = isSet(*json, "simulated");
    line.loops = count(*json, "loops");
    if (json->contains("numbers"))
        line.numbers = numbersFrom((*json)["numbers"]);
    line.file = word(*json, "file");
    line.trouble = word(*json, "trouble");
    return line;
}

std::vector<RunLine> runLinesFrom(std::string_view text, std::size_t& whole) {
    std::vector<RunLine> lines;
    whole = 0;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', whole)) {
        if (auto line = runLineFrom(text.substr(whole, end - whole)))
            lines.push_back(std::move(*line));
        whole = end + 1;
    }
    return lines;
}

std::string gridText(const StoredGrid& stored) {
    Json axes = Json::array();
    for (const Axis& axis : stored.grid.axes)
        axes.push_back(axis.text());
    const Json json{{"format", kFormat},
                    {"version", kVersion},
                    {"title", stored.grid.title},
                    {"vary", axes},
                    {"keep_iterations", !stored.grid.keepsPasses},
                    {"repeat", stored.repeats},
                    {"machine", stored.machine},
                    {"experiment", Json::parse(experiment::experimentToJson(stored.grid.base))}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

StoredGrid gridFrom(const std::string& text, const std::string& where) {
    std::string why;
    const auto json = parsedJson<Json>(text, why);
    if (!json || !json->is_object() || word(*json, "format") != kFormat)
        refuseFolder(where, why.empty() ? "it is another file." : why + ".");
    if (count(*json, "version") != kVersion)
        refuseFolder(where, "it is of another version of the program.");
    if (!json->contains("experiment") || !json->contains("vary") || !(*json)["vary"].is_array())
        refuseFolder(where, "it has no experiment, or nothing is varied.");
    StoredGrid stored;
    stored.grid.title = word(*json, "title");
    stored.grid.base = experiment::experimentFromJson((*json)["experiment"].dump());
    stored.grid.keepsPasses = !isSet(*json, "keep_iterations");
    stored.repeats = static_cast<int>(std::clamp<std::int64_t>(count(*json, "repeat"), 1, kMostRepeats));
    stored.machine = word(*json, "machine");
    for (const Json& axis : (*json)["vary"])
        stored.grid.axes.push_back(axisFrom(axis.is_string() ? axis.get<std::string>() : ""));
    checkGrid(stored.grid);
    return stored;
}

} // namespace olab::sweep
