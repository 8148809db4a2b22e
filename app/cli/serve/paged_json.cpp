#include "paged_json.h"

#include <olab/analysis/explained_wait.h>
#include <olab/trace/error.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>
#include <vector>

namespace olab::cli {
namespace {

std::size_t wholeNumber(const Arguments& arguments, const char* option, std::size_t otherwise,
                        std::size_t least) {
    if (!arguments.has(option))
        return otherwise;
    const std::string text = arguments.value(option);
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < least)
        throw Error(ErrorKind::Usage, "bad-option",
                    std::string(option) + " takes a whole number, not '" + text + "'.",
                    "Write 20, for example.");
    return number;
}

/// "~" and "/" of a key as a JSON pointer writes them.
std::string escapedKey(const std::string& key) {
    std::string text;
    for (const char letter : key)
        text += letter == '~' ? "~0" : letter == '/' ? "~1" : std::string(1, letter);
    return text;
}

/// What there is at the deepest place that the pointer reaches.
std::string membersNear(const Json& document, Json::json_pointer where) {
    while (!where.empty() && !document.contains(where))
        where.pop_back();
    const Json& place = where.empty() ? document : document.at(where);
    const std::string name = where.empty() ? "The report" : where.to_string();
    if (place.is_array())
        return name + " has " + std::to_string(place.size()) + " elements, from 0.";
    if (!place.is_object())
        return name + " is a single value.";
    std::string keys;
    for (const auto& [key, value] : place.items())
        keys += (keys.empty() ? "" : ", ") + escapedKey(key);
    return name + " has " + (keys.empty() ? "nothing." : keys + ".");
}

const Json& partOf(const Json& document, const std::string& pointer) try {
    const Json::json_pointer where(pointer);
    if (where.empty())
        return document;
    if (!document.contains(where))
        throw Error(ErrorKind::Usage, "no-such-part", "There is no " + pointer + " in it.",
                    membersNear(document, where));
    return document.at(where);
} catch (const Json::exception& problem) {
    throw Error(ErrorKind::Usage, "bad-pointer",
                std::string("The JSON pointer is wrong (") + problem.what() + ").",
                "Write it as in /bounds/efficiency.");
}

class Cutter {
public:
    Cutter(std::size_t top, Json& leftOut)
        : m_top(top)
        , m_leftOut(leftOut) {}
    Json cut(const Json& value, const std::string& pointer, std::size_t skip) const {
        return value.is_array()    ? cutArray(value, pointer, skip)
               : value.is_object() ? cutObject(value, pointer)
                                   : value;
    }

private:
    Json cutArray(const Json& value, const std::string& pointer, std::size_t skip) const {
        Json kept = Json::array();
        const std::size_t first = std::min(skip, value.size()), count = std::min(m_top, value.size() - first);
        for (std::size_t i = first; i < first + count; ++i)
            kept.push_back(cut(value[i], pointer + "/" + std::to_string(i), 0));
        if (first + count < value.size())
            m_leftOut[pointer] = value.size() - first - count;
        return kept;
    }
    Json cutObject(const Json& value, const std::string& pointer) const {
        Json kept = Json::object();
        for (const auto& [key, member] : value.items())
            kept[key] = cut(member, pointer + "/" + escapedKey(key), 0);
        return kept;
    }
    std::size_t m_top;
    Json& m_leftOut;
};

Json memberOr(const Json& report, const char* name, Json otherwise) {
    const auto found = report.find(name);
    return found == report.end() ? otherwise : *found;
}

} // namespace

PageWish PageWish::from(const Arguments& arguments) {
    PageWish wish;
    wish.pointer = arguments.value("--select");
    wish.skip = wholeNumber(arguments, "--skip", 0, 0);
    wish.top = wholeNumber(arguments, "--top", wish.top, 1);
    return wish;
}

bool PageWish::isIn(const Arguments& arguments) {
    return arguments.has("--select") || arguments.has("--skip") || arguments.has("--top");
}

Json caveatsOf(const Json& report) {
    Json inconclusive = Json::array();
    for (const Json& verdict : memberOr(report, "verdicts", Json::array()))
        if (verdict.value("verdict", "") == "inconclusive")
            inconclusive.push_back(verdict.value("a", "") + " with " + verdict.value("b", "") + ", device " +
                                   verdict.value("device", "") + ": " + verdict.value("text", ""));
    if (const Json why = memberOr(report, "ledger_missing", nullptr); why.is_string())
        inconclusive.push_back("No account: " + why.get<std::string>());
    else if (report.contains("ledger") && report["ledger"].is_null())
        inconclusive.push_back("The account was not made.");
    if (const Json race = memberOr(report, "race", nullptr); race.is_string())
        inconclusive.push_back(race);
    return {{"defects", memberOr(report, "defects", Json::array())},
            {"abstained", memberOr(report, "abstained", Json::array())},
            {"inconclusive", std::move(inconclusive)}};
}

Json pageOf(const Json& document, const PageWish& wish) {
    const Json& part = partOf(document, wish.pointer);
    Json leftOut = Json::object();
    Json page{{"select", wish.pointer},
              {"value", Cutter(wish.top, leftOut).cut(part, wish.pointer, wish.skip)}};
    if (part.is_array())
        page["total"] = part.size();
    page["left_out"] = std::move(leftOut);
    return page;
}

std::string reportPage(const std::string& report, const PageWish& wish) {
    const Json document = Json::parse(report);
    Json page{{"format", "olab-page"}, {"version", 1}};
    page["of"] = memberOr(document, "format", nullptr);
    page["source"] = memberOr(document, "source", nullptr);
    page.update(pageOf(document, wish));
    page.update(caveatsOf(document));
    return writtenJson(page, 2) + "\n";
}

std::string writtenJson(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

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
