// No cause: the work began when it could, given the program's order and its engines.
#include "causes/cause_case.h"
#include "causes/wait_words.h"

namespace olab::analysis::causes::none {
namespace {

std::string sentence(const TraceFacts&, const ExplainedWait& wait) {
    return wait.length() > 0 ? "Started " + timeText(wait.length()) + " after it could."
                             : "Started as soon as it could.";
}

} // namespace

CauseRow row() {
    return {.label = "nothing", .family = CauseFamily::None, .sentence = sentence};
}

} // namespace olab::analysis::causes::none
