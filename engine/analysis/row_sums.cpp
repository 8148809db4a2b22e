#include "row_sums.h"

#include "looks.h"
#include "sums.h"

#include <olab/trace/lanes.h>

namespace olab {
namespace {

/// Time with two or more at once, as a set.
class Crowd {
public:
    explicit Crowd(std::size_t most)
        : m_shared(most) {}
    void add(Interval time) { m_shared.add(m_sum.add(time)); }
    IntervalSet take() { return m_shared.take(); }

private:
    ConcurrentSum m_sum;
    IntervalSetMaker m_shared;
};

/// One device in the making.
class DeviceSummer {
public:
    DeviceSummer(std::size_t onSms, std::size_t copies, Crowds crowds)
        : m_onSms(onSms)
        , m_copies(copies)
        , m_crowds(crowds == Crowds::Kept) {}
    void add(const Trace& trace, ActivityIndex i) {
        const Interval time = trace.time(i);
        const ActivityClass cls = trace.cls(i);
        const EngineKind engine = trace.engine(i);
        ClassSums& c = m_sums.classes[static_cast<std::size_t>(cls)];
        c.zeroDuration += time.length() == 0;
        addCapped(c.sum, time.length());
        addCapped(c.bytes, trace.bytes(i));
        c.concurrent.add(time);
        EngineSums& e = m_sums.engines[static_cast<std::size_t>(engine)];
        ++e.count;
        e.classes |= maskOf(cls);
        e.concurrent.add(time);
        if (m_crowds)
            (engine == EngineKind::Compute ? m_onSms : m_copies).add(time);
        m_sums.span = m_any ? Interval{m_sums.span.begin, std::max(m_sums.span.end, time.end)} : time;
        m_any = true;
        m_hasUnified = m_hasUnified || (trace.flags(i) & kFlagUnified) != 0;
        ++c.count;
    }
    bool hasUnified() const { return m_hasUnified; }
    DeviceSums take() {
        m_sums.crowdedCompute = m_onSms.take();
        m_sums.crowdedCopies = m_copies.take();
        return std::move(m_sums);
    }

private:
    DeviceSums m_sums;
    Crowd m_onSms, m_copies;
    const bool m_crowds;
    bool m_any = false, m_hasUnified = false;
};

std::vector<DeviceSummer> summersOf(const Facts& facts, Crowds crowds) {
    std::vector<DeviceSummer> summers;
    for (std::size_t d = 0; d < facts.trace().devices().size(); ++d) {
        const auto device = static_cast<std::uint8_t>(d);
        const std::size_t onSms = facts.ofEngine(device, EngineKind::Compute).size();
        std::size_t all = 0;
        for (const Lane& lane : facts.lanes().ofDevice(device))
            all += lane.kind == LaneKind::Stream ? lane.activities.size() : 0;
        const bool isKept = crowds == Crowds::Kept;
        summers.emplace_back(isKept ? onSms : 0, isKept ? all - onSms : 0, crowds);
    }
    return summers;
}

/// Few recordings have migrations: those are read once more.
void gatherUnified(const Facts& facts, const std::vector<bool>& wanted, RowSums& sums) {
    const Trace& trace = facts.trace();
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
        const ActivityIndex i = facts.deviceWork().row(n);
        const std::uint8_t device = trace.device(i);
        if (!wanted[device])
            continue;
        const ActivityClass cls = trace.cls(i);
        if (trace.flags(i) & kFlagUnified)
            sums.devices[device].unified.push_back(trace.time(i));
        else if (cls == ActivityClass::MemcpyH2D || cls == ActivityClass::MemcpyD2H)
            sums.devices[device].explicitCopies.push_back(trace.time(i));
    }
}

} // namespace

RowSums sumRows(const Facts& facts, Crowds crowds, DevicePart devices, const RunControl& control) {
    const Trace& trace = facts.trace();
    RowSums sums;
    sums.classesOfQueue.resize(trace.queues().size());
    std::vector<DeviceSummer> summers = summersOf(facts, crowds);
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
        lookAtCancel(n, control);
        const ActivityIndex i = facts.deviceWork().row(n);
        if (!devices.has(trace.device(i)))
            continue;
        summers[trace.device(i)].add(trace, i);
        sums.classesOfQueue[trace.queueOf(i).value] |= maskOf(trace.cls(i));
    }
    std::vector<bool> unified;
    for (DeviceSummer& summer : summers) {
        unified.push_back(summer.hasUnified());
        sums.devices.push_back(summer.take());
    }
    if (std::ranges::find(unified, true) != unified.end())
        gatherUnified(facts, unified, sums);
    return sums;
}

void addSums(RowSums& sums, RowSums&& more, DevicePart devices) {
    for (std::size_t d = 0; d < more.devices.size(); ++d)
        if (devices.has(static_cast<std::uint8_t>(d)))
            sums.devices[d] = std::move(more.devices[d]);
    for (std::size_t q = 0; q < more.classesOfQueue.size(); ++q)
        sums.classesOfQueue[q] |= more.classesOfQueue[q];
}

} // namespace olab
