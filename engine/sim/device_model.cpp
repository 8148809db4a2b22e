#include "scaled.h"

#include <olab/sim/device_model.h>

#include <algorithm>

namespace olab::sim {

std::uint32_t residentBlocks(const DeviceModel& model, std::uint32_t threads, std::uint64_t shared) {
    constexpr std::uint64_t kReserved = 1024; // per block that uses any, by the system; from cc 8.0 on
    const std::uint64_t perBlock = shared > 0 && model.computeMajor >= 8 ? shared + kReserved : shared;
    const auto byShared = static_cast<std::uint32_t>(
        perBlock > 0 ? std::min<std::uint64_t>(model.sharedPerSm / perBlock, model.maxBlocksPerSm)
                     : model.maxBlocksPerSm);
    const std::uint32_t byThreads = model.maxThreadsPerSm / std::max(threads, 1u);
    const std::uint64_t perSm = std::min({byThreads, byShared, model.maxBlocksPerSm});
    constexpr std::uint64_t kMost = 0x7fffffff; // the maximum number of blocks in a grid
    return static_cast<std::uint32_t>(std::min(perSm * model.smCount, kMost));
}

std::int64_t copyRate(const DeviceModel& model, bool toDevice, bool pageable) {
    if (toDevice)
        return pageable ? model.h2dPageableRate : model.h2dPinnedRate;
    return pageable ? model.d2hPageableRate : model.d2hPinnedRate;
}

Ns callbackDelay(const DeviceModel& model, Ns idle) {
    constexpr Ns kHalfway = 1'000'000;
    const Ns soon = model.callbackIn / 2, late = sim::scaled(model.callbackIn, 10, 3);
    return soon + sim::scaled(late - soon, idle, sim::scaled(idle, 1, 1, kHalfway));
}

Ns transferTime(std::int64_t bytes, std::int64_t rate) {
    return bytes * 1000 / std::max<std::int64_t>(rate, 1);
}

} // namespace olab::sim
