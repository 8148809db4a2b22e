// How much longer than solo the ops of one class took beside ops of another (DeviceFacts::blocked).
#pragma once

#include "facts/coverage_walk.h"
#include "facts/op_row.h"
#include "measure/row_sums.h"

namespace olab::analysis {

/// Adds up a stretch of device work, one op after the other.
class StretchAdder {
public:
    StretchAdder(const Facts& facts, const RowSums& rows);
    void add(const OpRow& op);
    /// Per device; the medians and the waits are not set.
    const std::vector<BlockedTimes>& times() const { return m_times; }

private:
    /// The sets of one device, each walked from left to right.
    struct Device {
        std::vector<std::size_t> classes; ///< classes with any coverage
        std::array<ForwardMeasure, kDeviceClassCount> coverage;
        std::array<bool, kDeviceClassCount> onSms{};
        std::array<ForwardMeasure, kEngineCount> crowded; ///< several at once on one engine
        ForwardMeasure crowdedCopies;                     ///< ... on all copy engines together
    };
    void addStretch(const OpRow& op, Ns stretched);
    std::vector<Device> m_devices;
    std::vector<BlockedTimes> m_times;
};

/// Adds `part` to `sum`.
void addBlocked(BlockedTimes& sum, const BlockedTimes& part);

} // namespace olab::analysis
