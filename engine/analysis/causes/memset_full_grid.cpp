// Memsets behind grids that fill the device.
#include "causes/cause_case.h"
#include "causes/wait_words.h"
#include "facts/sentences.h"

#include <algorithm>

namespace olab::analysis::causes::memset_full_grid {
namespace {

std::string sentence(const TraceFacts& facts, const ExplainedWait& wait) {
    return waitedText(facts, wait) + ":" + gridText(facts, wait.blocker) + ".";
}

std::string residencyBesideMemsets(const TraceFacts& facts) {
    const bool lacks = std::ranges::any_of(facts.devices(), [&](const DeviceReport& d) {
        return d.classes.at(ActivityClass::Memset).count > 0 &&
               d.classes.at(ActivityClass::Kernel).count > 0 && !facts.perDevice()[d.index].knowsResidency;
    });
    return lacks ? "how many blocks the device holds at once (solo runs)" : "";
}

} // namespace

CauseRow row() {
    static constexpr OptionChange kSmall[] = {{"kernel.blocks", "64"}},
                                  kSmaller[] = {{"kernel.blocks", "16"}};
    static constexpr Remedy kRemedies[] = {{kSmall}, {kSmaller}};
    static constexpr Need kNeeds[] = {residencyBesideMemsets};
    return {.label = "memsets behind full grids",
            .family = CauseFamily::Engines,
            .title = "Memset behind a full grid",
            .because = "memsets wait behind grids that fill the device",
            .why = "A memset of device memory runs on the SMs, as a small kernel does: it needs room there, "
                   "and a grid larger than the device holds at once leaves none until its last blocks begin.",
            .advice =
                "Leave room on the SMs: a grid smaller than what the device holds at once. Or clear the "
                "buffer earlier: behind its last reader, before the full grid is issued.",
            .page = "NVIDIA forums, thread 237147",
            .remedies = kRemedies,
            .needs = kNeeds,
            .blames = Blame::Blocker,
            .sentence = sentence};
}

} // namespace olab::analysis::causes::memset_full_grid
