// The host waited for the device before it issued more.
#include "causes/cause_case.h"
#include "causes/pages.h"

namespace olab::analysis::causes::host_sync {

CauseRow row() {
    static constexpr OptionChange kSyncAtEnd[] = {{"sync.every", "end"}},
                                  kNoEarlySync[] = {{"sync.at", "end"}};
    static constexpr Remedy kRemedies[] = {
        {kSyncAtEnd},
        {kNoEarlySync, "Leave out the wait before each D2H copy: stream order holds it already."}};
    return {.label = "waits of the host",
            .family = CauseFamily::Host,
            .title = "The host waited before it issued more",
            .because =
                "the host waits for the device before it submits more (cudaStreamSynchronize and the like)",
            .why = "While a thread waits for the device it issues nothing, so that the engines run dry: when "
                   "it returns there is nothing queued.",
            .advice = "Wait once, at the very end; where one stream needs what another has done, let the "
                      "stream wait (cudaStreamWaitEvent), not the host.",
            .inPyTorch = "Leave torch.cuda.synchronize() and copies without non_blocking=True "
                         "out of the loop; to measure time, record torch.cuda.Event and read "
                         "them at the end.",
            .mustHold = "A wait stays where the host then reads or overwrites what the device uses.",
            .page = kSyncPage,
            .remedies = kRemedies,
            .namesCall = true,
            .isProved = callIsMost};
}

} // namespace olab::analysis::causes::host_sync
