// Copies from or to pageable memory go through the driver's pinned staging buffer while the issuing call
// waits (CUDA Runtime API, "API synchronization behavior"). Up to 64 KiB the data goes with the command and
// the call returns at once.
#include "../measure.h"
#include "../sentences.h"
#include "rule_functions.h"

namespace olab {
namespace {

constexpr std::int64_t kSentWithCommand = 64 << 10;

bool isHostCopy(const Activity& a) {
    return a.cls == ActivityClass::MemcpyH2D || a.cls == ActivityClass::MemcpyD2H;
}

bool isLargeHostCopy(const Activity& a) {
    return isHostCopy(a) && a.bytes > kSentWithCommand;
}

MemoryKind hostMemory(const Activity& a) {
    return a.cls == ActivityClass::MemcpyH2D ? a.source : a.target;
}

struct Found {
    std::vector<Cost> copies;
    std::vector<Interval> calls;
    std::vector<Ns> otherCalls; // lengths of the calls that issued anything else: what issuing costs
    std::uint64_t h2d = 0, d2h = 0, judged = 0, unknown = 0; // judged: large, or of unknown size
};

void look(const Facts& facts, ActivityIndex i, Found& found) {
    const Activity a = facts.trace[i];
    const ActivityIndex call = facts.apiOf[i];
    const bool large = isLargeHostCopy(a);
    const bool noSize = isHostCopy(a) && a.bytes <= 0;
    found.judged += large || noSize;
    found.unknown +=
        (large && hostMemory(a) == MemoryKind::Unknown) ||
        (noSize && (hostMemory(a) == MemoryKind::Unknown || hostMemory(a) == MemoryKind::Pageable));
    if (large && hostMemory(a) == MemoryKind::Pageable) {
        ++(a.cls == ActivityClass::MemcpyH2D ? found.h2d : found.d2h);
        found.copies.push_back({a.duration(), i});
        if (call != kNoActivity)
            found.calls.push_back(facts.trace.time(call));
    } else if (call != kNoActivity) {
        found.otherCalls.push_back(facts.trace.time(call).length());
    }
}

// How long issuing calls held the host beyond what issuing costs: time in which it could queue nothing else.
// Without API records: how long these copies ran with no kernel beside them.
Ns lostBy(const Facts& facts, Found& found) {
    if (!found.calls.empty()) {
        const auto count = static_cast<Ns>(found.calls.size());
        const Ns held = IntervalSet::unionOf(std::move(found.calls)).measure(facts.trace.deviceSpan());
        const Ns typical = medianOf(found.otherCalls);
        return typical > held / count ? 0 : held - typical * count;
    }
    Ns alone = 0;
    for (const Cost& c : found.copies) {
        const DeviceFacts& device = facts.perDevice[facts.trace[c.activity].device];
        alone += c.time - device.coverage[static_cast<std::size_t>(ActivityClass::Kernel)].measure(
                              facts.trace.time(c.activity));
    }
    return alone;
}

/// One copy of which nothing is known may be the one that is pageable.
RuleResult nonePageable(const Found& found) {
    if (found.unknown == 0)
        return {};
    const std::string which = found.unknown == found.judged ? "the copies"
                                                            : std::to_string(found.unknown) + " of " +
                                                                  std::to_string(found.judged) + " copies";
    return abstentionOf("pageable", "the memory kinds of " + which);
}

std::string countText(const Found& found) {
    std::vector<std::string> parts;
    if (found.h2d > 0)
        parts.push_back(std::to_string(found.h2d) + " H2D");
    if (found.d2h > 0)
        parts.push_back(std::to_string(found.d2h) + " D2H");
    return joined(parts) + (found.h2d + found.d2h == 1 ? " copy uses" : " copies use");
}

} // namespace

RuleResult judgePageable(const Facts& facts) {
    Found found;
    for (const Wait& w : facts.waits)
        look(facts, w.activity, found);
    if (found.copies.empty())
        return nonePageable(found);
    Finding finding = findingOf("pageable");
    finding.status = FindingStatus::Proved;
    const bool hasCalls = !found.calls.empty();
    finding.lost = lostBy(facts, found);
    addEvidence(finding, found.copies);
    finding.text =
        countText(found) + " pageable host memory: the driver stages the data and the issuing call waits; " +
        (hasCalls ? "these calls held the host for " + timeText(finding.lost) + " more than issuing takes."
                  : timeText(finding.lost) + " of their time had no kernel beside it.");
    Remedy pinned;
    if (found.h2d > 0)
        pinned.changes.emplace_back("h2d.memory", "pinned");
    if (found.d2h > 0)
        pinned.changes.emplace_back("d2h.memory", "pinned");
    return Diagnosis{std::move(finding), {std::move(pinned)}};
}

} // namespace olab
