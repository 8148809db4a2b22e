#include <olab/experiment/held_experiment.h>
#include <olab/run/protocol.h>
#include <olab/trace/limits.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace olab::run {
namespace {

using nlohmann::json;

[[noreturn]] void badProtocol(std::string_view line, const std::string& why) {
    constexpr std::size_t kShownOfLine = 200;
    throw Error(ErrorKind::Internal, "bad-protocol",
                "A line between the program and its engine process cannot be read (" + why +
                    "): " + std::string(line.substr(0, kShownOfLine)),
                "Both must be of the same version: reinstall Overlap Lab.");
}

struct EventName {
    EventLine::Kind kind;
    std::string_view name;
};
constexpr EventName kEventNames[] = {{EventLine::Kind::Ready, "ready"},
                                     {EventLine::Kind::Started, "started"},
                                     {EventLine::Kind::Progress, "progress"},
                                     {EventLine::Kind::Finished, "finished"},
                                     {EventLine::Kind::Failed, "failed"}};

std::string_view nameOf(EventLine::Kind kind) {
    for (const EventName& row : kEventNames)
        if (row.kind == kind)
            return row.name;
    return "failed";
}

EventLine::Kind kindOf(const std::string& name, std::string_view line) {
    for (const EventName& row : kEventNames)
        if (row.name == name)
            return row.kind;
    badProtocol(line, "unknown event");
}

std::string dumpLine(const json& object) {
    // A driver's message may contain anything: an invalid UTF-8 byte must not lose the message.
    return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

json parseObject(std::string_view line) {
    std::string why;
    auto object = parsedJson<json>(line, why, {.bytes = std::size_t{8} << 20}); // with recorded work
    if (!object || !object->is_object())
        badProtocol(line, why.empty() ? "not a JSON object" : why);
    return *std::move(object);
}

constexpr std::int64_t kMostNumber = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostSeconds = 366 * 24 * 3600; // a limit of a year is no limit

/// 0 if there is none.
std::int64_t numberIn(const json& object, const char* key, std::int64_t max, std::string_view line) {
    const auto found = object.find(key);
    if (found == object.end())
        return 0;
    const auto number = wholeNumber(*found, 0, max);
    return number ? *number : (badProtocol(line, std::string(key) + " is out of range"), 0);
}

/// Any 64-bit number, unlike wholeNumber(). 0 if there is none.
std::uint64_t jobIn(const json& object, std::string_view line) {
    const auto found = object.find("job");
    if (found != object.end() && !found->is_number_unsigned())
        badProtocol(line, "job is out of range");
    return found == object.end() ? 0 : found->get<std::uint64_t>();
}

experiment::Fault faultOf(const std::string& name, std::string_view line) {
    if (const std::optional<experiment::Fault> fault = experiment::faultNamed(name))
        return *fault;
    badProtocol(line, "unknown fault");
}

EventLine fieldsOf(const json& object, std::string_view line) {
    EventLine event;
    event.kind = kindOf(object.at("event").get<std::string>(), line);
    event.job = jobIn(object, line);
    event.share = realNumber(object.value("share", json(0)), -1, 1).value_or(-1);
    event.what = object.value("what", "");
    event.file = object.value("file", "");
    event.errorKind = static_cast<int>(numberIn(object, "kind", 255, line));
    event.code = object.value("code", "");
    event.message = object.value("message", "");
    event.hint = object.value("hint", "");
    return event;
}

} // namespace

std::string toLine(const JobLine& job) {
    if (job.prepare)
        return dumpLine({{"prepare", json::parse(experiment::experimentToJson(job.experiment))}});
    json object{
        {"job", job.job},          {"experiment", json::parse(experiment::experimentToJson(job.experiment))},
        {"out", job.out.string()}, {"solos", job.solos},
        {"loops", job.loops},      {"limit_s", job.limit.count()}};
    if (job.fault != experiment::Fault::None)
        object["fault"] = experiment::faultName(job.fault);
    if (!job.probe.empty())
        object["probe"] = job.probe;
    if (job.keep)
        object["keep"] = true;
    return dumpLine(object);
}

std::string toLine(const EventLine& event) {
    json object{{"event", nameOf(event.kind)}};
    if (event.kind != EventLine::Kind::Ready)
        object["job"] = event.job;
    if (event.kind == EventLine::Kind::Progress)
        object["share"] = std::isfinite(event.share) ? event.share : -1.0;
    if (event.kind == EventLine::Kind::Progress || !event.what.empty())
        object["what"] = event.what;
    if (event.kind == EventLine::Kind::Finished)
        object["file"] = event.file.string();
    if (event.kind == EventLine::Kind::Failed) {
        object["kind"] = event.errorKind;
        object["code"] = event.code;
        object["message"] = event.message;
        object["hint"] = event.hint;
    }
    return dumpLine(object);
}

JobLine jobFromLine(std::string_view line) {
    const json object = parseObject(line);
    try {
        JobLine job;
        if (object.contains("prepare")) {
            job.prepare = true;
            job.experiment = experiment::experimentFromJson(object.at("prepare").dump());
            return job;
        }
        object.at("job"); // must be there
        job.job = jobIn(object, line);
        job.experiment = experiment::experimentFromJson(object.at("experiment").dump());
        job.out = object.at("out").get<std::string>();
        job.solos = object.value("solos", true);
        job.loops = numberIn(object, "loops", kMostNumber, line);
        job.limit = std::chrono::seconds(numberIn(object, "limit_s", kMostSeconds, line));
        job.fault = faultOf(object.value("fault", ""), line);
        job.probe = object.value("probe", "");
        job.keep = object.value("keep", false);
        return job;
    } catch (const json::exception& e) {
        badProtocol(line, e.what());
    }
}

EventLine eventFromLine(std::string_view line) {
    const json object = parseObject(line);
    try {
        return fieldsOf(object, line);
    } catch (const json::exception& e) {
        badProtocol(line, e.what());
    }
}

} // namespace olab::run
