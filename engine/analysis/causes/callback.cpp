// Host functions that streams wait for.
#include "causes/cause_case.h"
#include "causes/wait_words.h"

namespace olab::analysis::causes::callback {
namespace {

std::string sentence(const TraceFacts& facts, const ExplainedWait& wait) {
    return wait.isOwned ? waitedText(facts, wait) + ": a host function had to return first."
                        : startedText(facts, wait) + ", which its stream or the host had to wait for.";
}

} // namespace

CauseRow row() {
    static constexpr OptionChange kPoll[] = {{"callback.method", "poll"}}, kAhead[] = {{"issue", "ahead"}};
    static constexpr Remedy kRemedies[] = {
        {kPoll}, {kAhead, "Issue all iterations ahead: the host's latency is then in no round."}};
    return {
        .label = "host functions",
        .family = CauseFamily::Host,
        .title = "Streams waited for host functions",
        .because = "streams wait for callbacks on the host (cudaLaunchHostFunc)",
        .why = "A host function holds its stream until it has returned, and one thread of the driver "
               "may run those of all streams, one after the other; each also has to be woken up.",
        .advice =
            "Record an event where the host function is, and let a thread of your own ask for it "
            "(cudaEventQuery) or wait for it: the stream then goes on without the host. Its next pass must "
            "not overwrite what the host still reads.",
        .page = "NVIDIA, CUDA Driver API, cuLaunchHostFunc",
        .remedies = kRemedies,
        .isProved = isRecorded,
        .sentence = sentence};
}

} // namespace olab::analysis::causes::callback
