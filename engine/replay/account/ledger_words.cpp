#include "account/ledger_words.h"

#include <olab/analysis/cause_findings.h>
#include <olab/analysis/cause_table.h>
#include <olab/analysis/collectives.h>
#include <olab/analysis/ideal.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <cctype>

namespace olab::replay {
namespace {

std::string capital(std::string_view text) {
    std::string result(text);
    if (!result.empty() && result[0] >= 'a' && result[0] <= 'z')
        result[0] = static_cast<char>(result[0] - 'a' + 'A');
    return result;
}

/// "12 operations waited 4.2 ms in sum"; slowed work took longer, it did not wait.
std::string sumOf(const analysis::LedgerEntry& entry) {
    const bool slowed = analysis::causeRow(entry.cause).slows;
    return std::to_string(entry.count) + (entry.count == 1 ? " operation " : " operations ") +
           (slowed ? "took " : "waited ") + analysis::timeText(entry.waited) + (slowed ? " longer" : "") +
           (entry.count == 1 ? "" : " in sum");
}

/// The limits of an entry's numbers.
std::string limitText(const analysis::Ledger& ledger, const analysis::LedgerEntry& entry) {
    constexpr Ns kPartWorthSaying = 33; // of the run
    const bool isElseProved = analysis::causeRow(entry.cause).isProved != nullptr;
    if (entry.isInferred && isElseProved)
        return " An estimate: what they waited for is inferred from calls and times.";
    if (kPartWorthSaying * entry.more < ledger.measured)
        return {};
    return " As a graph the device still takes " + analysis::timeText(entry.more) +
           " for short kernels of one name, 32 or more in a row: fewer, larger ones could save up to that "
           "too.";
}

std::string sentenceOf(const analysis::Ledger& ledger, const analysis::LedgerEntry& entry) {
    std::string text = capital(analysis::causeRow(entry.cause).because) + ": ";
    if (entry.cost <= 0 && !entry.onlyWith.empty())
        return text + "it costs the run nothing alone." + analysis::aloneText(ledger, entry);
    if (entry.cost <= 0)
        return text + (entry.waited > 0
                           ? sumOf(entry) + ", hidden behind other work: it costs the run nothing."
                           : "it costs the run nothing.");
    const bool isInDoubt = entry.cause == analysis::LossCause::Tool && ledger.recorderInDoubt;
    text += (isInDoubt || entry.isAtMost ? "it costs up to " : "it costs ") + analysis::timeText(entry.cost) +
            " of the run";
    if (isInDoubt)
        return text + ". Whether the host is late without it, only a run that is not recorded can show.";
    if (entry.waited >= entry.cost) // otherwise it is not all waits: longer copies, a delayed host
        text += " (" + sumOf(entry) + ")";
    return text + "." + analysis::aloneText(ledger, entry) + limitText(ledger, entry);
}

/// Says that more streams could make the same work much faster.
std::string engineHint(const analysis::Bounds& bounds) {
    constexpr double kMuchLess = 0.75;
    const auto engines = static_cast<double>(bounds.twoCopyEngines.value_or(0));
    if (engines > kMuchLess * static_cast<double>(bounds.criticalPath.value_or(0)))
        return {};
    return ", no engine has work for more than " + analysis::timeText(*bounds.twoCopyEngines);
}

/// "H2D copy" of "copy_h2d".
std::string engineName(std::string_view limiting) {
    constexpr std::string_view kCopy = "copy_";
    if (!limiting.starts_with(kCopy))
        return std::string(limiting);
    std::string direction(limiting.substr(kCopy.size()));
    std::ranges::transform(direction, direction.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return direction + " copy";
}

/// The bottleneck of the run without any causes.
std::string boundOf(const analysis::Bounds& bounds) {
    const std::string& limiting = bounds.limiting;
    if (!bounds.gainsLittle && !bounds.isLimited())
        return "neither an engine nor the order of streams is the bottleneck";
    if (limiting == "chain")
        return "the order of its streams is the bottleneck" + engineHint(bounds);
    if (limiting.empty() || bounds.gainsLittle)
        return "overlap would save almost nothing";
    return "the " + engineName(limiting) + " engine is the bottleneck";
}

/// A time of the judged run as people compare it: per iteration for a program that repeats itself.
std::string judgedText(const analysis::Ledger& ledger, Ns time) {
    const auto iterations = static_cast<Ns>(ledger.part ? ledger.part->iterations : 1);
    return analysis::timeText(time / std::max<Ns>(1, iterations));
}

/// "38.0 ms", "4.8 ms per iteration".
std::string runText(const analysis::Ledger& ledger) {
    return judgedText(ledger, ledger.measured) + (ledger.part ? " per iteration" : "");
}

/// Host work is listed after waits even if it costs more; then both are named. Null: naming the first is
/// enough.
const analysis::LedgerEntry* muchLarger(const analysis::Ledger& ledger, const analysis::LedgerEntry& first) {
    constexpr Ns kTimesLarger = 2;
    const analysis::LedgerEntry* largest = &first;
    for (const analysis::LedgerEntry& entry : ledger.entries)
        if (entry.cause != analysis::LossCause::Tool && entry.cost > largest->cost)
            largest = &entry;
    return largest->cost > kTimesLarger * first.cost ? largest : nullptr;
}

constexpr double kWorthSaying = 0.05; ///< of the run, about the recording

/// "costs 24.6 ms of 38.0 ms, other causes 2.1 ms": with the ideal run they add up to the run.
std::string costOf(const analysis::Ledger& ledger, const analysis::LedgerEntry& first) {
    Ns others = 0, recording = 0;
    for (const analysis::LedgerEntry& entry : ledger.entries)
        if (entry.cause != first.cause)
            (entry.cause == analysis::LossCause::Tool ? recording : others) += entry.cost;
    std::string text = (first.isAtMost ? "costs up to " : "costs ") + judgedText(ledger, first.cost) +
                       " of " + runText(ledger);
    if (static_cast<double>(others) >= analysis::kWorthAFinding * static_cast<double>(ledger.measured))
        text += ", other causes " + judgedText(ledger, others);
    if (const analysis::LedgerEntry* const larger = muchLarger(ledger, first))
        text += " (mostly " + std::string(analysis::lossCauseTitle(larger->cause)) + ")";
    if (static_cast<double>(recording) >= kWorthSaying * static_cast<double>(ledger.measured))
        text += ", the recording itself about " + judgedText(ledger, recording);
    return text;
}

/// "3.5x slower than ideal", "4 % slower than ideal", "at the limit".
std::string slowerText(double ratio) {
    constexpr double kNone = 1.005; // no per cent
    if (ratio < kNone)
        return "at the limit";
    return (ratio >= 1.2 ? fixedText(ratio, ratio < 10 ? 1 : 0) + "x"
                         : fixedText((ratio - 1) * 100, 0) + " %") +
           " slower than ideal";
}

/// No record explains most of the lost time. Without recorded calls it is unknown whether any of it could be
/// saved.
std::string unexplainedHeadline(const analysis::Ledger& ledger, double ratio) {
    constexpr std::size_t kPartWorthSaying = 50; // of the operations
    std::string text = ledger.lacksCalls ? "For " : capital(slowerText(ratio)) + ": for ";
    text += judgedText(ledger, ledger.unexplained) + " of " + runText(ledger) +
            " no record says what the device waited for";
    if (ledger.lacksCalls)
        text += " (API calls were not recorded)";
    else if (ledger.withoutCall * kPartWorthSaying >= ledger.waits.size())
        text += " (the calls of " + std::to_string(ledger.withoutCall) + " of its " +
                std::to_string(ledger.waits.size()) + " operations were not recorded)";
    if (!ledger.entries.empty() && ledger.entries.front().cost >= ledger.measured / 50)
        text += "; " + std::string(analysis::causeRow(ledger.entries.front().cause).because) +
                ", which costs " + judgedText(ledger, ledger.entries.front().cost);
    return text + ".";
}

Ns recordingOf(const analysis::Ledger& ledger) {
    const auto entry =
        std::ranges::find(ledger.entries, analysis::LossCause::Tool, &analysis::LedgerEntry::cause);
    return entry == ledger.entries.end() ? 0 : entry->cost;
}

/// Two causes may share the lost time: a host that waits, and its work after the wait. Fixing either helps.
const analysis::LedgerEntry* otherWayOf(const analysis::Ledger& ledger) {
    constexpr Ns kAboutAsMuch = 3, kOf = 5; // three fifths
    if (!ledger.part || ledger.entries.empty())
        return nullptr;
    using enum analysis::LossCause;
    const Ns first = ledger.entries.front().cost;
    const analysis::LossCause cause = ledger.entries.front().cause;
    const bool needsEvents = cause == HeadOfLine || cause == Pageable; // they keep the copy's data
    const analysis::LedgerEntry* best = nullptr;
    for (const analysis::LedgerEntry& entry : ledger.entries) {
        const bool isAnother = &entry != &ledger.entries.front() && entry.cause != Tool &&
                               !(needsEvents && entry.cause == EventOrder) &&
                               !analysis::causeRow(entry.cause).slows;
        if (isAnother && kOf * entry.gain >= kAboutAsMuch * first && 2 * entry.cost < entry.gain &&
            (!best || entry.gain > best->gain))
            best = &entry;
    }
    return best;
}

std::string otherWayText(const analysis::Ledger& ledger) {
    if (const analysis::LedgerEntry* const other = otherWayOf(ledger))
        return " Fixing " + std::string(analysis::lossCauseTitle(other->cause)) +
               " instead would save up to " + judgedText(ledger, other->gain) + ".";
    return {};
}

/// "1.7x faster", compared with the run without recording.
std::string timesIfIndependent(const analysis::Ledger& ledger) {
    const Ns own = ledger.measured - recordingOf(ledger);
    const double times =
        static_cast<double>(own) / static_cast<double>(std::max<Ns>(1, own - ledger.ifIndependent.gain));
    return fixedText(times, times < 10 ? 1 : 0) + "x faster";
}

/// The last sentence of the headline, if its saving is larger than the cost of the first cause.
std::string conditionText(const analysis::Ledger& ledger, Ns first) {
    const Ns gain = ledger.ifIndependent.gain;
    if (gain <= first)
        return {};
    return " If kernels in a row do not need each other's results: up to " +
           (first > 0 ? judgedText(ledger, gain) + " more could be saved" : timesIfIndependent(ledger)) +
           " side by side (an estimate).";
}

/// "15 %", "0.8 %"
std::string shareText(double share) {
    return fixedText(100 * share, share < 0.1 ? 1 : 0) + " %";
}

std::string sentenceOf(const analysis::Ledger& ledger, const analysis::IfIndependent& told) {
    if (told.gain <= 0)
        return {};
    return std::to_string(told.kernels) + " kernels (most of the time: " + told.kernel +
           ") stand in a row with others of their kind" +
           (told.sequence > 1 ? ", in sequences of " + std::to_string(told.sequence) + " kernels that repeat,"
                              : std::string(",")) +
           " and each takes about " + shareText(told.share) + " of the device. If " +
           (told.sequence > 1 ? "these sequences" : "they") +
           " do not need each other's results, they would save up to " + analysis::timeText(told.gain) +
           " side by side in several streams, or as one larger kernel: " + timesIfIndependent(ledger) +
           ". An estimate, and no cause: only the author of the program knows whether they do.";
}

std::string headlineOf(const analysis::Ledger& ledger, const analysis::Bounds& bounds) {
    const Ns own = ledger.measured - recordingOf(ledger); // without the recording
    const double ratio = static_cast<double>(own) / static_cast<double>(std::max<Ns>(1, ledger.ideal));
    const Ns most = ledger.entries.empty() ? 0 : ledger.entries.front().cost;
    if (ratio >= 1.03 && ledger.unexplained > std::max(most, ledger.measured / 20))
        return unexplainedHeadline(ledger, ratio);
    if (ratio < 1.03 || most < ledger.measured / 50)
        return capital(slowerText(ratio)) + ": " +
               (ledger.ifIndependent.gain > 0 ? "kernels run one after the other and leave room on the device"
                                              : boundOf(bounds)) +
               "." + conditionText(ledger, 0);
    const analysis::LedgerEntry& first = ledger.entries.front();
    return capital(slowerText(ratio)) + ": " + std::string(analysis::causeRow(first.cause).because) +
           ". It " + costOf(ledger, first) + "." + otherWayText(ledger) + conditionText(ledger, first.cost);
}

/// Compares each as a share of the time that it was counted in.
bool costsMoreThanFirstCause(const analysis::Collectives& collectives, const analysis::Ledger& ledger) {
    const Ns most = ledger.entries.empty() ? 0 : ledger.entries.front().cost;
    const auto waited = static_cast<double>(collectives.devices[*collectives.straggler].waitedFor);
    return waited / static_cast<double>(std::max<Ns>(1, collectives.span)) >
           static_cast<double>(most) / static_cast<double>(std::max<Ns>(1, ledger.measured));
}

std::string behindStraggler(std::string_view straggler, std::string headline) {
    headline[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(headline[0])));
    return capital(straggler) + " Apart from that: " + headline;
}

} // namespace

void addWords(analysis::Ledger& ledger, const analysis::Facts& facts) {
    for (analysis::LedgerEntry& entry : ledger.entries)
        entry.text = sentenceOf(ledger, entry);
    if (const analysis::LedgerEntry* const other = otherWayOf(ledger))
        ledger.otherWay = other->cause;
    ledger.ifIndependent.text = sentenceOf(ledger, ledger.ifIndependent);
    analysis::Bounds bounds = facts.bounds();
    analysis::followIdeal(bounds, ledger);
    ledger.headline = headlineOf(ledger, bounds);
    const analysis::Collectives* const collectives = facts.collectives().get();
    if (collectives && collectives->straggler && costsMoreThanFirstCause(*collectives, ledger))
        ledger.headline = behindStraggler(collectives->text, ledger.headline);
}

std::string missedSentence(Ns measured, Ns model) {
    return "The model of this run takes " + analysis::timeText(model) + " instead of " +
           analysis::timeText(measured) + ": the model cannot reproduce this run, so there is no breakdown.";
}

std::string tooShortSentence(Ns ideal, Ns kernels) {
    return "Without what held it up the model of this run takes " + analysis::timeText(ideal) +
           ", and its kernels alone take " + analysis::timeText(kernels) +
           ": the model cannot reproduce this run, so there is no breakdown.";
}

} // namespace olab::replay
