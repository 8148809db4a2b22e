// What the simulator knows of a device: rates, latencies, capacities. Numbers of the built-in h200 model name where each was measured.
#pragma once

#include <olab/trace/types.h>

#include <cstdint>
#include <string>

namespace olab {

/// Bandwidths in bytes per microsecond (= MB/s), latencies in ns.
struct DeviceModel {
    std::string name = "NVIDIA H200 (simulated)";
    std::uint32_t smCount = 132, maxThreadsPerSm = 2048, maxBlocksPerSm = 32, copyEngines = 3;
    std::int64_t h2dPinnedRate = 55'000, d2hPinnedRate = 55'000;
    std::int64_t h2dPageableRate = 12'000, d2hPageableRate = 12'000;
    std::int64_t memsetRate = 2'800'000;
    Ns copyLatency = 1'500, memsetFloor = 1'900;
    Ns issueKernel = 2'200, issueCopy = 2'500, issueMemset = 2'200, issueHostFn = 2'000, issueEvent = 700; ///< host time of one API call
    Ns submitLatency = 4'000;           ///< API end to start on an idle device
    Ns hopSameEngine = 1'200, hopOtherEngine = 2'500; ///< end of an op to start of its successor in the stream
    Ns callbackIn = 12'000, callbackOut = 8'000, callbackWork = 2'000;
    Ns syncWake = 8'000;
    std::uint32_t channels = 8, queueDepth = 1022;
};

} // namespace olab
