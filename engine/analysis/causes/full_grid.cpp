// The SMs had other work: the bound, which costs nothing.
#include "causes/cause_case.h"
#include "causes/wait_words.h"
#include "facts/sentences.h"

namespace olab::analysis::causes::full_grid {
namespace {

std::string sentence(const TraceFacts& facts, const ExplainedWait& wait) {
    return waitedText(facts, wait) + ":" + gridText(facts, wait.blocker) + ".";
}

} // namespace

CauseRow row() {
    return {.label = "busy SMs",
            .family = CauseFamily::Bound,
            .title = "The SMs had other work",
            .why = "A grid that fills the device leaves no room for another: their work adds up.",
            .advice = "What helps now is less or faster work on the SMs.",
            .blames = Blame::Blocker,
            .sentence = sentence};
}

} // namespace olab::analysis::causes::full_grid
