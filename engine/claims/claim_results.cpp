#include <olab/claims/claim_results.h>

#include "claim_texts.h"

#include <olab/trace/limits.h>
#include <olab/trace/value_text.h>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace olab::claims {
namespace {

using Json = nlohmann::ordered_json;
using nlohmann::json;

constexpr std::string_view kFormat = "olab-claims";
constexpr int kVersion = 1;
constexpr JsonLimits kLimits{std::size_t{8} << 20, 16};

Json claimJson(const ClaimResult& result) {
    Json out{{"id", result.id}};
    const ClaimRow* const row = findClaim(result.id);
    if (row) {
        out["claim"] = row->claim;
        out["documented"] = documentedName(row->documented);
    }
    out["measured"] = outcomeName(result.outcome);
    const Agreement both = row ? agreement(*row, result) : Agreement::Undecided;
    out["agrees"] = both == Agreement::Agrees    ? Json(true)
                    : both == Agreement::Differs ? Json(false)
                                                 : Json(); // undecided, or not documented
    out["reason"] = result.reason;
    out["cases"] = Json::array();
    for (const CaseResult& tested : result.cases)
        out["cases"].push_back(
            {{"says", tested.says}, {"side", caseSideName(tested.side)}, {"text", tested.text}});
    if (row)
        out["experiments"] = experimentsOf(*row);
    return out;
}

Json labJson(const LabResult& result) {
    return {{"id", result.id},           {"title", result.title},   {"seconds", result.seconds},
            {"missing", result.missing}, {"failed", result.failed}, {"control", result.control},
            {"numbers", result.numbers}, {"files", result.files}};
}

template <typename Enum, typename Name>
Enum fromName(const std::string& word, int count, Name name) {
    for (int i = 0; i < count; ++i)
        if (name(static_cast<Enum>(i)) == word)
            return static_cast<Enum>(i);
    throw Error(ErrorKind::Usage, "bad-claims", "'" + word + "' means nothing in results of claims.",
                "The file is damaged, or of a newer version of Overlap Lab.");
}

ClaimResult resultFrom(const json& object) {
    ClaimResult result{object.at("id"), fromName<ClaimOutcome>(object.at("measured"), 5, outcomeName),
                       object.value("reason", "")};
    for (const json& tested : object.at("cases"))
        result.cases.push_back(
            {tested.at("says"), fromName<CaseSide>(tested.at("side"), 3, caseSideName), tested.at("text")});
    return result;
}

LabResult labFrom(const json& object) {
    return {object.at("id"),
            object.at("title"),
            realNumber(object.at("seconds"), 0, 1e9).value_or(0),
            object.value("missing", ""),
            object.value("failed", false),
            object.value("control", ""),
            object.at("numbers").get<std::map<std::string, double>>(),
            object.value("files", std::vector<std::string>())};
}

ClaimsResults resultsFrom(const json& object) {
    ClaimsResults results;
    results.source = fromName<ClaimsSource>(object.at("source"), 3, claimsSourceName);
    results.recordedAt = object.value("recorded_at", "");
    results.environment = object.at("environment").get<std::map<std::string, std::string>>();
    results.seconds = realNumber(object.at("seconds"), 0, 1e9).value_or(0);
    for (const json& claim : object.at("claims"))
        results.claims.push_back(resultFrom(claim));
    for (const json& experiment : object.at("experiments"))
        results.experiments.push_back(labFrom(experiment));
    return results;
}

[[noreturn]] void refuse(const std::string& why) {
    throw Error(ErrorKind::Usage, "bad-claims", "These are no results of claims: " + why + ".",
                "Results are what 'olab claims --json' prints.");
}

} // namespace

std::string_view claimsSourceName(ClaimsSource s) {
    constexpr std::string_view kNames[] = {"measured", "simulated", "recorded"};
    return kNames[static_cast<std::size_t>(s)];
}

const ClaimResult* findResult(const ClaimsResults& results, std::string_view claim) {
    const auto at = std::ranges::find(results.claims, claim, &ClaimResult::id);
    return at == results.claims.end() ? nullptr : &*at;
}

const LabResult* findLabResult(const ClaimsResults& results, std::string_view experiment) {
    const auto at = std::ranges::find(results.experiments, experiment, &LabResult::id);
    return at == results.experiments.end() ? nullptr : &*at;
}

