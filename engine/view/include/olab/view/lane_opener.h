// Opens lanes by channel on threads of their own, so that the window goes on while ten million activities are
// shared out.
#pragma once

#include <olab/view/drawn_lanes.h>

#include <atomic>
#include <functional>
#include <list>
#include <thread>

namespace olab {

class LaneOpener {
public:
    /// Called on the thread that did it, which is the one that asked where the system has no other to give;
    /// not at all when it was stopped.
    using Done = std::function<void(OpenedLanePtr)>;
    explicit LaneOpener(Done done)
        : m_done(std::move(done)) {}
    void open(ViewDataPtr shown, LaneId parent);
    /// What is under way is no longer wanted. Does not wait.
    void stop();
    bool isOpening(LaneId parent) const;

private:
    struct Job {
        LaneId parent;
        std::shared_ptr<std::atomic<bool>> ended = std::make_shared<std::atomic<bool>>(false);
        std::jthread thread;
    };
    void forgetEnded();
    Done m_done;
    std::list<Job> m_jobs; ///< joined by their destructors, which ask them to stop first
};

} // namespace olab
