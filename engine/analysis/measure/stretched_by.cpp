#include "measure/stretched_by.h"

#include "facts/sums.h"

#include <olab/trace/lanes.h>

namespace olab::analysis {
namespace {

bool runsOnSms(const Facts& facts, std::uint8_t device, std::size_t cls) {
    const Lane* compute = facts.lanes().engine(device, EngineKind::Compute);
    return compute && !compute->coverage[cls].empty();
}

} // namespace

StretchAdder::StretchAdder(const Facts& facts, const RowSums& rows)
    : m_devices(facts.perDevice().size())
    , m_times(m_devices.size()) {
    for (std::size_t d = 0; d < m_devices.size(); ++d) {
        Device& device = m_devices[d];
        for (std::size_t c = 0; c < kDeviceClassCount; ++c) {
            const IntervalSet& coverage = facts.perDevice()[d].coverage[c];
            if (coverage.empty())
                continue;
            device.classes.push_back(c);
            device.coverage[c] = ForwardMeasure(coverage);
            device.onSms[c] = runsOnSms(facts, static_cast<std::uint8_t>(d), c);
        }
        device.crowdedCompute = ForwardMeasure(rows.devices[d].crowdedCompute);
        device.crowdedCopies = ForwardMeasure(rows.devices[d].crowdedCopies);
    }
}

void StretchAdder::add(const OpRow& op) {
    addCapped(m_times[op.device].soloSum[static_cast<std::size_t>(op.cls)], op.work->solo);
    if (const Ns stretched = op.stretched(); stretched > 0)
        addStretch(op, stretched);
}

/// What of the stretch each other class can be blamed for: never more than the time it was resident during
/// the op. Ops of the same kind of hardware (SMs; copy engines and the link) explain a stretch first: a class
/// on the other kind is blamed only for what exceeds the time the op shared its own hardware, so neither
/// kernels that share the SMs nor copies that share the link are held against the pair.
void StretchAdder::addStretch(const OpRow& op, Ns stretched) {
    Device& device = m_devices[op.device];
    const auto cls = static_cast<std::size_t>(op.cls);
    auto& by = m_times[op.device].stretchedBy[cls];
    const bool onSms = op.engine == EngineKind::Compute;
    Ns ownHardware = -1; // not measured yet
    for (const std::size_t c : device.classes) {
        if (c == cls)
            continue;
        const Ns resident = device.coverage[c].measure(op.time);
        if (resident == 0)
            continue;
        if (onSms != device.onSms[c] && ownHardware < 0)
            ownHardware = (onSms ? device.crowdedCompute : device.crowdedCopies).measure(op.time);
        const Ns explained = onSms == device.onSms[c] ? 0 : ownHardware;
        addCapped(by[c], std::clamp<Ns>(stretched - explained, 0, resident));
    }
}

void addBlocked(BlockedTimes& sum, const BlockedTimes& part) {
    for (std::size_t a = 0; a < kDeviceClassCount; ++a) {
        addCapped(sum.soloSum[a], part.soloSum[a]);
        for (std::size_t b = 0; b < kDeviceClassCount; ++b)
            addCapped(sum.stretchedBy[a][b], part.stretchedBy[a][b]);
    }
}

} // namespace olab::analysis
