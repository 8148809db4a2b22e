#include <olab/sim/device_model.h>

#include <algorithm>

namespace olab {

std::uint32_t residentBlocks(const DeviceModel& model, std::uint32_t threads) {
    const std::uint32_t byThreads = model.maxThreadsPerSm / std::max(threads, 1u);
    return std::max(std::min(byThreads, model.maxBlocksPerSm) * model.smCount, 1u);
}

std::int64_t copyRate(const DeviceModel& model, bool toDevice, bool pageable) {
    if (toDevice)
        return pageable ? model.h2dPageableRate : model.h2dPinnedRate;
    return pageable ? model.d2hPageableRate : model.d2hPinnedRate;
}

Ns transferTime(std::int64_t bytes, std::int64_t rate) {
    return bytes * 1000 / std::max<std::int64_t>(rate, 1);
}

} // namespace olab
