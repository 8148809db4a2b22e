#include "causes/wait_words.h"

#include <olab/analysis/cause_table.h>

#include "facts/sentences.h"

namespace olab::analysis {

std::string waitedText(const TraceFacts& facts, const ExplainedWait& wait) {
    std::string text = "Waited " + timeText(wait.length());
    if (wait.blocker == kNoActivity)
        return text;
    const std::string name = activityName(facts, wait.blocker);
    if (wait.blocker == facts.apiOf(wait.op))
        return text + " until " + name + " issued it";
    if (isNoticeable(wait.length() - wait.held, wait.length()))
        text += ", " + timeText(wait.held) + " of it";
    return text + " for " + name;
}

std::string startedText(const TraceFacts& facts, const ExplainedWait& wait) {
    return "Started " + timeText(wait.length()) + " after " +
           (wait.blocker == kNoActivity ? "it could" : activityName(facts, wait.blocker));
}

std::string plainSentence(const TraceFacts& facts, const ExplainedWait& wait) {
    const CauseRow& row = causeRow(wait.cause);
    return waitedText(facts, wait) + ": " + std::string(row.because.empty() ? row.label : row.because) + ".";
}

} // namespace olab::analysis
