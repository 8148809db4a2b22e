// The order of the legacy NULL stream.
#include "causes/cause_case.h"
#include "causes/pages.h"
#include "causes/wait_words.h"

#include <olab/trace/lanes.h>

#include <algorithm>

namespace olab::analysis::causes::null_stream {
namespace {

std::string sentence(const TraceFacts& facts, const ExplainedWait& wait) {
    return waitedText(facts, wait) + ": the legacy NULL stream orders them.";
}

/// Nothing is missing if there is only one stream.
std::string kindsOfStreams(const TraceFacts& facts) {
    const auto isStream = [](const Queue& q) { return q.kind == Queue::Kind::Stream; };
    if (std::ranges::count_if(facts.trace().queues(), isStream) < 2)
        return {};
    if (!facts.hasStreamKinds())
        return "the kinds of the streams (blocking, non-blocking, NULL)";
    // One stream of unknown kind may be the one that waits.
    const bool known = std::ranges::all_of(facts.lanes().lanes(), [&facts](const Lane& lane) {
        return lane.kind != LaneKind::Stream ||
               facts.trace().queue(lane.queue).streamKind != StreamKind::Unknown;
    });
    return known ? "" : "the kinds of some streams (blocking, non-blocking, NULL)";
}

} // namespace

CauseRow row() {
    // Streams that do not wait for the NULL stream; if its order is needed to keep the data right, nothing in
    // the NULL stream that they would have to wait for.
    static constexpr OptionChange kNonblocking[] = {{"stream.kind", "nonblocking"}},
                                  kOwnStream[] = {{"kernel.stream", "own"}}, kNoOp[] = {{"null_op", "off"}},
                                  kNoCall[] = {{"interfere", "none"}};
    static constexpr Remedy kRemedies[] = {
        {kNonblocking},
        {kOwnStream, "Launch the kernel into the stream of its copies: it then waits for its own data and "
                     "nothing else."},
        {kNoOp, "Leave out the operation on the legacy NULL stream between the passes."},
        {kNoCall, "Leave out the call between the passes that works on the NULL stream."}};
    static constexpr Need kNeeds[] = {kindsOfStreams};
    return {
        .label = "the NULL stream",
        .family = CauseFamily::Order,
        .title = "NULL-stream barrier",
        .because = "work in the NULL stream (the default one) holds the other streams back",
        .why = "An operation in the legacy NULL stream, or an event recorded there, comes when all work "
               "issued before in blocking streams has ended, and all that is issued after it in such "
               "streams waits for it.",
        .advice =
            "Create the streams with cudaStreamNonBlocking, or keep work and events (cudaEventRecord without "
            "a stream) off the legacy NULL stream.",
        .mustHold =
            "Only where no data relies on that order: work that reads or overwrites what the other stream "
            "uses must wait for an event behind it (cudaEventRecord, cudaStreamWaitEvent).",
        .page = kAsyncPage,
        .remedies = kRemedies,
        .needs = kNeeds,
        .blames = Blame::Meanwhile,
        .isProved = isRecorded,
        .sentence = sentence};
}

} // namespace olab::analysis::causes::null_stream
