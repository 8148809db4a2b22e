#include <olab/view/finder.h>

#include <algorithm>

namespace olab::view {

Finder::Finder(const ViewData& data, SearchCriteria wanted)
    : m_facts(data.facts)
    , m_trace(data.trace())
    , m_waits(data.waits())
    , m_wanted(std::move(wanted)) {
    if (m_wanted.nothing)
        m_at = m_trace.size();
}

bool Finder::advance(std::size_t count) {
    const std::size_t until = std::min(m_at + count, m_trace.size());
    for (; m_at < until; ++m_at)
        if (const auto index = static_cast<ActivityIndex>(m_at); fits(index))
            m_matches.push_back(index);
    return !done();
}

/// Checked in the order of passed(). The length comes last: the lengths of otherwise matching activities help
/// to correct the criterion.
bool Finder::fits(ActivityIndex index) {
    if ((m_wanted.classes & maskOf(m_trace.cls(index))) == 0 || !isOnEngine(index))
        return false;
    ++m_passed.classes;
    if (!isThere(index))
        return false;
    ++m_passed.queue;
    if (!isOf(index) || !waitedSo(index) || (m_wanted.fitsName && !hasName(m_trace.nameOf(index))))
        return false;
    const Ns length = m_trace.time(index).length();
    m_passed.shortest = std::min(m_passed.shortest, length);
    m_passed.longest = std::max(m_passed.longest, length);
    ++m_passed.name;
    return length >= m_wanted.atLeast && length <= m_wanted.atMost;
}

bool Finder::isThere(ActivityIndex index) const {
    if (!m_wanted.stream && !m_wanted.thread)
        return true;
    const Queue& queue = m_trace.queue(m_trace.queueOf(index));
    const auto& wanted = queue.kind == Queue::Kind::Stream ? m_wanted.stream : m_wanted.thread;
    return wanted && *wanted == queue.number;
}

bool Finder::isOnEngine(ActivityIndex index) const {
    return m_wanted.engines == SearchCriteria::kAny ||
           (isDeviceClass(m_trace.cls(index)) &&
            (m_wanted.engines & 1u << static_cast<unsigned>(m_trace.engine(index))) != 0);
}

bool Finder::waitedSo(ActivityIndex index) const {
    if (m_wanted.causes == SearchCriteria::kAnyCause)
        return true;
    return isDeviceClass(m_trace.cls(index)) &&
           (m_wanted.causes & std::uint64_t{1} << static_cast<unsigned>(
                                  m_waits.cause(m_facts.deviceWork().numberOf(index)))) != 0;
}

bool Finder::isOf(ActivityIndex index) const {
    if (!m_wanted.number)
        return true;
    const OpId op = m_trace[index].op;
    return (op == kNoOp ? index : op.value) == *m_wanted.number;
}

bool Finder::hasName(StringId name) {
    if (name.value >= m_named.size())
        m_named.resize(name.value + std::size_t{1}, -1);
    std::int8_t& known = m_named[name.value];
    if (known < 0)
        known = m_wanted.fitsName(m_trace.text(name)) ? 1 : 0;
    return known == 1;
}

} // namespace olab::view