std::string claimsToJson(const ClaimsResults& results) {
    Json out{{"format", kFormat},
             {"version", kVersion},
             {"source", claimsSourceName(results.source)},
             {"recorded_at", results.recordedAt},
             {"environment", results.environment},
             {"seconds", results.seconds}};
    out["claims"] = Json::array();
    for (const ClaimResult& claim : results.claims)
        out["claims"].push_back(claimJson(claim));
    out["experiments"] = Json::array();
    for (const LabResult& experiment : results.experiments)
        out["experiments"].push_back(labJson(experiment));
    return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

ClaimsResults claimsFromJson(std::string_view text) {
    std::string why;
    const auto object = parsedJson<json>(text, why, kLimits);
    if (!object || !object->is_object())
        refuse(why.empty() ? "no JSON object" : why);
    try {
        if (object->at("format") != kFormat || object->at("version") != kVersion)
            refuse("the format or its version is another");
        return resultsFrom(*object);
    } catch (const json::exception& e) {
        refuse(e.what());
    }
}

const std::optional<ClaimsResults>& recordedClaims() {
    static const std::optional<ClaimsResults> shipped = []() -> std::optional<ClaimsResults> {
        if (detail::recordedText().empty())
            return std::nullopt;
        ClaimsResults results = claimsFromJson(detail::recordedText());
        results.source = ClaimsSource::Recorded;
        return results;
    }();
    return shipped;
}

namespace {

constexpr double kHostBlocked = 0.5;     ///< of the kernel's time
constexpr double kStreamsBlocked = 0.02; ///< of the highest possible overlap of the kernels

/// Calls that name the stream of the first kernel, or an event in it, wherever they are measured.
constexpr std::string_view kOfTheKernel[] = {"cudaEventSynchronize", "cudaStreamSynchronize.busy"};

bool isWaiting(const CallRow& row, std::optional<double> host) {
    return host && *host - row.hostAlone.value_or(0) >= kHostBlocked * row.kernel;
}

HostWaits waitsOf(const CallRow& row) {
    if (isWaiting(row, row.host))
        return std::ranges::find(kOfTheKernel, row.name) != std::end(kOfTheKernel) ? HostWaits::ItsStream
                                                                                   : HostWaits::OtherStreams;
    if (isWaiting(row, row.hostBlocking))
        return HostWaits::BlockingStreams;
    return isWaiting(row, row.hostBehind) ? HostWaits::ItsStream : HostWaits::Nothing;
}

CallBlocks blocksOf(const CallRow& row) {
    if (isWaiting(row, row.host))
        return CallBlocks::Host;
    if (row.overlap <= kStreamsBlocked)
        return CallBlocks::OtherStreams;
    if (row.blockingOverlap.value_or(1) <= kStreamsBlocked)
        return CallBlocks::BlockingStreams;
    return row.waits == HostWaits::ItsStream ? CallBlocks::Host : CallBlocks::Nothing;
}

constexpr std::string_view kHead = "call.", kTail = ".host";

/// "cudaFree" of "call.cudaFree.host"; empty for other numbers, those of the other places of a call too.
std::string_view callNamed(std::string_view key) {
    if (!key.starts_with(kHead) || !key.ends_with(kTail))
        return {};
    key.remove_prefix(kHead.size());
    key.remove_suffix(kTail.size());
    for (const std::string_view place : {".alone", ".blocking", ".behind"})
        if (key.ends_with(place))
            return {};
    return key;
}

CallRow rowOf(const LabResult& measured, const std::string& name) {
    const auto number = [&](const std::string& key) -> std::optional<double> {
        const auto at = measured.numbers.find(key);
        return at == measured.numbers.end() ? std::nullopt : std::optional(at->second);
    };
    const std::string call = std::string(kHead) + name;
    CallRow row;
    row.name = name;
    row.kernel = number(call + ".kernel").value_or(number("kernel").value_or(0));
    row.host = number(call + ".host").value_or(0);
    row.hostMax = number(call + ".host.max").value_or(0);
    row.overlap = number(call + ".overlap").value_or(0);
    row.hostAlone = number(call + ".alone.host");
    row.hostBlocking = number(call + ".blocking.host");
    row.hostBehind = number(call + ".behind.host");
    row.blockingOverlap = number(call + ".blocking.overlap");
    row.waits = waitsOf(row);
    row.blocks = blocksOf(row);
    return row;
}

Json numberOrNull(const std::optional<double>& value) {
    return value ? Json(*value) : Json();
}

std::string csvNumber(const std::optional<double>& value, int places) {
    return value ? fixedText(*value, places) : std::string();
}

std::string microseconds(const std::optional<double>& ns) {
    return ns ? fixedText(*ns / 1000, 1) + " us" : std::string("-");
}

std::string percent(const std::optional<double>& share) {
    return share ? fixedText(100 * *share, 0) + " %" : std::string("-");
}

std::string cell(const std::string& text) {
    std::string escaped;
    for (const char c : text)
        escaped += c == '|' ? std::string("\\|") : std::string(1, c);
    return escaped;
}

std::string machine(const ClaimsResults& results) {
    std::string text;
    for (const char* key : {"device", "driver"})
        if (const auto at = results.environment.find(key); at != results.environment.end())
            text += (text.empty() ? "" : ", driver ") + at->second;
    return text;
}

} // namespace

std::string_view callBlocksText(CallBlocks b) {
    constexpr std::string_view kTexts[] = {"nothing", "blocking streams", "other streams", "the host"};
    return kTexts[static_cast<std::size_t>(b)];
}

std::string_view hostWaitsText(HostWaits w) {
    constexpr std::string_view kTexts[] = {"nothing", "its stream", "blocking streams", "other streams"};
    return kTexts[static_cast<std::size_t>(w)];
}

std::vector<CallRow> callTable(const ClaimsResults& results) {
    const LabResult* const measured = findLabResult(results, kCallsExperiment);
    if (!measured || !measured->control.empty())
        return {};
    std::vector<CallRow> rows;
    for (const auto& [key, host] : measured->numbers)
        if (const std::string_view name = callNamed(key); !name.empty())
            rows.push_back(rowOf(*measured, std::string(name)));
    return rows;
}

std::string callTableJson(const ClaimsResults& results) {
    Json out{{"format", "olab-calls"},
             {"version", 1},
             {"source", claimsSourceName(results.source)},
             {"environment", results.environment}};
    out["calls"] = Json::array();
    for (const CallRow& row : callTable(results))
        out["calls"].push_back({{"call", row.name},
                                {"blocks", callBlocksText(row.blocks)},
                                {"host_ns", row.host},
                                {"host_max_ns", row.hostMax},
                                {"overlap_nonblocking", row.overlap},
                                {"overlap_blocking", numberOrNull(row.blockingOverlap)},
                                {"host_waits_for", hostWaitsText(row.waits)},
                                {"host_alone_ns", numberOrNull(row.hostAlone)},
                                {"host_blocking_ns", numberOrNull(row.hostBlocking)},
                                {"host_behind_ns", numberOrNull(row.hostBehind)},
                                {"kernel_ns", row.kernel}});
    return out.dump(2);
}

std::string callTableCsv(const ClaimsResults& results) {
    std::string text = "call,blocks,host_ns,host_max_ns,overlap_nonblocking,overlap_blocking,source,"
                       "host_waits_for,host_alone_ns,host_blocking_ns,host_behind_ns,kernel_ns\n";
    for (const CallRow& row : callTable(results))
        text += csvText(row.name) + ',' + std::string(callBlocksText(row.blocks)) + ',' +
                fixedText(row.host, 0) + ',' + fixedText(row.hostMax, 0) + ',' + fixedText(row.overlap, 4) +
                ',' + csvNumber(row.blockingOverlap, 4) + ',' +
                csvText(std::string(claimsSourceName(results.source)) + " on " + machine(results) + ", " +
                        results.recordedAt) +
                ',' + std::string(hostWaitsText(row.waits)) + ',' + csvNumber(row.hostAlone, 0) + ',' +
                csvNumber(row.hostBlocking, 0) + ',' + csvNumber(row.hostBehind, 0) + ',' +
                fixedText(row.kernel, 0) + '\n';
    return text;
}

std::string callTableMarkdown(const ClaimsResults& results) {
    std::string text =
        "# Which CUDA calls block what\n\n" + machine(results) + " (" +
        std::string(claimsSourceName(results.source)) + ", " + results.recordedAt +
        ").\n\nEach call was made between two kernels in two streams while the first kernel was running: "
        "how long the host was in it, and how much of the kernels ran side by side. \"Behind\" is a call in "
        "the stream of the running kernel.\n\n"
        "| call | blocks | host waits for | host, median | host, longest | host, behind "
        "| side by side: non-blocking streams | blocking streams |\n"
        "|---|---|---|---:|---:|---:|---:|---:|\n";
    for (const CallRow& row : callTable(results))
        text += "| " + cell(row.name) + " | " + std::string(callBlocksText(row.blocks)) + " | " +
                std::string(hostWaitsText(row.waits)) + " | " + microseconds(row.host) + " | " +
                microseconds(row.hostMax) + " | " + microseconds(row.hostBehind) + " | " +
                percent(row.overlap) + " | " + percent(row.blockingOverlap) + " |\n";
    return text;
}

} // namespace olab::claims
