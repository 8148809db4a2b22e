// Copies in the stream of the kernels.
#include "causes/cause_case.h"
#include "causes/pages.h"

namespace olab::analysis::causes::same_stream {

CauseRow row() {
    static constexpr OptionChange kThree[] = {{"streams", "3"}};
    static constexpr Remedy kRemedies[] = {{kThree}};
    return {.label = "one stream",
            .family = CauseFamily::Order,
            .title = "Copies and kernels in one stream",
            .because = "copies and kernels are in one stream",
            .why =
                "Operations of one stream run in the order in which they were issued, also where none needs "
                "what the other leaves. The account lets one round (copies in, kernels, copies out) overlap "
                "the next, as with a stream and buffers for each, and keeps the order of the kernels.",
            .advice = "Put independent work into different streams, each with buffers of its own: operations "
                      "of one stream run one after the other.",
            .inPyTorch = "Copy the next batch in a stream of its own while this one is computed: "
                         "torch.cuda.Stream, two buffers, wait_stream() before the batch is "
                         "used, and tensor.record_stream().",
            .page = kAsyncPage,
            .remedies = kRemedies,
            .noPartBecause = " The account keeps the order of the streams: this is what another could save "
                             "at most, and no part of it."};
}

} // namespace olab::analysis::causes::same_stream
