#include "measure/stretched_by.h"

#include "facts/sums.h"

#include <olab/trace/lanes.h>

#include <optional>

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
        for (std::size_t e = 0; e < kEngineCount; ++e)
            device.crowded[e] = ForwardMeasure(rows.devices[d].crowded[e]);
        device.crowdedCopies = ForwardMeasure(rows.devices[d].crowdedCopies);
    }
}

void StretchAdder::add(const OpRow& op) {
    addCapped(m_times[op.device].soloSum[static_cast<std::size_t>(op.cls)], op.work->solo);
    if (const Ns stretched = op.stretched(); stretched > 0)
        addStretch(op, stretched);
}

/// The part of the stretch that each other class can be blamed for: at most the time it was resident during
/// the op. The nearest resource explains first. For the SMs: everything that runs there. For a copy: others
/// of its engine, which take turns with it; then the opposite direction, which shares the link; then kernels.
/// Each is only blamed for what exceeds the time the op shared nearer resources, so kernels that share the
/// SMs and copies that share an engine or the link are not held against the pair.
void StretchAdder::addStretch(const OpRow& op, Ns stretched) {
    Device& device = m_devices[op.device];
    const auto cls = static_cast<std::size_t>(op.cls);
    auto& by = m_times[op.device].stretchedBy[cls];
    const bool onSms = op.engine == EngineKind::Compute;
    ForwardMeasure& onEngine = device.crowded[static_cast<std::size_t>(op.engine)];
    std::optional<Ns> ownEngine, ownHardware; // computed on first use
    const auto measured = [&](std::optional<Ns>& known, ForwardMeasure& set) {
        return known ? *known : known.emplace(set.measure(op.time));
    };
    for (const std::size_t c : device.classes) {
        if (c == cls)
            continue;
        const Ns resident = device.coverage[c].measure(op.time);
        if (resident == 0)
            continue;
        Ns explained = 0;
        if (onSms != device.onSms[c])
            explained = measured(ownHardware, onSms ? onEngine : device.crowdedCopies);
        else if (!onSms)
            explained = measured(ownEngine, onEngine);
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
