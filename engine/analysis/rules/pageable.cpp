// Copies from or to pageable host memory go through the driver's pinned staging buffer while the issuing call
// may wait (CUDA Runtime API, "API synchronization behavior"). Small ones to the device are not counted:
// their calls do not wait. To the host each call was seen to wait, but that of a value is no matter of
// memory.
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

class Judge : public RuleJudge {
public:
    Judge(const TraceFacts& facts, Copies copies)
        : RuleJudge(facts,
                    {facts.hasApi() ? kDeviceClasses
                                    : maskOf(ActivityClass::MemcpyH2D) | maskOf(ActivityClass::MemcpyD2H)})
        , m_copies(copies) {}
    void see(const Passing& op) override {
        const ActivityIndex call = facts().apiOf(op.row);
        if (isSlow(facts()[facts().workAt(op.number)]))
            seeSlow(op, call);
        else if (call != kNoActivity)
            m_otherCalls.push_back(facts().trace().duration(call));
    }
    std::optional<Ruling> rule() override {
        const bool hasCalls = !m_calls.empty();
        Ruling ruling{FindingStatus::Proved, hasCalls ? heldHost() : m_alone, std::move(m_evidence), {}};
        ruling.text =
            countText(m_copies) +
            " pageable host memory: the driver stages the data and the issuing call waits; " +
            (hasCalls ? "these calls held the host for " + timeText(ruling.lost) + " more than issuing takes."
                      : timeText(ruling.lost) + " of their time had no kernel beside it.");
        return ruling;
    }

private:
    void seeSlow(const Passing& copy, ActivityIndex call) {
        const Trace& trace = facts().trace();
        const Interval time = trace.time(copy.row);
        m_evidence.add(time.length(), copy);
        if (call != kNoActivity)
            return m_calls.push_back(trace.time(call));
        const auto& coverage = facts().perDevice()[trace.device(copy.row)].coverage;
        m_alone += time.length() - coverage[static_cast<std::size_t>(ActivityClass::Kernel)].measure(time);
    }
    /// Beyond what issuing costs: time in which it could queue nothing else.
    Ns heldHost() {
        const auto count = static_cast<Ns>(m_calls.size());
        const Ns held = IntervalSet::unionOf(std::move(m_calls)).measure(facts().trace().deviceSpan());
        const Ns typical = medianOf(m_otherCalls);
        return typical > held / count ? 0 : held - typical * count;
    }

    Copies m_copies;
    Evidence m_evidence;
    std::vector<Interval> m_calls;
    std::vector<Ns> m_otherCalls; ///< lengths of the calls that issued anything else: what issuing costs
    Ns m_alone = 0; ///< time of the copies with no kernel beside them: all there is without calls
};

std::unique_ptr<RuleJudge> judge(const TraceFacts& facts) {
    const Copies copies = slowCopies(facts);
    return copies.slow() > 0 ? std::make_unique<Judge>(facts, copies) : nullptr;
}

/// One copy of which nothing is known may be the one that is pageable.
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
