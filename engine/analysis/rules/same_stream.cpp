// Operations of one stream run one after the other, regardless of the hardware.
#include "facts/sentences.h"
#include "rules/rule.h"

#include <algorithm>

namespace olab::analysis::rules::same_stream {
namespace {

constexpr std::uint64_t kFewOps = 3;

bool shareOneStream(const ClassNumbers& a, const ClassNumbers& b) {
    return a.count >= kFewOps && b.count >= kFewOps && a.streams.size() == 1 && a.streams == b.streams;
}

struct Found {
    std::vector<std::string> pairs;
    /// The largest additional overlap of any single pair; pairs must not be summed.
    Ns lost = 0;
};

/// Migrations of touched managed pages are in no stream, whatever their record says; explicit copies have
/// another stream number.
bool migrates(const DeviceReport& device, ActivityClass cls) {
    return device.derived.uvmCount > 0 && isCopyClass(cls);
}

void look(const DeviceReport& device, Found& found) {
    for (const auto& [pair, overlap] : device.pairs) {
        if (migrates(device, pair.first) || migrates(device, pair.second))
            continue;
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

std::optional<RuleResult> judge(const TraceFacts& facts) {
    Found found;
    for (const DeviceReport& device : facts.devices())
        look(device, found);
    if (found.pairs.empty())
        return {};
    RuleResult result{FindingStatus::Proved, found.lost, {}, {}};
    const auto causes = facts.waitTable().causes();
    for (std::size_t n = 0; n < causes.size(); ++n)
        if (causes[n] == LossCause::StreamOrder) { // it followed another work of its stream
            const ActivityIndex row = facts.deviceWork().row(n);
            result.evidence.add(facts.trace().duration(row), row, facts.trace().cls(row));
        }
    result.text = "All operations of these pairs are in one stream and so had to run one after the other: " +
                  joined(found.pairs) + ". Up to " + timeText(found.lost) + " of one pair could be hidden.";
    return result;
}

} // namespace

RuleRow row() {
    static constexpr Need kNeeds[] = {streamsOfWork};
    return {.id = "same-stream", .needs = kNeeds, .judge = judge};
}

} // namespace olab::analysis::rules::same_stream
