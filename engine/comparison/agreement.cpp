#include <olab/comparison/agreement.h>

#include <olab/analysis/waits.h>
#include <olab/comparison/comparison.h>
#include <olab/comparison/proof.h>
#include <olab/experiment/presets.h>
#include <olab/trace/error.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace olab::comparison {

/// The file of agreements as CMake built it in (agreement_lines.cpp.in).
std::string_view agreementLines();

namespace {

constexpr char kTab = '\t';
/// Serialized although the clock shows more overlap than this: the times show that one held the other.
constexpr double kBesideByClock = 0.05;

std::string pairOf(const analysis::Verdict& verdict) {
    return std::string(classLabel(verdict.a)) + " | " + std::string(classLabel(verdict.b));
}

std::string outcomeOf(const analysis::Verdict& verdict) {
    std::string text(analysis::verdictName(verdict.kind));
    if (verdict.kind == analysis::VerdictKind::Inconclusive)
        return text;
    if (verdict.kind == analysis::VerdictKind::Serialized && verdict.ofAttainable > kBesideByClock &&
        verdict.blocked > 0)
        return text + " blocked " + analysis::timeText(verdict.blocked);
    const bool isSlowed = verdict.kind == analysis::VerdictKind::Stretched;
    const double share = isSlowed ? verdict.slowed() : verdict.ofAttainable;
    return text + (isSlowed ? " by " : " ") + std::to_string(std::lround(share * 100)) + " %";
}

std::string_view wordOf(std::string_view outcome) {
    return outcome.substr(0, outcome.find(' '));
}

std::vector<std::string> fieldsOf(std::string_view line) {
    std::vector<std::string> fields;
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t end = std::min(line.find(kTab, at), line.size());
        fields.emplace_back(line.substr(at, end - at));
        at = end + 1;
    }
    return fields;
}

Ns timeFrom(const std::string& text) {
    Ns time = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), time);
    if (failed != std::errc() || end != text.data() + text.size())
        throw Error(ErrorKind::Usage, "no-agreement", "\"" + text + "\" is not a time in nanoseconds.", "");
    return time;
}

std::vector<ModelAgreement> allOf(std::string_view text) {
    std::vector<ModelAgreement> all;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (const std::string_view line = text.substr(0, end); !line.empty() && line.front() != '#')
            all.push_back(agreementFrom(line));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return all;
}

std::string differenceText(const ModelAgreement& agreement) {
    std::string text;
    for (const PairAgreement& pair : agreement.pairs)
        if (!pair.alike())
            text += (text.empty() ? "; not " : ", ") + pair.pair + ": recorded " + pair.recorded +
                    ", simulated " + pair.simulated;
    return text;
}

std::string alikeText(const ModelAgreement& agreement) {
    const std::size_t all = agreement.pairs.size();
    return std::to_string(agreement.alike()) + " of " + std::to_string(all) + (all == 1 ? " pair" : " pairs");
}

std::string timesOf(const ModelAgreement& agreement) {
    return analysis::timeText(agreement.recorded) + " (simulated " + analysis::timeText(agreement.simulated) +
           ")";
}

} // namespace

bool PairAgreement::alike() const {
    return wordOf(recorded) == wordOf(simulated);
}

std::size_t ModelAgreement::alike() const {
    return static_cast<std::size_t>(std::ranges::count_if(pairs, &PairAgreement::alike));
}

int ModelAgreement::longerPercent() const {
    return recorded <= 0 ? 0
                         : static_cast<int>(std::lround(100 * static_cast<double>(simulated - recorded) /
                                                        static_cast<double>(recorded)));
}

ModelAgreement agreementOf(std::string preset, std::string device, const analysis::Report& recorded,
                           const analysis::Report& simulated) {
    ModelAgreement made{std::move(preset),
                        std::move(device),
                        recorded.bounds.measured.value_or(0),
                        simulated.bounds.measured.value_or(0),
                        {}};
    const auto there = shownVerdicts(simulated);
    for (const analysis::Verdict* verdict : shownVerdicts(recorded)) {
        if (verdict->kind == analysis::VerdictKind::Inconclusive)
            continue; // nothing to compare with
        const analysis::Verdict* const other = sameVerdict(there, *verdict);
        if (other && !(verdict->minor() && other->minor()))
            made.pairs.push_back({pairOf(*verdict), outcomeOf(*verdict), outcomeOf(*other)});
    }
    std::ranges::sort(made.pairs, {}, &PairAgreement::pair);
    return made;
}

