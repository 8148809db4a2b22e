// Short copies behind long ones of their engine.
#include "causes/cause_case.h"
#include "causes/wait_words.h"

namespace olab::analysis::causes::head_of_line {
namespace {

std::string sentence(const TraceFacts& facts, const ExplainedWait& wait) {
    std::string text = waitedText(facts, wait);
    if (const Ns longer = wait.blocker == kNoActivity ? 0 : facts.solo(wait.blocker); longer > 0)
        text += " of " + timeText(longer);
    return text + ", and takes " + timeText(facts.solo(wait.op)) + " itself.";
}

} // namespace

CauseRow row() {
    return {.label = "long copies before short ones",
            .family = CauseFamily::Engines,
            .title = "Short copies queued behind long ones",
            .because = "short copies stand behind long ones",
            .why = "All copies of one direction share an engine, which does one after the other and "
                   "interrupts none. It goes on with the copies of one stream before it turns to another.",
            .advice = "Issue the short one first, or cut the long copy into pieces and let those behind the "
                      "short one wait for its event. Pieces that follow each other in one stream bring "
                      "nothing: the engine goes on with them. With a kernel between them the short one "
                      "gets its turn.",
            .blames = Blame::Blocker,
            .isProved = alwaysProved,
            .sentence = sentence};
}

} // namespace olab::analysis::causes::head_of_line
