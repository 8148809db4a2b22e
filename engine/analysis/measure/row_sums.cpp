#include "measure/row_sums.h"

#include "facts/looks.h"
#include "facts/sums.h"

#include <olab/trace/lanes.h>

#include <optional>

namespace olab::analysis {
namespace {

/// Time with two or more at once, as a set.
class Crowd {
public:
    explicit Crowd(std::size_t most = 0)
        : m_shared(most) {}
    void add(Interval time) { m_shared.add(m_sum.add(time)); }
    IntervalSet take() { return m_shared.take(); }

private:
    ConcurrentSum m_sum;
    IntervalSetMaker m_shared;
};

/// Builds the sums of one device.
class DeviceSummer {
public:
    /// `work`: amount of work per engine; nothing: do not keep crowds.
    explicit DeviceSummer(const std::optional<std::array<std::size_t, kEngineCount>>& work)
        : m_crowds(work.has_value()) {
        std::size_t copies = 0;
        for (std::size_t e = 0; work && e < kEngineCount; ++e) {
            m_onEngine[e] = Crowd((*work)[e]);
            copies += e == static_cast<std::size_t>(EngineKind::Compute) ? 0 : (*work)[e];
        }
        m_copies = Crowd(copies);
    }
    void add(const ActivityKind& kind, Interval time) {
        const std::int64_t bytes = kind.bytes; // read before any write, so that each value is read once
        const bool isUnified = (kind.flags & kFlagUnified) != 0;
        const ClassMask mask = maskOf(kind.cls);
        EngineSums& e = m_sums.engines[static_cast<std::size_t>(kind.engine)];
        ClassSums& c = m_sums.classes[static_cast<std::size_t>(kind.cls)];
        if (m_crowds)
            m_onEngine[static_cast<std::size_t>(kind.engine)].add(time);
        if (m_crowds && kind.engine != EngineKind::Compute)
            m_copies.add(time);
        ++c.count, ++e.count;
        c.zeroDuration += time.length() == 0;
        addCapped(c.sum, time.length());
        addCapped(c.bytes, bytes);
        c.concurrent.add(time);
        e.classes |= mask;
        e.concurrent.add(time);
        m_sums.span = m_any ? Interval{m_sums.span.begin, std::max(m_sums.span.end, time.end)} : time;
        m_any = true;
        m_sums.hasUnified |= isUnified;
    }
    DeviceSums take() {
        for (std::size_t e = 0; e < kEngineCount; ++e)
            m_sums.crowded[e] = m_onEngine[e].take();
        m_sums.crowdedCopies = m_copies.take();
        return std::move(m_sums);
    }

private:
    DeviceSums m_sums;
    std::array<Crowd, kEngineCount> m_onEngine;
    Crowd m_copies;
    const bool m_crowds;
    bool m_any = false;
};

std::vector<DeviceSummer> summersOf(const Facts& facts, Crowds crowds) {
    std::vector<DeviceSummer> summers;
    for (std::size_t d = 0; d < facts.trace().devices().size(); ++d) {
        const auto device = static_cast<std::uint8_t>(d);
        std::optional<std::array<std::size_t, kEngineCount>> work;
        if (crowds == Crowds::Kept)
            for (std::size_t e = 0; e < kEngineCount; ++e)
                (work ? *work : work.emplace())[e] =
                    facts.ofEngine(device, static_cast<EngineKind>(e)).size();
        summers.emplace_back(work);
    }
    return summers;
}

} // namespace

RowSums sumRows(const Facts& facts, Crowds crowds, Stretch work, const RunControl& control) {
    const Trace& trace = facts.trace();
    RowSums sums;
    sums.classesOfQueue.resize(trace.queues().size());
    std::vector<DeviceSummer> summers = summersOf(facts, crowds);
    for (std::size_t n = work.begin; n < work.end; ++n) {
        lookAtCancel(n, control);
        const ActivityIndex i = facts.deviceWork().row(n);
        const ActivityKind& kind = trace.kind(i);
        sums.classesOfQueue[trace.queueOf(i).value] |= maskOf(kind.cls);
        summers[kind.device].add(kind, trace.time(i));
    }
    for (DeviceSummer& summer : summers)
        sums.devices.push_back(summer.take());
    return sums;
}

void gatherUnified(const Facts& facts, RowSums& sums) {
    if (std::ranges::none_of(sums.devices, &DeviceSums::hasUnified))
        return;
    const Trace& trace = facts.trace();
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
        const ActivityIndex i = facts.deviceWork().row(n);
        DeviceSums& device = sums.devices[trace.device(i)];
        if (!device.hasUnified)
            continue;
        const ActivityClass cls = trace.cls(i);
        if (trace.flags(i) & kFlagUnified)
            device.unified.push_back(trace.time(i));
        else if (cls == ActivityClass::MemcpyH2D || cls == ActivityClass::MemcpyD2H)
            device.explicitCopies.push_back(trace.time(i));
    }
}

} // namespace olab::analysis
