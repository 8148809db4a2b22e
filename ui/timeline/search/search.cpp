#include "timeline/search/search.h"

#include <olab/ui/format.h>

#include <set>

namespace olab::ui {

namespace {

/// "stream 13, 14, 15 and 5 more": those that could have been meant.
QString queuesText(const Trace& trace, const SearchQuery& query) {
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

QString Search::whyNothing() const {
    if (!matches().empty() || !done() || !m_query.error.isEmpty())
        return {};
    if (passed().classes == 0)
        return QStringLiteral("this recording has none");
    if (passed().queue == 0)
        return QStringLiteral("none is there; the recording has %1").arg(queuesText(m_trace, m_query));
    if (passed().name == 0)
        return m_query.number          ? QStringLiteral("none has this number")
               : m_query.names.empty() ? QStringLiteral("none waited for that")
                                       : QStringLiteral("none is called so");
    return QStringLiteral("the shortest lasts %1, the longest %2")
        .arg(exactDurationText(passed().shortest), exactDurationText(passed().longest));
}

} // namespace olab::ui
