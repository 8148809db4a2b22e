// The order of few streams: in the lab a bound; elsewhere a cause if there are fewer streams than engines.
#include "causes/cause_case.h"
#include "causes/pages.h"

namespace olab::analysis::causes::too_few_streams {

CauseRow row() {
    static constexpr OptionChange kEight[] = {{"streams", "8"}};
    static constexpr Remedy kRemedies[] = {{kEight}};
    return {
        .label = "few streams",
        .family = CauseFamily::Order,
        .title = "Too few streams",
        .because = "there are fewer streams than engines",
        .why =
            "Operations of one stream run in the order in which they were issued: at any time no more "
            "can run than there are streams. The account lets the next round (copy in, kernels, copy out) of "
            "a stream begin before the last one has ended, and keeps the order of the kernels.",
        .advice = "Share the same work out to more streams, each with buffers of its own.",
        .page = kAsyncPage,
        .remedies = kRemedies};
}

} // namespace olab::analysis::causes::too_few_streams
