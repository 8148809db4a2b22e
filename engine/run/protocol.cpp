#include <olab/run/protocol.h>

#include <nlohmann/json.hpp>

#include <cmath>

namespace olab {
namespace {

using nlohmann::json;

[[noreturn]] void badProtocol(std::string_view line, const std::string& why) {
    constexpr std::size_t kShown = 200;
    throw Error(ErrorKind::Internal, "bad-protocol",
                "A line between the program and its engine process cannot be read (" + why +
                    "): " + std::string(line.substr(0, kShown)),
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
    // A driver's message may hold anything: a byte that is not UTF-8 must not lose the message.
    return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

json parseObject(std::string_view line) {
    json object = json::parse(line, nullptr, false);
    if (!object.is_object())
        badProtocol(line, "not a JSON object");
    return object;
}

Fault faultOf(const std::string& name, std::string_view line) {
    if (const std::optional<Fault> fault = faultNamed(name))
        return *fault;
    badProtocol(line, "unknown fault");
}

EventLine fieldsOf(const json& object, std::string_view line) {
    EventLine event;
    event.kind = kindOf(object.at("event").get<std::string>(), line);
    event.job = object.value("job", std::uint64_t{0});
    event.share = object.value("share", 0.0);
    event.what = object.value("what", "");
    event.file = object.value("file", "");
    event.errorKind = object.value("kind", 0);
    event.code = object.value("code", "");
    event.message = object.value("message", "");
    event.hint = object.value("hint", "");
    return event;
}

} // namespace

std::string toLine(const JobLine& job) {
    if (job.prepare)
        return dumpLine({{"prepare", json::parse(experimentToJson(job.experiment))}});
    json object{{"job", job.job},          {"experiment", json::parse(experimentToJson(job.experiment))},
                {"out", job.out.string()}, {"solos", job.solos},
                {"loops", job.loops},      {"limit_s", job.limit.count()}};
    if (job.fault != Fault::None)
        object["fault"] = faultName(job.fault);
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
            job.experiment = experimentFromJson(object.at("prepare").dump());
            return job;
        }
        job.job = object.at("job").get<std::uint64_t>();
        job.experiment = experimentFromJson(object.at("experiment").dump());
        job.out = object.at("out").get<std::string>();
        job.solos = object.value("solos", true);
        job.loops = object.value("loops", std::int64_t{0});
        job.limit = std::chrono::seconds(object.value("limit_s", std::int64_t{0}));
        job.fault = faultOf(object.value("fault", ""), line);
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

} // namespace olab
