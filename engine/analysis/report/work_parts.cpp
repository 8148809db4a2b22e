#include "report/work_parts.h"

#include "facts/sums.h"

#include <olab/trace/trace.h>

#include <algorithm>

namespace olab::analysis {
namespace {

std::int64_t shareOfBytes(std::int64_t bytes, Ns part, Ns whole) {
    __extension__ using Wide = __int128;
    return whole <= 0 ? bytes : static_cast<std::int64_t>(Wide{bytes} * part / whole);
}

IntervalSet othersThan(std::size_t cls, const DeviceFacts& device) {
    IntervalSet others;
    for (std::size_t c = 0; c < kDeviceClassCount; ++c)
        if (c != cls && !device.coverage[c].empty())
            others = others.empty() ? device.coverage[c] : others.united(device.coverage[c]);
    return others;
}

} // namespace

WorkParts::WorkParts(const TraceFacts& facts, const ExplainedWaits& waits,
                     const std::optional<Interval>& part)
    : m_facts(facts)
    , m_waits(waits)
    , m_part(partOf(part))
    , m_others(facts.perDevice().size() * kDeviceClassCount) {}

WorkParts::Others* WorkParts::othersOf(ActivityIndex row) {
    const std::size_t device = m_facts.trace().device(row);
    if (device >= m_facts.perDevice().size())
        return nullptr;
    const auto cls = static_cast<std::size_t>(m_facts.trace().cls(row));
    auto& others = m_others[device * kDeviceClassCount + cls];
    if (!others)
        others = std::make_unique<Others>(othersThan(cls, m_facts.perDevice()[device]));
    return others.get();
}

void WorkParts::addWait(std::size_t number, WorkPart& counted) const {
    const LossCause cause = m_waits.cause(number);
    if (cause == LossCause::None || cause == LossCause::StreamOrder)
        return;
    const Ns begin = m_facts.trace().begin(m_facts.deviceWork().row(number));
    counted.waited = cutTo({begin - m_waits.length(number), begin}, m_part).length();
    counted.cause = cause;
}

std::optional<WorkPart> WorkParts::of(std::size_t number) {
    const ActivityIndex row = m_facts.deviceWork().row(number);
    const Interval time = m_facts.trace().time(row);
    if (!touches(time, m_part))
        return std::nullopt;
    const Interval inPart = cutTo(time, m_part);
    WorkPart counted;
    counted.time = inPart.length();
    if (Others* const others = othersOf(row))
        counted.overlapped = others->cursor.measure(inPart);
    counted.bytes = shareOfBytes(m_facts.trace().bytes(row), counted.time, time.length());
    addWait(number, counted);
    return counted;
}

void WorkSum::add(const WorkPart& part) {
    ++m_sums.count;
    addCapped(m_sums.time, part.time);
    addCapped(m_sums.overlapped, part.overlapped);
    if (part.bytes > 0) {
        addCapped(m_sums.bytes, part.bytes);
        addCapped(m_sums.moving, part.time);
    }
    addWait(part.cause, part.waited);
}

void WorkSum::addWait(LossCause cause, Ns waited) {
    if (waited <= 0)
        return;
    addCapped(m_sums.waited, waited);
    auto known = std::ranges::find(m_waits, cause, &std::pair<LossCause, Ns>::first);
    if (known == m_waits.end())
        known = m_waits.insert(known, {cause, 0});
    addCapped(known->second, waited);
}

NamedWork WorkSum::result() const {
    NamedWork work = m_sums;
    for (const auto& [cause, waited] : m_waits)
        if (waited > work.byCause || (waited == work.byCause && cause < work.cause))
            work.cause = cause, work.byCause = waited;
    return work;
}

} // namespace olab::analysis
