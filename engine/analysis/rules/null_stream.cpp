// An operation on the legacy NULL stream waits for all blocking streams, and they wait for it (CUDA
// Programming Guide, "Legacy default stream"). Streams made with cudaStreamNonBlocking do not take part.
#include "../null_order.h"
#include "../sentences.h"
#include "../wait_finder.h"
#include "rule_functions.h"

#include <olab/trace/lanes.h>

#include <algorithm>

namespace olab {
namespace {

bool hasSeveralStreams(const Trace& trace) {
    const auto queues = trace.queues();
    return std::count_if(queues.begin(), queues.end(),
                         [](const Queue& q) { return q.kind == Queue::Kind::Stream; }) > 1;
}

/// One stream of unknown kind may be the one that waits.
bool knowsAllKinds(const Facts& facts) {
    return std::ranges::all_of(facts.lanes().lanes(), [&facts](const Lane& lane) {
        return lane.kind != LaneKind::Stream ||
               facts.trace().queue(lane.queue).streamKind != StreamKind::Unknown;
    });
}

RuleResult abstainUnlessOneStream(const Facts& facts, const char* lacks) {
    return hasSeveralStreams(facts.trace()) ? RuleResult(abstentionOf("null-stream", lacks)) : RuleResult();
}

/// Streams that do not wait for the NULL stream; where its order is all that keeps the data right, nothing in
/// the NULL stream that they would have to wait for.
std::vector<Remedy> remedies() {
    return {
        {{{"stream.kind", "nonblocking"}}, {}},
        {{{"kernel.stream", "own"}},
         "Launch the kernel into the stream of its copies: it then waits for its own data and nothing "
         "else."},
        {{{"null_op", "off"}}, "Leave out the operation on the legacy NULL stream between the passes."},
        {{{"interfere", "none"}}, "Leave out the call between the passes that works on the NULL stream."}};
}

} // namespace

RuleResult judgeNullStream(const Facts& facts) {
    if (!facts.hasStreamKinds())
        return abstainUnlessOneStream(facts, "the kinds of the streams (blocking, non-blocking, NULL)");
    const WaitTable& waits = facts.waitTable();
    if (waits.count(WaitCause::NullStream) == 0)
        return knowsAllKinds(facts) ? RuleResult()
                                    : abstainUnlessOneStream(
                                          facts, "the kinds of some streams (blocking, non-blocking, NULL)");
    Evidence evidence;
    std::vector<Interval> held;
    for (std::size_t n = 0; n < waits.size(); ++n)
        if (waits.cause(n) == WaitCause::NullStream) {
            const Wait w = facts.waits()[n];
            evidence.add(w.held, w.activity);
            held.push_back(heldByNullStream(w));
        }
    Finding finding = findingOf("null-stream");
    finding.status = FindingStatus::Proved;
    // The union, not the sum: ten streams held for a millisecond lose one, not ten.
    finding.lost = IntervalSet::unionOf(std::move(held)).total();
    evidence.giveTo(finding);
    const Wait worst = *facts.waitOf(finding.activities.front());
    finding.text = std::to_string(evidence.count()) +
                   (evidence.count() == 1 ? " operation was" : " operations were") +
                   " held by the legacy NULL stream, for " + timeText(finding.lost) + " in all. " +
                   activityName(facts, worst.activity) + " waited " + timeText(worst.held) + " for " +
                   activityName(facts, worst.blocker) + ".";
    return Diagnosis{std::move(finding), remedies()};
}

} // namespace olab
