// Copies from or to pageable host memory go through the driver's pinned staging buffer while the issuing call
// may wait (CUDA Runtime API, "API synchronization behavior"). Small ones to the device are not counted,
// because their calls do not wait. Each call to the host was seen to wait, but fetching a value is not a
// memory problem.
#include "facts/sentences.h"
#include "measure/measure.h"
#include "rules/rule.h"

namespace olab::analysis::rules::pageable {
namespace {

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
    std::uint64_t h2d = 0, d2h = 0;
    std::uint64_t slow() const { return h2d + d2h; }
};

Copies slowCopies(const TraceFacts& facts) {
    Copies copies;
    for (const Work& work : facts.works())
        if (isSlow(work))
            (work.cls == ActivityClass::MemcpyH2D ? copies.h2d : copies.d2h) += work.count;
    return copies;
}

std::string countText(const Copies& copies) {
    std::vector<std::string> parts;
    if (copies.h2d > 0)
        parts.push_back(std::to_string(copies.h2d) + " H2D");
    if (copies.d2h > 0)
        parts.push_back(std::to_string(copies.d2h) + " D2H");
    return joined(parts) + (copies.slow() == 1 ? " copy uses" : " copies use");
}

/// The cost of the calls of such copies, or of the copies if no calls were recorded.
class Cost {
public:
    explicit Cost(const TraceFacts& facts)
        : m_facts(facts) {
        for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
            const ActivityIndex row = facts.deviceWork().row(n), call = facts.apiOf(row);
            if (isSlow(facts[facts.workAt(n)]))
                seeSlow(row, call);
            else if (call != kNoActivity)
                m_otherCalls.push_back(facts.trace().duration(call));
        }
    }
    bool hasCalls() const { return !m_calls.empty(); }
    Ns lost() { return hasCalls() ? heldHost() : m_alone; }
    const Evidence& copies() const { return m_copies; }

private:
    void seeSlow(ActivityIndex copy, ActivityIndex call) {
        const Trace& trace = m_facts.trace();
        const Interval time = trace.time(copy);
        m_copies.add(time.length(), copy, trace.cls(copy));
        if (call != kNoActivity)
            return m_calls.push_back(trace.time(call));
        const auto& coverage = m_facts.perDevice()[trace.device(copy)].coverage;
        m_alone += time.length() - coverage[static_cast<std::size_t>(ActivityClass::Kernel)].measure(time);
    }
    /// Time beyond the cost of issuing, in which the host could not queue anything else.
    Ns heldHost() {
        const auto count = static_cast<Ns>(m_calls.size());
        const Ns held = IntervalSet::unionOf(m_calls).measure(m_facts.trace().deviceSpan());
        const Ns typical = medianOf(m_otherCalls);
        return typical > held / count ? 0 : held - typical * count;
    }

    const TraceFacts& m_facts;
    Evidence m_copies;
    std::vector<Interval> m_calls;
    std::vector<Ns> m_otherCalls; ///< durations of other issuing calls: the normal cost of issuing
    Ns m_alone = 0; ///< time of copies without a concurrent kernel: the only evidence without calls
};

std::optional<RuleResult> judge(const TraceFacts& facts) {
    const Copies copies = slowCopies(facts);
    if (copies.slow() == 0)
        return {};
    Cost cost(facts);
    RuleResult result{FindingStatus::Proved, cost.lost(), cost.copies(), {}};
    result.text =
        countText(copies) + " pageable host memory: the driver stages the data and the issuing call waits; " +
        (cost.hasCalls()
             ? "these calls held the host for " + timeText(result.lost) + " more than issuing takes."
             : timeText(result.lost) + " of their time had no kernel beside it.");
    return result;
}

/// A single copy with unknown memory may be the pageable one.
std::string memoryKindsOfCopies(const TraceFacts& facts) {
    std::uint64_t judged = 0, unknown = 0; // judged: large, or of unknown size
    for (const Work& work : facts.works()) {
        const MemoryKind memory = hostMemory(work);
        const bool large = isLargeHostCopy(work), noSize = work.isHostCopy() && work.bytes <= 0;
        const bool isUnknown = (large && memory == MemoryKind::Unknown) ||
                               (noSize && (memory == MemoryKind::Unknown || memory == MemoryKind::Pageable));
        judged += large || noSize ? work.count : 0;
        unknown += isUnknown ? work.count : 0;
    }
    if (unknown == 0)
        return {};
    return "the memory kinds of " +
           (unknown == judged ? "the copies"
                              : std::to_string(unknown) + " of " + std::to_string(judged) + " copies");
}

} // namespace

RuleRow row() {
    static constexpr Need kNeeds[] = {memoryKindsOfCopies};
    return {.id = "pageable", .needs = kNeeds, .judge = judge};
}

} // namespace olab::analysis::rules::pageable
