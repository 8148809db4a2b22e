// Work of a higher-priority stream went first.
#include "causes/cause_case.h"
#include "causes/wait_words.h"

namespace olab::analysis::causes::priority {
namespace {

std::string sentence(const TraceFacts& facts, const ExplainedWait& wait) {
    return waitedText(facts, wait) + ", of a stream of higher priority, whose blocks go first.";
}

} // namespace

CauseRow row() {
    static constexpr OptionChange kEqual[] = {{"stream.priority", "equal"}};
    static constexpr Remedy kRemedies[] = {{kEqual}};
    return {.label = "stream priorities",
            .family = CauseFamily::Engines,
            .title = "A stream of higher priority went first",
            .because = "work of streams of higher priority goes before other work that was ready",
            .why =
                "Blocks of a stream of higher priority get the room that becomes free first, also where work "
                "of others has waited longer. What runs is not interrupted, and copies have no priority.",
            .advice = "Give the higher priority, which is the smaller number, to the work that everything "
                      "else waits for, or "
                      "give all streams the same.",
            .page = "NVIDIA, CUDA Driver API, cuStreamCreateWithPriority",
            .remedies = kRemedies,
            .blames = Blame::Blocker,
            .sentence = sentence};
}

} // namespace olab::analysis::causes::priority
