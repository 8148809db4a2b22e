// The causes of waits: one row each.
#include "facts/sentences.h"

namespace olab {
namespace {

// From the end of the op before to the start of the next one of the stream, with nothing in between.
// Measured on an H200: 3.8 us on one engine, 6.8 us from one engine to another.
constexpr Ns kHop = 10'000;
// From the end of the issuing call, or the opening of the gate, to the start on an idle device: 4 to 6 us on
// an H200.
constexpr Ns kSubmit = 10'000;
// From the end of a host function to the start of the next op of its stream: 6.5 us on an H200.
constexpr Ns kHostFunction = 20'000;
// From the end of what an event marks to the start of what waits for it in another stream: an estimate, as
// for a hop between engines.
constexpr Ns kEvent = 15'000;
// What a barrier of the NULL stream costs after the work before it has ended: 28 us on an H200.
constexpr Ns kBarrier = 35'000;
// What held an op while it was ready is followed by that op at once.
constexpr Ns kAtOnce = 0;

std::string blockerName(const TraceFacts& facts, const Wait& w) {
    return w.blocker == kNoActivity ? std::string() : activityName(facts, w.blocker);
}

std::string startedAfter(const TraceFacts& facts, const Wait& w) {
    return "Started " + timeText(w.wait) + " after " + blockerName(facts, w);
}

std::string waitedFor(const TraceFacts& facts, const Wait& w) {
    return "Waited " + timeText(w.wait) +
           (isNoticeable(w.wait - w.held, w.wait) ? ", " + timeText(w.held) + " of it for " : " for ") +
           blockerName(facts, w);
}

std::string noneSentence(const TraceFacts&, const Wait& w) {
    return w.wait > 0 ? "Started " + timeText(w.wait) + " after it could." : "Started as soon as it could.";
}
std::string streamOrderSentence(const TraceFacts& facts, const Wait& w) {
    return startedAfter(facts, w) + ", the operation before it in its stream.";
}
std::string nullStreamSentence(const TraceFacts& facts, const Wait& w) {
    return waitedFor(facts, w) + ": the legacy NULL stream orders them.";
}
std::string sameEngineSentence(const TraceFacts& facts, const Wait& w) {
    return waitedFor(facts, w) + ": their engine does one copy at a time.";
}
std::string fullGridSentence(const TraceFacts& facts, const Wait& w) {
    return waitedFor(facts, w) + ":" + gridText(facts, w.blocker) + ".";
}
std::string hostLateSentence(const TraceFacts& facts, const Wait& w) {
    return "Started " + timeText(w.wait) + " after the host issued it; until then the host was in " +
           (w.blocker == kNoActivity ? "other work" : blockerName(facts, w)) + ".";
}
std::string callbackSentence(const TraceFacts& facts, const Wait& w) {
    return startedAfter(facts, w) + ", which its stream or the host had to wait for.";
}
std::string eventSentence(const TraceFacts& facts, const Wait& w) {
    return startedAfter(facts, w) + ", whose event its stream waits for.";
}
std::string unknownSentence(const TraceFacts&, const Wait& w) {
    return "Waited " + timeText(w.wait) + "; no record says for what.";
}

constexpr std::array<WaitCauseRow, kWaitCauses> table() {
    using enum WaitCause;
    return {{
        {None, "none", noneSentence, kSubmit, Blame::Nobody},
        {StreamOrder, "stream-order", streamOrderSentence, kHop, Blame::Nobody}, // the program asked for it
        {NullStream, "null-stream", nullStreamSentence, kBarrier, Blame::Meanwhile},
        {SameEngine, "same-engine", sameEngineSentence, kAtOnce, Blame::Blocker},
        {FullGrid, "full-grid", fullGridSentence, kAtOnce, Blame::Blocker},
        {HostLate, "host-late", hostLateSentence, kSubmit, Blame::Program},
        {Callback, "callback", callbackSentence, kHostFunction, Blame::Program},
        {Event, "event", eventSentence, kEvent, Blame::Program},
        {Unknown, "unknown", unknownSentence, kAtOnce, Blame::Nobody},
    }};
}

constexpr bool isInOrder(const std::array<WaitCauseRow, kWaitCauses>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].cause != static_cast<WaitCause>(i) || rows[i].name.empty() || !rows[i].sentence)
            return false;
    return static_cast<std::size_t>(WaitCause::Unknown) + 1 == rows.size();
}
static_assert(isInOrder(table()), "each cause has its row, at its own place");

} // namespace

constinit const std::array<WaitCauseRow, kWaitCauses> kWaitCauseTable = table();

} // namespace olab
