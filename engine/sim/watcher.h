// The thread that watches events (callback.method poll and blocking-event): it takes them in issue order,
// notices each some time after it is reached, and then does the host work of the pass. The streams continue
// meanwhile.
#pragma once

#include "program.h"

#include <deque>

namespace olab::sim {

class Watcher {
public:
    explicit Watcher(Context& context)
        : m_context(context)
        , m_reached(context.program.ops.size())
        , m_since(context.now()) {}
    /// The call that records the event of `op` has returned.
    void watch(std::uint32_t op);
    /// The event of `op` is reached.
    void reached(std::uint32_t op);
    /// Handles Watched and WatchDone.
    void noticed(std::uint32_t op);
    void done();

private:
    void look();
    Ns noticeTime() const;
    Context& m_context;
    std::deque<std::uint32_t> m_watched;
    std::vector<bool> m_reached;
    Ns m_since; ///< since when it waits for the first of them
    bool m_busy = false;
};

} // namespace olab::sim
