#include "timeline/search.h"

#include <olab/trace/kernel_name.h>
#include <olab/ui/format.h>

#include <algorithm>
#include <set>

namespace olab {

namespace {

/// "stream 13, 14, 15 and 5 more": those that could have been meant.
QString queuesText(const Trace& trace, const Query& query) {
    constexpr qsizetype kMost = 8;
    const auto kind = query.stream ? Queue::Kind::Stream : Queue::Kind::HostThread;
    std::set<std::uint32_t> numbers;
    for (const Queue& queue : trace.queues())
        if (queue.kind == kind)
            numbers.insert(queue.number);
    QStringList first;
    for (const std::uint32_t number : numbers)
        if (first.size() < kMost)
            first << QString::number(number);
    const auto more = static_cast<qsizetype>(numbers.size()) - first.size();
    const QString what = query.stream ? QStringLiteral("stream ") : QStringLiteral("thread ");
    return first.isEmpty() ? QStringLiteral("no ") + what.trimmed()
                           : what + first.join(QStringLiteral(", ")) +
                                 (more > 0 ? QStringLiteral(" and %1 more").arg(more) : QString());
}

} // namespace

Search::Search(const Shown& shown, Query query)
    : m_shown(shown)
    , m_trace(shown.trace())
    , m_query(std::move(query)) {
    if (!m_query.error.isEmpty())
        m_at = m_trace.size();
}

bool Search::advance(std::size_t count) {
    const std::size_t until = std::min(m_at + count, m_trace.size());
    for (; m_at < until; ++m_at)
        if (const auto index = static_cast<ActivityIndex>(m_at); fits(index))
            m_matches.push_back(index);
    return !done();
}

/// Asked in the order in which whyNothing() tells which of them failed. The length comes last: those of what
/// fits otherwise are of use to who asked for another one.
bool Search::fits(ActivityIndex index) {
    if ((m_query.classes & maskOf(m_trace.cls(index))) == 0 || !isOnEngine(index))
        return false;
    ++m_passed.classes;
    if (!isThere(index))
        return false;
    ++m_passed.queue;
    if (!isOf(index) || !waitedSo(index) || (!m_query.names.isEmpty() && !hasName(m_trace[index].name)))
        return false;
    const Ns length = m_trace.time(index).length();
    m_passed.shortest = std::min(m_passed.shortest, length);
    m_passed.longest = std::max(m_passed.longest, length);
    ++m_passed.name;
    return length >= m_query.atLeast && length <= m_query.atMost;
}

bool Search::isThere(ActivityIndex index) const {
    if (!m_query.stream && !m_query.thread)
        return true;
    const Queue& queue = m_trace.queue(m_trace.queueOf(index));
    const auto& wanted = queue.kind == Queue::Kind::Stream ? m_query.stream : m_query.thread;
    return wanted && *wanted == queue.number;
}

bool Search::isOnEngine(ActivityIndex index) const {
    return m_query.engines == Query::kAny ||
           (isDeviceClass(m_trace.cls(index)) &&
            (m_query.engines & 1u << static_cast<unsigned>(m_trace.engine(index))) != 0);
}

bool Search::waitedSo(ActivityIndex index) const {
    if (m_query.causes == Query::kAny)
        return true;
    const Facts& facts = m_shown.facts;
    return isDeviceClass(m_trace.cls(index)) &&
           (m_query.causes & 1u << static_cast<unsigned>(facts.causeOf(index))) != 0;
}

bool Search::isOf(ActivityIndex index) const {
    if (!m_query.number)
        return true;
    const OpId op = m_trace[index].op;
    return (op == kNoOp ? index : op.value) == *m_query.number;
}

QString Search::whyNothing() const {
    if (!m_matches.empty() || !done() || !m_query.error.isEmpty())
        return {};
    if (m_passed.classes == 0)
        return QStringLiteral("this recording has none");
    if (m_passed.queue == 0)
        return QStringLiteral("none is there; the recording has %1").arg(queuesText(m_trace, m_query));
    if (m_passed.name == 0)
        return m_query.number          ? QStringLiteral("none has this number")
               : m_query.names.empty() ? QStringLiteral("none waited for that")
                                       : QStringLiteral("none is called so");
    return QStringLiteral("the shortest lasts %1, the longest %2")
        .arg(exactDurationText(m_passed.shortest), exactDurationText(m_passed.longest));
}

bool Search::hasName(StringId name) {
    if (name.value >= m_named.size())
        m_named.resize(name.value + std::size_t{1}, -1);
    std::int8_t& known = m_named[name.value];
    if (known < 0) {
        const std::string_view recorded = m_trace.text(name);
        const QString text = fromText(recorded) + QLatin1Char(' ') + fromText(demangled(recorded));
        known = 1;
        for (const QString& part : m_query.names)
            if (!text.contains(part, Qt::CaseInsensitive))
                known = 0;
    }
    return known == 1;
}

} // namespace olab
