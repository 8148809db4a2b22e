#include <olab/sweep/cell_numbers.h>

#include <olab/analysis/cause_table.h>
#include <olab/trace/number_text.h>

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
    constexpr double kFull = 0.8; // of the run: more of anything else would bring little
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

} // namespace olab::sweep
