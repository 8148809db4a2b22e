// Copies from or to pageable memory go through the driver's pinned staging buffer while the issuing call
// waits (CUDA Runtime API, "API synchronization behavior"). Up to 64 KiB the data goes with the command and
// the call returns at once.
#include "../measure.h"
#include "../sentences.h"
#include "rule_functions.h"

namespace olab {
namespace {

constexpr std::int64_t kSentWithCommand = 64 << 10;

bool isLargeHostCopy(const Work& work) {
    return work.isHostCopy() && work.bytes > kSentWithCommand;
}

MemoryKind hostMemory(const Work& work) {
    return work.cls == ActivityClass::MemcpyH2D ? work.source : work.target;
}

bool isSlow(const Work& work) {
    return isLargeHostCopy(work) && hostMemory(work) == MemoryKind::Pageable;
}

struct Copies {
    std::uint64_t h2d = 0, d2h = 0, judged = 0, unknown = 0; // judged: large, or of unknown size
};

Copies countCopies(std::span<const Work> works) {
    Copies copies;
    for (const Work& work : works) {
        const MemoryKind memory = hostMemory(work);
        const bool large = isLargeHostCopy(work), noSize = work.isHostCopy() && work.bytes <= 0;
        const bool isUnknown = (large && memory == MemoryKind::Unknown) ||
                               (noSize && (memory == MemoryKind::Unknown || memory == MemoryKind::Pageable));
        copies.judged += large || noSize ? work.count : 0;
        copies.unknown += isUnknown ? work.count : 0;
        if (isSlow(work))
            (work.cls == ActivityClass::MemcpyH2D ? copies.h2d : copies.d2h) += work.count;
    }
    return copies;
}

struct Found {
    std::vector<ActivityIndex> copies;
    std::vector<Interval> calls;
    std::vector<Ns> otherCalls; // lengths of the calls that issued anything else: what issuing costs
};

Found findCopies(const Facts& facts) {
    Found found;
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
        const ActivityIndex i = facts.deviceWork().row(n);
        const ActivityIndex call = facts.apiOf(i);
        if (isSlow(facts[facts.workAt(n)])) {
            found.copies.push_back(i);
            if (call != kNoActivity)
                found.calls.push_back(facts.trace().time(call));
        } else if (call != kNoActivity)
            found.otherCalls.push_back(facts.trace().duration(call));
    }
    return found;
}

// How long issuing calls held the host beyond what issuing costs: time in which it could queue nothing else.
// Without API records: how long these copies ran with no kernel beside them.
Ns lostBy(const Facts& facts, Found& found) {
    if (!found.calls.empty()) {
        const auto count = static_cast<Ns>(found.calls.size());
        const Ns held = IntervalSet::unionOf(std::move(found.calls)).measure(facts.trace().deviceSpan());
        const Ns typical = medianOf(found.otherCalls);
        return typical > held / count ? 0 : held - typical * count;
    }
    Ns alone = 0;
    for (const ActivityIndex i : found.copies) {
        const DeviceFacts& device = facts.perDevice()[facts.trace().device(i)];
        alone +=
            facts.trace().duration(i) -
            device.coverage[static_cast<std::size_t>(ActivityClass::Kernel)].measure(facts.trace().time(i));
    }
    return alone;
}

/// One copy of which nothing is known may be the one that is pageable.
RuleResult nonePageable(const Copies& copies) {
    if (copies.unknown == 0)
        return {};
    const std::string which = copies.unknown == copies.judged ? "the copies"
                                                              : std::to_string(copies.unknown) + " of " +
                                                                    std::to_string(copies.judged) + " copies";
    return abstentionOf("pageable", "the memory kinds of " + which);
}

std::string countText(const Copies& copies) {
    std::vector<std::string> parts;
    if (copies.h2d > 0)
        parts.push_back(std::to_string(copies.h2d) + " H2D");
    if (copies.d2h > 0)
        parts.push_back(std::to_string(copies.d2h) + " D2H");
    return joined(parts) + (copies.h2d + copies.d2h == 1 ? " copy uses" : " copies use");
}

} // namespace

RuleResult judgePageable(const Facts& facts) {
    const Copies copies = countCopies(facts.works());
    if (copies.h2d + copies.d2h == 0)
        return nonePageable(copies);
    Found found = findCopies(facts);
    Finding finding = findingOf("pageable");
    finding.status = FindingStatus::Proved;
    const bool hasCalls = !found.calls.empty();
    finding.lost = lostBy(facts, found);
    Evidence evidence;
    for (const ActivityIndex i : found.copies)
        evidence.add(facts.trace().duration(i), i);
    evidence.giveTo(finding);
    finding.text =
        countText(copies) + " pageable host memory: the driver stages the data and the issuing call waits; " +
        (hasCalls ? "these calls held the host for " + timeText(finding.lost) + " more than issuing takes."
                  : timeText(finding.lost) + " of their time had no kernel beside it.");
    Remedy pinned;
    if (copies.h2d > 0)
        pinned.changes.emplace_back("h2d.memory", "pinned");
    if (copies.d2h > 0)
        pinned.changes.emplace_back("d2h.memory", "pinned");
    return Diagnosis{std::move(finding), {std::move(pinned)}};
}

} // namespace olab
