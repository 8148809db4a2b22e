// A thread that does jobs one after the other, in the order in which they come; asleep otherwise. Any thread
// posts.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace olab::ui {

class Background {
public:
    /// Must not throw. What it holds is let go on that thread. Where the system has none to give, who posts
    /// does the job.
    using Job = std::function<void(std::stop_token)>;
    Background() = default;
    ~Background(); ///< stops the job at work, drops the others, joins
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;
    /// Who asks the source to stop means this job alone; one that has not begun still begins, and sees it.
    std::stop_source post(Job job);
    void drop(); ///< what was posted and has not begun

private:
    struct Waiting {
        Job job;
        std::stop_source stop;
    };
    void work(const std::stop_token& ending);
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::deque<Waiting> m_waiting;
    std::stop_source m_current{std::nostopstate}; ///< of the job at work
    std::jthread m_thread;                        ///< begins with the first job
};

} // namespace olab::ui
