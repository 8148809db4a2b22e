// Computation that waits for communication between devices.
#include "causes/cause_case.h"
#include "causes/wait_words.h"

namespace olab::analysis::causes::exposed_communication {
namespace {

std::string sentence(const TraceFacts& facts, const ExplainedWait& wait) {
    return waitedText(facts, wait) + ": it stands behind communication, whether it needs the result or not.";
}

} // namespace

CauseRow row() {
    return {
        .label = "exposed communication",
        .family = CauseFamily::Order,
        .title = "Computation waited for communication",
        .because =
            "computation waits for communication between devices (at most: what reads its result has to)",
        .why =
            "Work was issued behind a kernel of NCCL or RCCL, in its stream or behind an event. No record "
            "says which of that work reads the result. The cost is an upper limit: what a run would gain in "
            "which none does, and in which communication slows nothing that runs beside it.",
        .advice = "Communicate in a stream of its own, in parts, each as soon as its data is ready, and let "
                  "only the work that reads the result wait for it (cudaStreamWaitEvent).",
        .inPyTorch = "Let the backward pass hide it: DistributedDataParallel with smaller buckets "
                     "(bucket_cap_mb) and gradient_as_bucket_view=True, FSDP with forward_prefetch=True, "
                     "DeepSpeed with overlap_comm. In code of your own: async_op=True, and wait() only "
                     "where the result is read.",
        .sentence = sentence};
}

} // namespace olab::analysis::causes::exposed_communication