std::string agreementLine(const ModelAgreement& agreement) {
    std::string line = agreement.preset + kTab + agreement.device + kTab +
                       std::to_string(agreement.recorded) + kTab + std::to_string(agreement.simulated);
    for (const PairAgreement& pair : agreement.pairs)
        line += kTab + pair.pair + kTab + pair.recorded + kTab + pair.simulated;
    return line;
}

ModelAgreement agreementFrom(std::string_view line) {
    constexpr std::size_t kHead = 4, kPair = 3;
    const std::vector<std::string> fields = fieldsOf(line);
    if (fields.size() < kHead || (fields.size() - kHead) % kPair != 0)
        throw Error(ErrorKind::Usage, "no-agreement", "A line of agreements has fields that are missing.",
                    "");
    ModelAgreement read{fields[0], fields[1], timeFrom(fields[2]), timeFrom(fields[3]), {}};
    for (std::size_t at = kHead; at < fields.size(); at += kPair)
        read.pairs.push_back({fields[at], fields[at + 1], fields[at + 2]});
    return read;
}

std::span<const ModelAgreement> shippedAgreements() {
    static const std::vector<ModelAgreement> all = allOf(agreementLines());
    return all;
}

const ModelAgreement* shippedAgreement(const experiment::Experiment& experiment) {
    const auto all = shippedAgreements();
    const auto found = std::ranges::find_if(all, [&](const ModelAgreement& each) {
        const experiment::Preset* preset = experiment::findPreset(each.preset);
        return preset && preset->experiment == experiment;
    });
    return found == all.end() ? nullptr : &*found;
}

std::string agreementText(const ModelAgreement& agreement, bool brief) {
    std::string text = "Recorded on an " + agreement.device + " the same settings took " +
                       analysis::timeText(agreement.recorded) + ", simulated " +
                       analysis::timeText(agreement.simulated) + ".";
    if (!agreement.pairs.empty())
        text += " " + alikeText(agreement) + (agreement.pairs.size() == 1 ? " is" : " are") +
                " judged alike" + (brief ? std::string() : differenceText(agreement)) + ".";
    return text;
}

std::string agreementShortly(const ModelAgreement& agreement) {
    const int longer = agreement.longerPercent();
    const std::string time =
        longer == 0 ? "same time" : (longer > 0 ? "+" : "−") + std::to_string(std::abs(longer)) + " %";
    return "simulated: " + (agreement.pairs.empty() ? std::string() : alikeText(agreement) + ", ") +
           (longer == 0 ? "" : "time ") + time;
}

namespace {

double changeOf(Ns was, Ns is) {
    return was > 0 ? static_cast<double>(is - was) / static_cast<double>(was) : 0;
}

} // namespace

std::string recordedChangeText(const experiment::Experiment& before, const experiment::Experiment& after) {
    const ModelAgreement *was = shippedAgreement(before), *is = shippedAgreement(after);
    if (!was && !is)
        return {};
    const std::string& device = (was ? was : is)->device;
    if (!was || !is)
        return "Recorded on an " + device + ", " + (was ? "before" : "after") +
               " the change: " + timesOf(was ? *was : *is) + ".";
    const std::string text =
        "Recorded on an " + device + ": before " + timesOf(*was) + ", after " + timesOf(*is);
    const double there = changeOf(was->recorded, is->recorded),
                 here = changeOf(was->simulated, is->simulated);
    const bool isOtherwise = (there < 0) != (here < 0) && std::abs(there - here) > kSamePrediction;
    return text + (isOtherwise ? ". The recordings contradict the simulator." : ".");
}

} // namespace olab::comparison
