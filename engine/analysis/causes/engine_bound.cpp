// Its engine had other work: the bound, which costs nothing.
#include "causes/cause_case.h"
#include "causes/wait_words.h"

namespace olab::analysis::causes::engine_bound {
namespace {

std::string sentence(const TraceFacts& facts, const ExplainedWait& wait) {
    return waitedText(facts, wait) + ": their engine does one copy at a time.";
}

} // namespace

CauseRow row() {
    return {.label = "busy engine",
            .family = CauseFamily::Bound,
            .title = "One engine is the bound",
            .why = "A copy engine does one copy at a time, and the SMs hold so many blocks: what waits "
                   "for them waits for the bound.",
            .advice = "What helps now is less work there, or faster work.",
            .blames = Blame::Blocker,
            .sentence = sentence};
}

} // namespace olab::analysis::causes::engine_bound
