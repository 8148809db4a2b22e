// What the legacy NULL stream orders, for the waits and for the account: an op of a blocking stream waits for
// the NULL-stream op issued last before it; an op of the NULL stream, and an event recorded there, waits for
// all that was issued before it in blocking streams of its context; non-blocking streams take no part (CUDA
// Programming Guide, "Legacy default stream").
#pragma once

#include <olab/trace/trace.h>

#include <span>
#include <utility>
#include <vector>

namespace olab::analysis {

/// Follows work in the order in which it was issued. Work is what its user numbers.
class NullOrder {
public:
    using Id = std::uint32_t;
    static constexpr Id kNone = kNoNumber;
    /// @param kinds per queue
    NullOrder(std::span<const Queue> queues, std::vector<StreamKind> kinds);

    bool isNull(QueueId queue) const { return m_kinds[queue.value] == StreamKind::Null; }
    /// What was issued last in a blocking stream of its context, or kNone.
    Id newest(QueueId queue) const { return m_contexts[m_contextOf[queue.value]].newest; }
    /// Calls `behind` with all that it stands behind.
    template <typename Behind>
    void issue(Id work, QueueId queue, Behind behind) {
        Context& context = m_contexts[m_contextOf[queue.value]];
        if (isNull(queue)) {
            for (const Id before : takeUsed(context))
                behind(before);
            context.last = work;
        } else if (m_kinds[queue.value] == StreamKind::Blocking) {
            if (context.last != kNone)
                behind(context.last);
            if (std::exchange(m_since[queue.value], work) == kNone)
                context.used.push_back(queue);
            context.newest = work;
        }
    }
    /// An event in the NULL stream `queue`; kNoQueue: in those of all contexts. `reached` is called with what
    /// must have ended before it has come, and says what stands for that moment.
    template <typename Reached>
    void record(QueueId queue, Reached reached) {
        for (std::size_t c = 0; c < m_contexts.size(); ++c)
            if (queue == kNoQueue || m_contextOf[queue.value] == c)
                if (const std::vector<Id> before = takeUsed(m_contexts[c]); !before.empty())
                    m_contexts[c].last = reached(before);
    }

private:
    struct Context {
        Id last = kNone;           ///< of the NULL stream
        Id newest = kNone;         ///< of the blocking streams
        std::vector<QueueId> used; ///< blocking streams with work since
    };
    std::vector<Id> takeUsed(Context& context);

    std::vector<StreamKind> m_kinds;
    std::vector<std::size_t> m_contextOf; ///< per queue
    std::vector<Context> m_contexts;
    std::vector<Id> m_since; ///< per blocking stream: its last work since that of the NULL stream
};

} // namespace olab::analysis
