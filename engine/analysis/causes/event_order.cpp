// Streams that wait for events of other streams.
#include "causes/cause_case.h"
#include "causes/pages.h"
#include "causes/wait_words.h"

namespace olab::analysis::causes::event_order {
namespace {

std::string sentence(const TraceFacts& facts, const ExplainedWait& wait) {
    if (!wait.isOwned)
        return startedText(facts, wait) + ", whose event its stream waits for.";
    return waitedText(facts, wait) +
           (wait.rests == RestsOn::Inferred
                ? ": a call made its stream wait for an event, probably behind that."
                : ": its stream waits for an event behind that.");
}

} // namespace

CauseRow row() {
    static constexpr OptionChange kNoDeps[] = {{"deps", "none"}};
    static constexpr Remedy kRemedies[] = {{kNoDeps}};
    return {.label = "events",
            .family = CauseFamily::Order,
            .title = "An event made streams wait",
            .because = "streams wait for events of others (cudaStreamWaitEvent)",
            .why = "A stream that waits for an event (cudaStreamWaitEvent) begins nothing before all work "
                   "has ended that was issued before the event in the stream that recorded it.",
            .advice = "Let a stream wait only for what it reads (record the event right after it), and "
                      "leave out waits that stream order makes needless.",
            .inPyTorch = "Wait for less: stream.wait_event() of the work that is needed, in "
                         "place of wait_stream() for all of a stream.",
            .mustHold =
                "An event stays where work behind it reads or overwrites what the work before it uses.",
            .page = kAsyncPage,
            .remedies = kRemedies,
            .isProved = isRecorded,
            .sentence = sentence};
}

} // namespace olab::analysis::causes::event_order
