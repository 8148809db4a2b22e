#include <olab/claims/call_table.h>

#include <olab/trace/csv_text.h>
#include <olab/trace/number_text.h>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace olab::claims {
namespace {

using Json = nlohmann::ordered_json;

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
