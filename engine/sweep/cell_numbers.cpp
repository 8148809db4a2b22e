#include "numbers_json.h"

#include <olab/analysis/cause_table.h>
#include <olab/sweep/sweep.h>
#include <olab/trace/limits.h>
#include <olab/trace/value_text.h>

#include <algorithm>

namespace olab::sweep {
namespace {

void addPair(std::vector<PairShare>& pairs, const analysis::Verdict& verdict) {
    const auto same = std::ranges::find_if(
        pairs, [&](const PairShare& pair) { return pair.a == verdict.a && pair.b == verdict.b; });
    const PairShare pair{verdict.a, verdict.b, verdict.kind, verdict.ofAttainable};
    if (same == pairs.end())
        pairs.push_back(pair);
    else if (pair.share < same->share)
        *same = pair;
}

void addAccount(CellNumbers& numbers, const analysis::Ledger& ledger) {
    numbers.hasAccount = true;
    numbers.unexplained = ledger.unexplained;
    for (const analysis::LedgerEntry& entry : ledger.entries)
        if (entry.cost > 0)
            numbers.causes.push_back({entry.cause, entry.cost});
    std::ranges::stable_sort(numbers.causes, std::ranges::greater(), &CauseCost::cost);
}

std::string shareOfRun(Ns part, Ns whole) {
    const double share = static_cast<double>(part) / static_cast<double>(std::max<Ns>(1, whole));
    return fixedText(100 * std::min(1.0, share), share < 0.1 ? 1 : 0) + " % of the run";
}

} // namespace

CellNumbers cellNumbersOf(const analysis::Report& report, bool raced) {
    const analysis::Bounds& bounds = report.bounds;
    CellNumbers numbers;
    numbers.measured = bounds.measured.value_or(0);
    numbers.ideal = bounds.ideal;
    numbers.serial = bounds.serial;
    numbers.efficiency = bounds.efficiency;
    numbers.limiting = bounds.limiting;
    numbers.isLimited = bounds.isLimited();
    numbers.gainsLittle = bounds.gainsLittle;
    numbers.limit = bounds.limit().value_or(0);
    numbers.raced = raced;
    for (const analysis::Verdict& verdict : report.verdicts)
        if (verdict.known && !verdict.minor())
            addPair(numbers.pairs, verdict);
    if (report.ledger && report.ledger->missing.empty())
        addAccount(numbers, *report.ledger);
    return numbers;
}

std::string limitingText(const CellNumbers& numbers) {
    constexpr std::string_view kCopy = "copy_";
    if (numbers.limiting.empty() || numbers.gainsLittle)
        return {};
    if (numbers.limiting == "chain")
        return "the order of the streams";
    if (!numbers.limiting.starts_with(kCopy))
        return "the " + numbers.limiting + " engine";
    std::string direction = numbers.limiting.substr(kCopy.size());
    std::ranges::transform(direction, direction.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return "the " + direction + " copy engine";
}

std::string reasonText(const CellNumbers& numbers) {
    constexpr double kFull = 0.8; // of the run: other bottlenecks then matter little
    const std::string limiting = limitingText(numbers);
    const CauseCost* const first = numbers.first();
    const bool isFull = static_cast<double>(numbers.limit) >= kFull * static_cast<double>(numbers.measured);
    if (!limiting.empty() && (isFull || (numbers.isLimited && !first)))
        return limiting + " is the bottleneck (" + shareOfRun(numbers.limit, numbers.measured) + ")";
    if (first)
        return std::string(analysis::causeRow(first->cause).because) + " (`" +
               std::string(analysis::lossCauseId(first->cause)) + "`, " +
               shareOfRun(first->cost, numbers.measured) + ")";
    return limiting.empty() ? "overlap would save almost nothing" : limiting + " needs most of the time";
}

namespace {

constexpr Ns kMostTime = Ns{1} << 60;
constexpr std::size_t kMostEntries = 64; // of causes and pairs: more than their kinds

Json maybe(const std::optional<Ns>& time) {
    return time ? Json(*time) : Json();
}

Json causesJson(const std::vector<CauseCost>& causes) {
    Json list = Json::array();
    for (const CauseCost& one : causes)
        list.push_back({{"id", analysis::lossCauseId(one.cause)}, {"cost_ns", one.cost}});
    return list;
}

Json pairsJson(const std::vector<PairShare>& pairs) {
    Json list = Json::array();
    for (const PairShare& pair : pairs)
        list.push_back({{"a", className(pair.a)},
                        {"b", className(pair.b)},
                        {"verdict", analysis::verdictName(pair.verdict)},
                        {"of_attainable", pair.share}});
    return list;
}

Ns timeFrom(const Json& json, const char* key) {
    return json.contains(key) ? wholeNumber(json[key], -kMostTime, kMostTime).value_or(0) : 0;
}

std::optional<Ns> maybeTimeFrom(const Json& json, const char* key) {
    return json.contains(key) ? wholeNumber(json[key], -kMostTime, kMostTime) : std::nullopt;
}

bool flagFrom(const Json& json, const char* key) {
    return json.contains(key) && json[key].is_boolean() && json[key].get<bool>();
}

std::string textFrom(const Json& json, const char* key) {
    return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
}

std::optional<ActivityClass> classFrom(const Json& json, const char* key) {
    const auto row = std::ranges::find(kClassRows, textFrom(json, key), &ClassRow::name);
    return row == kClassRows.end() ? std::nullopt : std::optional(row->cls);
}

std::optional<PairShare> pairFrom(const Json& json) {
    if (!json.is_object() || !json.contains("of_attainable"))
        return std::nullopt;
    const auto a = classFrom(json, "a"), b = classFrom(json, "b");
    const auto share = realNumber(json["of_attainable"], 0, 1e6);
    for (std::size_t kind = 0; a && b && share && kind < analysis::kVerdictKinds; ++kind)
        if (const auto verdict = static_cast<analysis::VerdictKind>(kind);
            analysis::verdictName(verdict) == textFrom(json, "verdict"))
            return PairShare{*a, *b, verdict, *share};
    return std::nullopt;
}

void readLists(const Json& json, CellNumbers& numbers) {
    if (json.contains("causes") && json["causes"].is_array() && json["causes"].size() <= kMostEntries)
        for (const Json& one : json["causes"])
            if (one.is_object())
                if (const auto cause = analysis::lossCauseOf(textFrom(one, "id"));
                    cause != analysis::LossCause::None)
                    numbers.causes.push_back({cause, timeFrom(one, "cost_ns")});
    if (json.contains("pairs") && json["pairs"].is_array() && json["pairs"].size() <= kMostEntries)
        for (const Json& one : json["pairs"])
            if (const auto pair = pairFrom(one))
                numbers.pairs.push_back(*pair);
}

} // namespace

std::string lineOf(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json numbersJson(const CellNumbers& numbers) {
    return {{"measured_ns", numbers.measured},
            {"ideal_ns", maybe(numbers.ideal)},
            {"serial_ns", maybe(numbers.serial)},
            {"efficiency", numbers.efficiency ? Json(*numbers.efficiency) : Json()},
            {"limiting", numbers.limiting},
            {"limit_ns", numbers.limit},
            {"is_limited", numbers.isLimited},
            {"gains_little", numbers.gainsLittle},
            {"has_account", numbers.hasAccount},
            {"causes", causesJson(numbers.causes)},
            {"unexplained_ns", numbers.unexplained},
            {"pairs", pairsJson(numbers.pairs)},
            {"raced", numbers.raced}};
}

std::optional<CellNumbers> numbersFrom(const Json& json) {
    if (!json.is_object() || !maybeTimeFrom(json, "measured_ns"))
        return std::nullopt;
    CellNumbers numbers;
    numbers.measured = timeFrom(json, "measured_ns");
    numbers.ideal = maybeTimeFrom(json, "ideal_ns");
    numbers.serial = maybeTimeFrom(json, "serial_ns");
    if (json.contains("efficiency"))
        numbers.efficiency = realNumber(json["efficiency"], -1e6, 1e6);
    numbers.limiting = textFrom(json, "limiting");
    numbers.limit = timeFrom(json, "limit_ns");
    numbers.isLimited = flagFrom(json, "is_limited");
    numbers.gainsLittle = flagFrom(json, "gains_little");
    numbers.hasAccount = flagFrom(json, "has_account");
    numbers.unexplained = timeFrom(json, "unexplained_ns");
    numbers.raced = flagFrom(json, "raced");
    readLists(json, numbers);
    return numbers;
}

} // namespace olab::sweep
