// The order that the legacy NULL stream imposes, for the waits and for the account: an op of a blocking
// stream waits for the last NULL-stream op issued before it; an op of the NULL stream, and an event recorded
// there, waits for all earlier work in blocking streams of its context; non-blocking streams are not affected
// (CUDA Programming Guide, "Legacy default stream").
#pragma once

#include <olab/trace/trace.h>

#include <span>
#include <utility>
#include <vector>

namespace olab::analysis {

/// Takes work in the order in which it was issued. The user numbers the work.
class NullOrder {
public:
    using Id = std::uint32_t;
    static constexpr Id kNone = kNoNumber;
    /// @param kinds per queue
    NullOrder(std::span<const Queue> queues, std::vector<StreamKind> kinds);

    bool isNull(QueueId queue) const { return m_kinds[queue.value] == StreamKind::Null; }
    /// The last work issued in a blocking stream of its context, or kNone.
    Id newest(QueueId queue) const { return m_contexts[m_contextOf[queue.value]].newest; }
    /// Calls `behind` with each work that it must wait for.
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
    /// Adds an event in the NULL stream `queue`; kNoQueue: in the NULL streams of all contexts. `reached` is
    /// called with the work that must end before the event, and returns the number that stands for it.
    template <typename Reached>
    void record(QueueId queue, Reached reached) {
        for (std::size_t c = 0; c < m_contexts.size(); ++c)
            if (queue == kNoQueue || m_contextOf[queue.value] == c)
                if (const std::vector<Id> before = takeUsed(m_contexts[c]); !before.empty())
                    m_contexts[c].last = reached(before);
    }

private:
    struct Context {
        Id last = kNone;           ///< last work of the NULL stream
        Id newest = kNone;         ///< last work of the blocking streams
        std::vector<QueueId> used; ///< blocking streams with work since
    };
    std::vector<Id> takeUsed(Context& context);

    std::vector<StreamKind> m_kinds;
    std::vector<std::size_t> m_contextOf; ///< per queue
    std::vector<Context> m_contexts;
    std::vector<Id> m_since; ///< per blocking stream: its last work since the last NULL-stream work
};

} // namespace olab::analysis
