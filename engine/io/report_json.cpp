#include "report_parts.h"

#include "proof_json.h"

#include <olab/analysis/race.h>
#include <olab/experiment/held_experiment.h>
#include <olab/experiment/recorded_work.h>
#include <olab/trace/limits.h>

namespace olab::io {
namespace {

using Json = nlohmann::ordered_json;

std::string pairKey(std::string_view a, std::string_view b) {
    return std::string(a) + "&" + std::string(b);
}

Json sourceJson(const ReportContext& context) {
    const ProvenanceRecord& p = context.trace.provenance();
    return {{"kind", originKnown(context.trace) ? sourceKindName(p.source) : "unknown"},
            {"live", context.live},
            {"recorded_at", p.recordedAt},
            {"file", context.file},
            {"tool", p.tool},
            {"tool_version", p.toolVersion}};
}

Json environmentJson(const Trace& trace) {
    Json json{{"device", ""},  {"device_uuid", ""}, {"driver", ""},
              {"runtime", ""}, {"cupti", ""},       {"platform", ""}};
    if (!trace.devices().empty()) {
        json["device"] = trace.devices().front().name;
        json["device_uuid"] = trace.devices().front().uuid;
    }
    for (const auto& [key, value] : trace.environment())
        if (!key.starts_with("simulator.")) // has its own member
            json[key] = value;
    return json;
}

/// How far to trust a simulated run, as stated by the simulator; null for measured runs and for older
/// simulated ones.
Json simulatorJson(const Trace& trace) {
    const auto found = trace.environment().find("simulator.report");
    if (trace.provenance().source != SourceKind::Simulated || found == trace.environment().end())
        return {};
    std::string ignored;
    const auto said = parsedJson<Json>(found->second, ignored, {.bytes = kMaxTextBytes, .depth = 8});
    if (!said || !said->is_object())
        return {}; // a damaged file must not make an unreadable report
    Json known = Json::object();
    for (const char* key : {"model", "checked", "for_this_run"})
        if (const auto member = said->find(key); member != said->end())
            known[key] = *member;
    return known;
}

/// Adds a member with a new key: a lookup would be a linear search, and a file may have any number of them.
void append(Json& object, const std::string& key, Json value) {
    object.get_ref<Json::object_t&>().push_back({key, std::move(value)});
}

Json experimentJson(const experiment::Experiment* experiment) {
    Json json = experiment ? Json::parse(experiment::experimentToJson(*experiment)) : Json();
    if (const experiment::RecordedWork* work =
            experiment ? experiment::recordedWorkOf(*experiment)
                       : nullptr) // a summary, not each of its thousands of operations
        json["recorded"] = {{"work", experiment::recordedWorkText(*work)}, {"assumed", work->assumed}};
    return json;
}

Json classJson(const analysis::ClassNumbers& n) {
    return {{"count", n.count},
            {"busy_ns", n.busy},
            {"sum_ns", n.sum},
            {"concurrent_ns", n.concurrent},
            {"zero_duration", n.zeroDuration},
            {"bytes", n.bytes},
            {"streams", n.streams}};
}

Json derivedJson(const analysis::DerivedNumbers& d) {
    return {{"copy_busy_ns", d.copyBusy},
            {"kernel&copy", d.kernelAndCopy},
            {"copy_hd_busy_ns", d.copyHdBusy},
            {"kernel&copy_hd", d.kernelAndCopyHd},
            {"copy_hd_excl_uvm_busy_ns", d.copyHdExclUvmBusy},
            {"kernel&copy_hd_excl_uvm", d.kernelAndCopyHdExclUvm},
            {"uvm_count", d.uvmCount},
            {"uvm_busy_ns", d.uvmBusy}};
}

Json engineJson(const analysis::EngineNumbers& e) {
    Json byClass = Json::object();
    for (const auto& [cls, busy] : e.byClass)
        byClass[std::string(className(cls))] = busy;
    return {{"count", e.count},
            {"busy_ns", e.busy},
            {"concurrent_ns", e.concurrent},
            {"channels", e.channels},
            {"by_class", byClass}};
}

Json deviceJson(const analysis::DeviceReport& d) {
    Json json{{"name", d.name},    {"first_ns", d.first}, {"last_ns", d.last},
              {"span_ns", d.span}, {"idle_ns", d.idle},   {"busy_any_ns", d.busyAny}};
    Json &classes = json["classes"] = Json::object(), &pairs = json["pairs"] = Json::object();
    for (const auto& [cls, numbers] : d.classes)
        classes[std::string(className(cls))] = classJson(numbers);
    for (const auto& [pair, overlap] : d.pairs)
        pairs[pairKey(className(pair.first), className(pair.second))] = overlap;
    json["derived"] = derivedJson(d.derived);
    Json &engines = json["engines"] = Json::object(), &enginePairs = json["engine_pairs"] = Json::object();
    for (const auto& [kind, numbers] : d.engines)
        engines[std::string(engineName(kind))] = engineJson(numbers);
    for (const auto& [pair, overlap] : d.enginePairs)
        enginePairs[pairKey(engineName(pair.first), engineName(pair.second))] = overlap;
    return json;
}

Json devicesJson(std::span<const analysis::DeviceReport> devices) {
    Json json = Json::object();
    for (const analysis::DeviceReport& device : devices)
        json[device.id] = deviceJson(device);
    return json;
}

/// If nothing was recorded of a run, the host's activity is unknown.
Json hostJson(const analysis::HostNumbers& host, const Trace& trace) {
    if (trace.empty())
        return {};
    Json api = Json::object();
    for (const auto& [name, n] : host.api)
        append(api, name, {{"count", n.count}, {"median_ns", n.median}, {"max_ns", n.max}});
    return {{"host_fn", {{"count", host.hostFnCount}, {"busy_ns", host.hostFnBusy}}}, {"api", api}};
}

/// A value that was not computed is null: 0 would be mistaken for a measurement, by people and by --assert.
template <typename Value>
Json numberOr(bool known, Value value) {
    return known ? Json(value) : Json();
}
template <typename Value>
Json numberOf(const std::optional<Value>& value) {
    return value ? Json(*value) : Json();
}

Json verdictJson(const analysis::Verdict& v) {
    return {{"device", v.device},
            {"a", className(v.a)},
            {"b", className(v.b)},
            {"verdict", analysis::verdictName(v.kind)},
            {"overlap_ns", numberOr(v.known, v.overlap)},
            {"of_attainable", numberOr(v.known, v.ofAttainable)},
            {"of_a", numberOr(v.known, v.ofA)},
            {"of_b", numberOr(v.known, v.ofB)},
            {"blocked_ns", numberOr(v.blockedKnown, v.blocked)},
            {"blocked_a_ns", numberOr(v.blockedKnown, v.blockedA)},
            {"blocked_b_ns", numberOr(v.blockedKnown, v.blockedB)},
            {"stretched_a_ns", numberOr(v.blockedKnown, v.stretchedA)},
            {"stretched_b_ns", numberOr(v.blockedKnown, v.stretchedB)},
            {"slowed_a", numberOr(v.blockedKnown, v.slowedA)},
            {"slowed_b", numberOr(v.blockedKnown, v.slowedB)},
            {"of_run", numberOr(v.known, v.ofRun)},
            {"minor", v.minor()},
            {"text", v.text}};
}

Json boundsJson(const analysis::Bounds& b) {
    return {{"serial_ns", numberOf(b.serial)},
            {"one_copy_engine_ns", numberOf(b.oneCopyEngine)},
            {"two_copy_engines_ns", numberOf(b.twoCopyEngines)},
            {"critical_path_ns", numberOf(b.criticalPath)},
            {"measured_ns", numberOf(b.measured)},
            {"ideal_ns", numberOf(b.ideal)},
            {"ideal_from", numberOr(b.ideal.has_value(), b.idealIsEstimate ? "estimate" : "account")},
            {"efficiency", numberOf(b.efficiency)},
            {"limiting", b.limiting},
            {"gains_little", b.gainsLittle},
            {"from_solo_runs", b.fromSolos}};
}

Json toolEffectJson(const std::optional<analysis::ToolEffect>& effect) {
    if (!effect)
        return {};
    Json json{{"traced_ns", numberOr(effect->traced > 0, effect->traced)},
              {"untraced_ns", numberOr(effect->untraced > 0, effect->untraced)},
              {"ratio", numberOr(effect->ratio() > 0, effect->ratio())},
              {"runs", effect->runs}};
    if (!effect->measuredWith.empty())
        json["measured_with"] = effect->measuredWith;
    return json;
}

Json findingJson(const analysis::Finding& f) {
    Json tries = Json::object();
    for (const auto& [key, value] : f.tryChanges)
        tries[key] = value;
    Json json{{"id", f.id},
              {"status", analysis::findingStatusName(f.status)},
              {"lost_ns", f.lost},
              {"waited_ns", f.waited},
              {"activities", f.activities},
              {"text", f.text},
              {"remedy", f.remedy},
              {"try", tries}};
    if (!f.why.empty())
        json["why"] = f.why;
    return json;
}

Json notCauseJson(const analysis::NotCause& n) {
    return {{"id", n.id}, {"count", n.count}, {"time_ns", n.time}, {"text", n.text}};
}

Json notObservableJson(const analysis::NotObservable& n) {
    return {{"id", n.id}, {"text", n.text}};
}

Json defectJson(const Defect& d) {
    return {{"code", defectRow(d.code).id},
            {"severity", severityName(d.severity())},
            {"count", d.count},
            {"text", d.text()}};
}

/// Problems in the runs of the job.
Json runsJson(const analysis::JobRuns& runs) {
    Json troubled = Json::array();
    for (const analysis::RunTrouble& run : runs.troubled) {
        Json defects = Json::array();
        for (const Defect& defect : run.defects)
            defects.push_back(defectJson(defect));
        troubled.push_back({{"run", run.run}, {"traced", run.traced}, {"defects", std::move(defects)}});
    }
    return {{"count", runs.count()},
            {"traced", runs.traced},
            {"untraced", runs.untraced},
            {"shown", runs.shown},
            {"raced", analysis::racedRuns(runs).count()},
            {"troubled", std::move(troubled)}};
}

Json countsJson(const RecordCounts& counts) {
    return {{"read", counts.read}, {"kept", counts.kept}, {"refused", counts.refused}};
}

Json abstentionJson(const analysis::Abstention& a) {
    return {{"rule", a.rule}, {"lacks", a.lacks}};
}

Json headlineJson(const analysis::Ledger* ledger) {
    return ledger && ledger->missing.empty() ? Json(ledger->headline) : Json();
}

Json bookmarkJson(const Bookmark& b) {
    return {{"begin_ns", b.time.begin},
            {"end_ns", b.time.end},
            {"row", b.row},
            {"note", b.note},
            {"activity", b.activity ? Json(*b.activity) : Json()}};
}

template <typename Range, typename Convert>
Json listJson(const Range& range, Convert convert) {
    Json json = Json::array();
    for (const auto& item : range)
        json.push_back(convert(item));
    return json;
}

} // namespace

std::string numbersToJson(std::span<const analysis::DeviceReport> devices, const Trace& trace,
                          const std::string& file) {
    const Json json{{"format", "olab-numbers"},
                    {"version", 1},
                    {"file", file},
                    {"devices", devicesJson(devices)},
                    {"defects", listJson(trace.defects(), defectJson)},
                    {"counts", countsJson(trace.counts())}};
    // Names come from outside: bytes that are not UTF-8 are replaced, never fatal.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool originKnown(const Trace& trace) {
    return trace.provenance() != ProvenanceRecord();
}

Json reportJson(const analysis::Report& report, const ReportContext& context) {
    Json json{
        {"format", "olab-report"},
        {"version", 1},
        {"source", sourceJson(context)},
        {"environment", environmentJson(context.trace)},
        {"simulator", simulatorJson(context.trace)},
        {"experiment", experimentJson(context.experiment)},
        {"devices", devicesJson(report.devices)},
        {"host", hostJson(report.host, context.trace)},
        {"headline", headlineJson(report.ledger.get())},
        {"ledger", ledgerJson(report.ledger.get())},
        {"verdicts", listJson(report.verdicts, verdictJson)},
        {"bounds", boundsJson(report.bounds)},
        {"tool_effect", toolEffectJson(report.toolEffect)},
        {"findings", listJson(report.findings, findingJson)},
        {"abstained", listJson(report.abstained, abstentionJson)},
        {"not_causes", listJson(report.notCauses, notCauseJson)},
        {"not_observable", listJson(report.notObservable, notObservableJson)},
        {"steady_state", steadyStateJson(report.steadyState.get(), {deviceJson, verdictJson, boundsJson})},
        {"defects", listJson(report.defects, defectJson)},
        {"counts", countsJson(report.counts)}};
    if (report.ledger && !report.ledger->missing.empty())
        json["ledger_missing"] = report.ledger->missing;
    if (context.facts && !context.experiment)
        json["waits"] = waitsJson(*context.facts, report.ledger);
    if (!context.trace.ranks().empty())
        json["ranks"] = ranksJson(context.trace);
    if (report.collectives)
        json["collectives"] = collectivesJson(*report.collectives, context.trace);
    if (report.communication)
        json["communication"] = communicationJson(*report.communication, context.trace);
    if (const std::string race = analysis::raceText(report); !race.empty())
        json["race"] = race;
    if (!report.runs.empty())
        json["runs"] = runsJson(report.runs);
    if (context.times && !context.times->empty())
        json["spread"] = timesJson(*context.times);
    if (!context.proofs.empty())
        json["proofs"] = listJson(context.proofs, proofJson);
    if (context.controls)
        json["controls"] = controlsJson(*context.controls);
    if (!context.bookmarks.empty())
        json["bookmarks"] = listJson(context.bookmarks, bookmarkJson);
    if (!context.label.title.empty())
        json["title"] = context.label.title;
    if (!context.label.note.empty())
        json["note"] = context.label.note;
    return json;
}

} // namespace olab::io
