#include <olab/claims/call_table.h>

#include <olab/trace/csv_text.h>
#include <olab/trace/number_text.h>

#include <nlohmann/json.hpp>

namespace olab::claims {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kHostBlocked = 0.5;     ///< of the kernel's time
constexpr double kStreamsBlocked = 0.02; ///< of the highest possible overlap of the kernels

CallBlocks blocksOf(const CallRow& row, double kernel) {
    if (row.host >= kHostBlocked * kernel)
        return CallBlocks::Host;
    if (row.overlap <= kStreamsBlocked)
        return CallBlocks::OtherStreams;
    return row.blockingOverlap <= kStreamsBlocked ? CallBlocks::BlockingStreams : CallBlocks::Nothing;
}

std::string microseconds(double ns) {
    return fixedText(ns / 1000, 1) + " us";
}

std::string percent(double share) {
    return fixedText(100 * share, 0) + " %";
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

std::vector<CallRow> callTable(const ClaimsResults& results) {
    const LabResult* const measured = findLabResult(results, kCallsExperiment);
    if (!measured || !measured->control.empty())
        return {};
    const auto number = [&](const std::string& name) {
        const auto at = measured->numbers.find(name);
        return at == measured->numbers.end() ? 0.0 : at->second;
    };
    constexpr std::string_view kHead = "call.", kTail = ".host";
    std::vector<CallRow> rows;
    for (const auto& [key, host] : measured->numbers) {
        if (!key.starts_with(kHead) || !key.ends_with(kTail) || key.ends_with(".blocking.host"))
            continue;
        const std::string call = key.substr(0, key.size() - kTail.size());
        CallRow row{call.substr(kHead.size())};
        row.host = host;
        row.hostMax = number(call + ".host.max");
        row.overlap = number(call + ".overlap");
        row.blockingOverlap = number(call + ".blocking.overlap");
        row.blocks = blocksOf(row, number("kernel"));
        rows.push_back(std::move(row));
    }
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
                                {"overlap_blocking", row.blockingOverlap}});
    return out.dump(2);
}

std::string callTableCsv(const ClaimsResults& results) {
    std::string text = "call,blocks,host_ns,host_max_ns,overlap_nonblocking,overlap_blocking,source\n";
    for (const CallRow& row : callTable(results))
        text += csvText(row.name) + ',' + std::string(callBlocksText(row.blocks)) + ',' +
                fixedText(row.host, 0) + ',' + fixedText(row.hostMax, 0) + ',' + fixedText(row.overlap, 4) +
                ',' + fixedText(row.blockingOverlap, 4) + ',' +
                csvText(std::string(claimsSourceName(results.source)) + " on " + machine(results) + ", " +
                        results.recordedAt) +
                '\n';
    return text;
}

std::string callTableMarkdown(const ClaimsResults& results) {
    std::string text =
        "# Which CUDA calls block what\n\n" + machine(results) + " (" +
        std::string(claimsSourceName(results.source)) + ", " + results.recordedAt +
        ").\n\nEach call was made between two kernels in two streams while the first kernel was running: "
        "how long the host was in it, and how much of the kernels ran side by side.\n\n"
        "| call | blocks | host, median | host, longest | side by side: non-blocking streams "
        "| blocking streams |\n|---|---|---:|---:|---:|---:|\n";
    for (const CallRow& row : callTable(results))
        text += "| " + cell(row.name) + " | " + std::string(callBlocksText(row.blocks)) + " | " +
                microseconds(row.host) + " | " + microseconds(row.hostMax) + " | " + percent(row.overlap) +
                " | " + percent(row.blockingOverlap) + " |\n";
    return text;
}

} // namespace olab::claims
