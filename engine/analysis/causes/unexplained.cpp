// The model error, and waits that no record explains.
#include "causes/cause_case.h"
#include "causes/wait_words.h"

namespace olab::analysis::causes::unexplained {
namespace {

std::string sentence(const TraceFacts&, const ExplainedWait& wait) {
    return "Waited " + timeText(wait.length()) + "; no record says for what.";
}

} // namespace

CauseRow row() {
    return {.label = "unexplained", .family = CauseFamily::Unknown, .sentence = sentence};
}

} // namespace olab::analysis::causes::unexplained
