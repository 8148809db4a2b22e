// A single queue between the program and the device, whatever the streams.
#include "causes/cause_case.h"
#include "causes/wait_words.h"

namespace olab::analysis::causes::submission {
namespace {

std::string sentence(const TraceFacts& facts, const ExplainedWait& wait) {
    return waitedText(facts, wait) + ": this device was given one operation after the other.";
}

} // namespace

CauseRow row() {
    static constexpr OptionChange kLinux[] = {{"sim.submission", "linux"}};
    static constexpr Remedy kRemedies[] = {{kLinux}};
    return {
        .label = "the submission queue",
        .family = CauseFamily::Engines,
        .title = "The system submits one operation after the other",
        .because = "operations start in the order of their calls, one after the other, in all streams",
        .why =
            "Copies began only when the kernel before them in the order of the calls had ended, and kernels "
            "when the copy before them had, though neither their streams nor events ask for it. This is how "
            "a device behaves that gets its work through one queue: on Windows the driver model WDDM may do "
            "so, with hardware scheduling on or off.",
        .advice = "Switch hardware-accelerated GPU scheduling on Windows off (or on) and restart the "
                  "machine, or use "
                  "the TCC or MCDM driver model, or Linux.",
        .remedies = kRemedies,
        .sentence = sentence};
}

} // namespace olab::analysis::causes::submission
