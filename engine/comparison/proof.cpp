#include <olab/comparison/proof.h>

#include <olab/analysis/cause_table.h>
#include <olab/analysis/race.h>
#include <olab/analysis/waits.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <cmath>

namespace olab::comparison {
namespace {

std::string relativeText(double relative) {
    return ratioText(1 + relative);
}

/// Whether the wait falls by more than half: certainly, certainly not, or unknown.
enum class WaitFate : std::uint8_t { Unknown, None, Gone, Stays, Unclear };

WaitFate fateOf(const std::optional<PairedChange>& wait) {
    if (!wait)
        return WaitFate::Unknown;
    if (wait->before <= 0)
        return WaitFate::None;
    const double half = -kWaitGone * static_cast<double>(wait->before);
    if (wait->high && static_cast<double>(*wait->high) < half)
        return WaitFate::Gone;
    if (wait->low && static_cast<double>(*wait->low) >= half)
        return WaitFate::Stays;
    return WaitFate::Unclear;
}

std::string waitText(const PairedChange& wait) {
    return analysis::timeText(wait.before) + " to " + analysis::timeText(wait.after);
}

/// The end of the interval on the predicted side is less than half of the prediction.
bool missesPrediction(const PairedChange& makespan, double predicted) {
    const double half = predicted / 2 * static_cast<double>(makespan.before);
    return predicted < 0 ? static_cast<double>(*makespan.low) > half
                         : static_cast<double>(*makespan.high) < half;
}

struct Judgement {
    ProofStatus status = ProofStatus::Inconclusive;
    std::string text;
};

std::string predictedText(const Proof& proof) {
    const auto relative = proof.predicted.relative();
    return relative ? " (predicted: " + relativeText(*relative) + ")" : "";
}

Judgement withoutWait(const Proof& proof) {
    if (proof.finding.empty())
        return {ProofStatus::Inconclusive, "No finding asked for this change: it proves none."};
    return {ProofStatus::Inconclusive,
            "These runs do not show the wait of " + proof.finding + ", so its removal cannot be judged."};
}

/// Judges the effect if the wait is gone.
Judgement whereWaitIsGone(const Proof& proof) {
    const PairedChange& makespan = *proof.makespan;
    const double relative =
        static_cast<double>(makespan.change) / std::max(1.0, static_cast<double>(makespan.before));
    const auto said = proof.predicted.relative();
    const double predicted = said.value_or(-1); // removing a cause makes nothing longer
    const std::string gone = "The wait went away (" + waitText(*proof.wait) + ")";
    if (predicted < -kNoGain ? makespan.falls() : predicted > kNoGain && makespan.rises())
        return {ProofStatus::Confirmed,
                gone + ", and the run became " + relativeText(relative) + predictedText(proof) + "."};
    if (std::abs(predicted) <= kNoGain)
        return {ProofStatus::Inconclusive,
                gone + ", and costs next to nothing: the run was predicted to stay as long, and became " +
                    relativeText(relative) + "."};
    if (said && missesPrediction(makespan, predicted))
        return {ProofStatus::Refuted, gone + ", but the run did not follow: " + changeText(makespan) +
                                          predictedText(proof) + ". Something else decides how long it is."};
    return {ProofStatus::Inconclusive, gone + ", but the runs differ too much to tell what that brought: " +
                                           changeText(makespan) + predictedText(proof) + "."};
}

Judgement judgementOf(const Proof& proof) {
    if (!proof.obstacle.empty())
        return {ProofStatus::Inconclusive, proof.obstacle};
    if (!proof.makespan || !proof.makespan->low)
        return {ProofStatus::Inconclusive, "Only " + std::to_string(proof.pairs) +
                                               " pairs were run: " + std::to_string(kFewestPairs) +
                                               " are the fewest that give an interval of 95 %."};
    switch (fateOf(proof.wait)) {
    case WaitFate::Unknown:
        return withoutWait(proof);
    case WaitFate::None:
        return {ProofStatus::Inconclusive, "In these runs " + proof.finding +
                                               " cost nothing before the change either: there was nothing to "
                                               "take away."};
    case WaitFate::Stays:
        return {ProofStatus::Refuted, "The wait stays (" + waitText(*proof.wait) +
                                          "): the change does not take the cause away, or it is another."};
    case WaitFate::Unclear:
        return {ProofStatus::Inconclusive,
                "The wait changes too differently from run to run to tell whether it fell by half: " +
                    changeText(*proof.wait) + "."};
    case WaitFate::Gone:
        return whereWaitIsGone(proof);
    }
    return {};
}

} // namespace

namespace {

/// For a cause without a rule, or with a rule that judges waits: also if it costs too little for a finding.
/// Unknown without an account.
std::optional<Ns> accountedWait(const analysis::Report& report, analysis::LossCause cause) {
    if (!report.ledger || !report.ledger->missing.empty() || cause == analysis::LossCause::None)
        return std::nullopt;
    const auto& entries = report.ledger->entries;
    const auto entry = std::ranges::find(entries, cause, &analysis::LedgerEntry::cause);
    return entry == entries.end() ? 0 : std::max(entry->waited, entry->cost);
}

} // namespace

std::optional<Ns> waitOf(const analysis::Report& report, std::string_view finding) {
    if (const auto at = std::ranges::find(report.findings, finding, &analysis::Finding::id);
        at != report.findings.end())
        return at->waited;
    const bool abstained = std::ranges::any_of(
        report.abstained, [&](const analysis::Abstention& a) { return a.rule == finding; });
    if (abstained)
        return std::nullopt;
    if (const auto accounted = accountedWait(report, analysis::lossCauseOf(finding)))
        return accounted;
    return analysis::ruleOf(finding) ? std::optional<Ns>(0) : std::nullopt;
}

RunNumbers numbersOf(const analysis::Report& report, std::string_view finding) {
    RunNumbers numbers;
    numbers.makespan = report.bounds.measured;
    if (!finding.empty())
        numbers.wait = waitOf(report, finding);
    for (const analysis::Verdict& verdict : report.verdicts) {
        if (verdict.known)
            numbers.overlap = numbers.overlap.value_or(0) + verdict.overlap;
        if (verdict.known && verdict.blockedKnown)
            numbers.blocked = numbers.blocked.value_or(0) + verdict.blocked;
    }
    return numbers;
}

std::optional<double> PredictedChange::relative() const {
    if (!before.makespan || !after.makespan || *before.makespan <= 0)
        return std::nullopt;
    return static_cast<double>(*after.makespan) / static_cast<double>(*before.makespan) - 1;
}

std::optional<double> Prediction::relative() const {
    return all.empty() ? std::nullopt : all.front().relative();
}

bool Prediction::differs() const {
    std::optional<double> low, high;
    for (const PredictedChange& one : all)
        if (const auto relative = one.relative()) {
            low = std::min(low.value_or(*relative), *relative);
            high = std::max(high.value_or(*relative), *relative);
        }
    return low && *high - *low > kSamePrediction;
}

std::string_view proofStatusName(ProofStatus status) {
    constexpr std::string_view kNames[] = {"confirmed", "refuted", "inconclusive"};
    return kNames[static_cast<std::size_t>(status)];
}

std::string_view proofStatusText(const Proof& proof) {
    switch (proof.status) {
    case ProofStatus::Confirmed:
        return analysis::findingStatusText(analysis::FindingStatus::Confirmed, proof.simulated);
    case ProofStatus::Refuted:
        return analysis::findingStatusText(analysis::FindingStatus::Refuted, proof.simulated);
    case ProofStatus::Inconclusive:
        break;
    }
    return "inconclusive";
}

void judgeProof(Proof& proof) {
    Judgement judged = judgementOf(proof);
    proof.status = judged.status;
    proof.text = std::move(judged.text);
    if (proof.simulated)
        proof.text += " Simulated: this says nothing about hardware.";
}

void applyProofs(const std::vector<Proof>& proofs, analysis::Report& report) {
    const bool raced = !analysis::raceText(report).empty();
    for (const Proof& proof : proofs) {
        const auto at = std::ranges::find(report.findings, proof.finding, &analysis::Finding::id);
        if (at == report.findings.end() || raced || proof.status == ProofStatus::Inconclusive)
            continue;
        at->status = proof.status == ProofStatus::Confirmed ? analysis::FindingStatus::Confirmed
                                                            : analysis::FindingStatus::Refuted;
    }
}

} // namespace olab::comparison
