// No cause: the work followed its predecessor in the stream, as the program requested.
#include "causes/cause_case.h"
#include "causes/wait_words.h"

namespace olab::analysis::causes::stream_order {
namespace {

/// The account ignores the usual time between two works of a stream.
std::string sentence(const TraceFacts& facts, const ExplainedWait& wait) {
    if (!wait.isOwned)
        return startedText(facts, wait) + ", the operation before it in its stream.";
    const std::string when =
        wait.length() > 0 ? timeText(wait.length()) + " after it could" : "as soon as it could";
    return "Started " + when + ", behind " + activityName(facts, wait.blocker) +
           ", the operation before it in its stream.";
}

} // namespace

CauseRow row() {
    return {.label = "the order of its stream", .family = CauseFamily::None, .sentence = sentence};
}

} // namespace olab::analysis::causes::stream_order
