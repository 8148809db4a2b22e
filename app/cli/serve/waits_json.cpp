#include "waits_json.h"

#include <olab/analysis/explained_wait.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace olab::cli {
namespace {

using analysis::ExplainedWait;

Json idOrNull(ActivityIndex activity) {
    return activity == kNoActivity ? Json(nullptr) : Json(activity);
}

bool isWanted(const ExplainedWait& wait, const Interval& window, const WaitsWish& wish) {
    return wait.length() > 0 && wait.time.begin < window.end && window.begin < wait.time.end &&
           (wish.cause.empty() || wish.cause == analysis::waitCauseId(wait.cause));
}

/// The numbers of device work, the longest wait first.
std::vector<std::size_t> wantedWaits(const analysis::ExplainedWaits& waits, const Interval& window,
                                     const WaitsWish& wish) {
    std::vector<std::size_t> numbers;
    for (std::size_t number = 0; number < waits.size(); ++number)
        if (waits.length(number) > 0 && isWanted(waits[number], window, wish))
            numbers.push_back(number);
    std::ranges::stable_sort(
        numbers, [&waits](std::size_t a, std::size_t b) { return waits.length(a) > waits.length(b); });
    return numbers;
}

Json waitRow(const recording::Recording& recording, const ExplainedWait& wait, bool hasSentence) {
    const Trace& trace = recording.trace;
    const Activity op = trace[wait.op];
    const Queue& queue = trace.queue(op.queue);
    Json row{{"activity", wait.op},
             {"class", className(op.cls)},
             {"name", std::string(trace.text(op.name))},
             {"device", trace.devices()[op.device].device},
             {"stream", queue.number == kNoNumber ? Json(nullptr) : Json(queue.number)},
             {"ready_ns", wait.time.begin},
             {"begin_ns", op.begin},
             {"wait_ns", wait.length()},
             {"held_ns", wait.held},
             {"cause", analysis::waitCauseId(wait.cause)},
             {"blocker", idOrNull(wait.blocker)},
             {"rests_on", analysis::restsOnName(wait.rests)},
             {"by_account", wait.isOwned}};
    if (hasSentence)
        row["text"] = analysis::waitSentence(*recording.facts, wait);
    return row;
}

Json sumsByCause(const analysis::ExplainedWaits& waits, const std::vector<std::size_t>& numbers) {
    struct Sum {
        std::uint64_t count = 0;
        Ns wait = 0;
    };
    std::map<std::string, Sum, std::less<>> sums;
    for (const std::size_t number : numbers) {
        Sum& sum = sums[std::string(analysis::waitCauseId(waits.cause(number)))];
        ++sum.count;
        sum.wait += waits.length(number);
    }
    std::vector<std::pair<std::string, Sum>> sorted(sums.begin(), sums.end());
    std::ranges::stable_sort(sorted,
                             [](const auto& a, const auto& b) { return a.second.wait > b.second.wait; });
    Json list = Json::array();
    for (const auto& [cause, sum] : sorted)
        list.push_back({{"cause", cause}, {"count", sum.count}, {"wait_ns", sum.wait}});
    return list;
}

} // namespace

Json waitsOf(const recording::Recording& recording, const WaitsWish& wish) {
    const analysis::ExplainedWaits waits(*recording.facts, recording.report.ledger);
    const Interval window = windowOf(recording.trace, wish.slice);
    const std::vector<std::size_t> numbers = wantedWaits(waits, window, wish);
    Json rows = Json::array();
    const std::size_t first = std::min(wish.skip, numbers.size());
    const std::size_t count = std::min(wish.top, numbers.size() - first);
    for (std::size_t i = first; i < first + count; ++i)
        rows.push_back(waitRow(recording, waits[numbers[i]], wish.hasSentences));
    const Json report = Json::parse(recording::documentOf(recording, recording.file).text());
    Json all{{"format", "olab-waits"}, {"version", 1}, {"source", report["source"]}};
    all["origin_ns"] = windowOf(recording.trace, {0, 1}).begin;
    all["total"] = numbers.size();
    all["left_out"] = numbers.size() - first - count;
    all["causes"] = sumsByCause(waits, numbers);
    all["waits"] = std::move(rows);
    all.update(caveatsOf(report));
    return all;
}

} // namespace olab::cli
