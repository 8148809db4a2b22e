// What a plan needs on its devices: streams and buffers. Made for a run, and kept for the next one if that
// may be so (RunOptions::keepPrepared).
#pragma once

#include "pipelines.h"

#include <olab/experiment/plan.h>

#include <memory>

namespace olab::cuda {

struct Stage {
    /// @throws Error: no such device, too-big, out of memory
    explicit Stage(const experiment::Plan& toRun)
        : planned(toRun)
        , devices(planned.firstDevice, planned.devices)
        , calls(makeCalls(planned.api, devices))
        , pipelines(planned, *calls, devices) {}
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    const experiment::Plan planned;
    const Devices devices;
    const std::unique_ptr<Calls> calls; ///< before all memory: they free it
    Pipelines pipelines;
};

} // namespace olab::cuda
