// The host read a small result back and waited for it.
#include "causes/cause_case.h"

namespace olab::analysis::causes::readback {

CauseRow row() {
    return {.label = "read-backs",
            .family = CauseFamily::Host,
            .title = "The host waited for a small result",
            .because = "the host reads small results back and waits for each (.item(), .cpu(), "
                       "nonzero, a flag)",
            .why = "A small copy to the host makes the host wait until all work before it in the "
                   "stream is done. Nothing is queued meanwhile, so the device runs dry until the "
                   "host issues more.",
            .advice = "Keep the value on the device, or read it later and more rarely: copy it to "
                      "pinned memory without waiting and look at it iterations later (PyTorch: "
                      "accumulate .item() values as tensors; replace boolean indexing and nonzero "
                      "by torch.where).",
            .inPyTorch = "Read .item(), .cpu() and .tolist() rarely: add values up on the "
                         "device, or copy them to pinned memory with non_blocking=True and look "
                         "at them iterations later. Replace boolean indexing and nonzero by "
                         "torch.where.",
            .mustHold = "A read stays where what the host does next depends on the value.",
            .namesCall = true,
            .isProved = alwaysProved};
}

} // namespace olab::analysis::causes::readback
