// What one traced run shows about the device: for each quantity of the model the samples in which it can be
// measured alone, without any other delay.
#pragma once

#include <olab/sim/fit_model.h>

#include <vector>

namespace olab::sim {

/// A copy in the window: how long it had the host's memory to itself, and how long it shared it.
struct CopySample {
    std::int64_t bytes = 0;
    Ns alone = 0, both = 0;
    std::int64_t turn = 0; ///< bytes of all buffers used in turn, including its own
};
/// An op alone on the device.
struct SoloSample {
    std::int64_t bytes = 0;
    Ns duration = 0;
};

struct RunSamples {
    int streams = 0;
    std::vector<CopySample> h2dPinned, d2hPinned, h2dPageable, d2hPageable;
    std::vector<SoloSample> soloH2dPinned, soloD2hPinned, soloMemset;
    std::vector<Ns> soloNullKernel;
    std::vector<Ns> hopSame, hopOther, callbackIn, callbackOut, callbackWork;
    std::vector<Ns> submit, gate, barrier, syncWake;
    std::vector<Ns> pageableSetup, pageableReturn,
        pageableLead; ///< lead: of an H2D call's return over its copy's end
    std::vector<Ns> issueKernel, issueCopy, issueMemset, issueSmallMemset, issueHostFn, issueEvent, hostGap;
};

RunSamples samplesOf(const CalibrationRun& run);

} // namespace olab::sim
