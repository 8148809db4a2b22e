// The host was busy with other things than issuing work.
#include "causes/cause_case.h"
#include "causes/wait_words.h"

namespace olab::analysis::causes::host_late {
namespace {

/// The account counts from when the stream reached the work, the records of neighbouring activities from when
/// it was issued.
std::string sentence(const TraceFacts& facts, const ExplainedWait& wait) {
    if (wait.isOwned)
        return waitedText(facts, wait) + ": the CPU launched it too late.";
    return "Started " + timeText(wait.length()) + " after the host issued it; until then the host was in " +
           (wait.blocker == kNoActivity ? "other work" : activityName(facts, wait.blocker)) + ".";
}

} // namespace

CauseRow row() {
    return {.label = "CPU launches too late",
            .family = CauseFamily::Host,
            .title = "The host issued late",
            .because = "the CPU launches work too late",
            .why =
                "The device had nothing left to do, and the host was busy with something else than issuing.",
            .advice = "Issue the work earlier, or from another thread: what the host does between two calls "
                      "holds the device where nothing is queued.",
            .namesCall = true,
            .hostsOwn = true,
            .isProved = callIsMost,
            .sentence = sentence};
}

} // namespace olab::analysis::causes::host_late
