// Opens lanes by channel on separate threads, so that the window stays responsive while ten million
// activities are distributed.
#pragma once

#include <olab/view/drawn_lanes.h>

#include <atomic>
#include <functional>
#include <list>
#include <thread>

namespace olab::view {

class LaneOpener {
public:
    /// Called on the working thread, or on the caller's if the system has no thread available; not called if
    /// stopped.
    using Done = std::function<void(OpenedLanePtr)>;
    explicit LaneOpener(Done done)
        : m_done(std::move(done)) {}
    void open(ViewDataPtr shown, LaneId parent);
    /// Cancels running work. Does not wait.
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
    std::list<Job> m_jobs; ///< joined by their destructors, which request the stop first
};

} // namespace olab::view
