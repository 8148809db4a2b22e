// No cause: the work came behind the one before it in its stream, as the program asked.
#include "causes/cause_case.h"
#include "causes/wait_words.h"

namespace olab::analysis::causes::stream_order {
namespace {

/// The account takes the usual time from one to the next for granted.
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
