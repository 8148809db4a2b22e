// Operations of one stream run one after the other, whatever the hardware could do.
#include "../sentences.h"
#include "../verdicts.h"
#include "rule_functions.h"

#include <olab/trace/lanes.h>

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
    return std::ranges::all_of(facts.lanes().lanes(), [&facts](const Lane& lane) {
        return lane.kind != LaneKind::Stream || facts.trace().queue(lane.queue).number != kNoNumber;
    });
}

Evidence opsThatFollowed(const Facts& facts) {
    Evidence evidence;
    const WaitTable& waits = facts.waitTable();
    for (std::size_t n = 0; n < waits.size(); ++n)
        if (waits.cause(n) == WaitCause::StreamOrder) {
            const ActivityIndex i = facts.deviceWork().row(n);
            evidence.add(facts.trace().duration(i), i);
        }
    return evidence;
}

} // namespace

RuleResult judgeSameStream(const Facts& facts) {
    Found found;
    for (const DeviceReport& device : facts.devices())
        look(device, found);
    if (found.pairs.empty())
        return knowsStreams(facts) ? RuleResult()
                                   : RuleResult(abstentionOf("same-stream", "the streams of the operations"));
    Finding finding = findingOf("same-stream");
    finding.status = FindingStatus::Proved;
    finding.lost = found.lost;
    opsThatFollowed(facts).giveTo(finding);
    finding.text = "All operations of these pairs are in one stream and so had to run one after the other: " +
                   joined(found.pairs) + ". Up to " + timeText(found.lost) + " of one pair could be hidden.";
    return Diagnosis{std::move(finding), {{{{"streams", "3"}}, {}}}};
}

} // namespace olab
