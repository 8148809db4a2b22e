#include "timeline/search/search.h"

#include <olab/ui/format.h>
#include <olab/ui/texts.h>

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
    if (first.isEmpty())
        return query.stream ? tr("no stream") : tr("no thread");
    const QString named =
        (query.stream ? tr("stream %1") : tr("thread %1")).arg(first.join(QStringLiteral(", ")));
    return more > 0 ? counted("%1 and %n more", "%1 and %n more", static_cast<std::uint64_t>(more)).arg(named)
                    : named;
}

} // namespace

QString Search::whyNothing() const {
    if (!matches().empty() || !done() || !m_query.error.isEmpty())
        return {};
    if (passed().classes == 0)
        return tr("this recording has none");
    if (passed().queue == 0)
        return tr("none is there; the recording has %1").arg(queuesText(m_trace, m_query));
    if (passed().name == 0)
        return m_query.number          ? tr("none has this number")
               : m_query.names.empty() ? tr("none waited for that")
                                       : tr("none is called so");
    return tr("the shortest lasts %1, the longest %2")
        .arg(exactDurationText(passed().shortest), exactDurationText(passed().longest));
}

} // namespace olab::ui
