// The order of few streams: the bound.
#include "causes/cause_case.h"
#include "causes/pages.h"

namespace olab::analysis::causes::too_few_streams {

CauseRow row() {
    static constexpr OptionChange kEight[] = {{"streams", "8"}};
    static constexpr Remedy kRemedies[] = {{kEight}};
    return {.label = "few streams",
            .family = CauseFamily::Bound,
            .title = "Too few streams",
            .why = "Operations of one stream run in the order in which they were issued: at any time no more "
                   "can run than there are streams.",
            .advice = "Share the same work out to more streams, each with buffers of its own.",
            .page = kAsyncPage,
            .remedies = kRemedies};
}

} // namespace olab::analysis::causes::too_few_streams
