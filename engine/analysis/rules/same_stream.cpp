// Operations of one stream run one after the other, whatever the hardware could do.
#include "../sentences.h"
#include "../verdicts.h"
#include "rule_functions.h"

#include <algorithm>

namespace olab {
namespace {

constexpr std::uint64_t kFewOps = 3;

bool shareOneStream(const ClassNumbers& a, const ClassNumbers& b) {
    return a.count >= kFewOps && b.count >= kFewOps && a.streams.size() == 1 && a.streams == b.streams;
}

struct Found {
    std::vector<std::string> pairs;
    Ns lost =
        0; // the largest time one pair could have overlapped more: a bound for each alone, never their sum
};

void look(const DeviceReport& device, Found& found) {
    for (const auto& [pair, overlap] : device.pairs) {
        const ClassNumbers &a = device.classes.at(pair.first), &b = device.classes.at(pair.second);
        const Ns attainable = std::min(a.busy, b.busy);
        const bool overlapped = static_cast<double>(overlap) >= kOverlapped * static_cast<double>(attainable);
        if (!shareOneStream(a, b) || overlapped)
            continue;
        found.pairs.push_back(std::string(classLabel(pair.second)) + " with " +
                              std::string(classLabel(pair.first)) + " (stream " + a.streams.front() + ")");
        found.lost = std::max(found.lost, attainable - overlap);
    }
}

bool knowsStreams(const Facts& facts) {
    return std::all_of(facts.waits.begin(), facts.waits.end(), [&facts](const Wait& w) {
        return facts.trace.queue(facts.trace[w.activity].queue).number != kNoNumber;
    });
}

std::vector<Cost> opsThatFollowed(const Facts& facts) {
    std::vector<Cost> costs;
    for (const Wait& w : facts.waits)
        if (w.cause == WaitCause::StreamOrder)
            costs.push_back({facts.trace.time(w.activity).length(), w.activity});
    return costs;
}

} // namespace

RuleResult judgeSameStream(const Facts& facts) {
    Found found;
    for (const DeviceReport& device : facts.devices)
        look(device, found);
    if (found.pairs.empty())
        return knowsStreams(facts) ? RuleResult()
                                   : RuleResult(abstentionOf("same-stream", "the streams of the operations"));
    Finding finding = findingOf("same-stream");
    finding.status = FindingStatus::Proved;
    finding.lost = found.lost;
    std::vector<Cost> costs = opsThatFollowed(facts);
    addEvidence(finding, costs);
    finding.text = "All operations of these pairs are in one stream and so had to run one after the other: " +
                   joined(found.pairs) + ". Up to " + timeText(found.lost) + " of one pair could be hidden.";
    return Diagnosis{std::move(finding), {{{{"streams", "3"}}, {}}}};
}

} // namespace olab
