#include "measure/stretch_sums.h"

#include "facts/sums.h"

namespace olab::analysis {
namespace {

using Devices = std::vector<DeviceSums>;

Ns latestEnd(const Devices& devices) {
    Ns end = std::numeric_limits<Ns>::min();
    for (const DeviceSums& device : devices)
        for (const ClassSums& c : device.classes)
            end = std::max(end, c.concurrent.latest());
    return end;
}

void addPlain(ClassSums& sums, const ClassSums& behind) {
    sums.count += behind.count;
    sums.zeroDuration += behind.zeroDuration;
    addCapped(sums.sum, behind.sum);
    addCapped(sums.bytes, behind.bytes);
}
void addPlain(EngineSums& sums, const EngineSums& behind) {
    sums.count += behind.count;
    sums.classes |= behind.classes;
}

/// Time that work of a later stretch shared with earlier work. Only work that begins before the latest end so
/// far can share any: it is added twice, once with the earlier state and once without.
class Seam {
public:
    explicit Seam(const Devices& before)
        : m_knowing(before)
        , m_not(before.size()) {}
    void addAgain(const Facts& facts, Stretch work) {
        const Ns end = latestEnd(m_knowing);
        for (std::size_t n = work.begin; n < work.end; ++n) {
            const ActivityIndex i = facts.deviceWork().row(n);
            if (facts.trace().begin(i) >= end)
                break;
            add(m_knowing, facts.trace(), i);
            add(m_not, facts.trace(), i);
        }
    }
    void append(Devices& sums, const Devices& behind) const {
        for (std::size_t d = 0; d < sums.size(); ++d) {
            appendAll(sums[d].classes, behind[d].classes, m_knowing[d].classes, m_not[d].classes);
            appendAll(sums[d].engines, behind[d].engines, m_knowing[d].engines, m_not[d].engines);
        }
    }

private:
    static void add(Devices& devices, const Trace& trace, ActivityIndex i) {
        DeviceSums& device = devices[trace.device(i)];
        device.classes[static_cast<std::size_t>(trace.cls(i))].concurrent.add(trace.time(i));
        device.engines[static_cast<std::size_t>(trace.engine(i))].concurrent.add(trace.time(i));
    }
    template <typename Sums>
    static void appendAll(Sums& sums, const Sums& behind, const Sums& knowing, const Sums& notKnowing) {
        for (std::size_t s = 0; s < sums.size(); ++s) {
            addPlain(sums[s], behind[s]);
            ConcurrentSum& sum = sums[s].concurrent;
            const Ns alone = notKnowing[s].concurrent.total();
            sum.append(behind[s].concurrent, knowing[s].concurrent.total() - sum.total() - alone);
        }
    }

    Devices m_knowing, m_not;
};

void appendSpan(DeviceSums& sums, const DeviceSums& behind) {
    if (behind.any())
        sums.span =
            sums.any() ? Interval{sums.span.begin, std::max(sums.span.end, behind.span.end)} : behind.span;
    sums.hasUnified = sums.hasUnified || behind.hasUnified;
}

} // namespace

StretchSums::StretchSums(const Facts& facts, std::size_t stretches)
    : m_facts(facts)
    , m_parts(stretches) {
    for (std::size_t p = 0; p < stretches; ++p)
        m_parts[p].work = stretchOf(p, stretches, facts.deviceWork().size());
}

void StretchSums::sum(std::size_t stretch, const RunControl& control) {
    Part& part = m_parts[stretch];
    part.sums = sumRows(m_facts, Crowds::NotKept, part.work, control);
}

RowSums StretchSums::join() {
    RowSums sums = std::move(m_parts.front().sums);
    for (std::size_t p = 1; p < m_parts.size(); ++p) {
        const RowSums& behind = m_parts[p].sums;
        for (std::size_t d = 0; d < sums.devices.size(); ++d) // before the counts: they say if there is one
            appendSpan(sums.devices[d], behind.devices[d]);
        Seam seam(sums.devices);
        seam.addAgain(m_facts, m_parts[p].work);
        seam.append(sums.devices, behind.devices);
        for (std::size_t q = 0; q < sums.classesOfQueue.size(); ++q)
            sums.classesOfQueue[q] |= behind.classesOfQueue[q];
    }
    return sums;
}

} // namespace olab::analysis
