// Work on a thread, of which only the newest counts: what was started before is asked to stop, nobody waits
// for it, and its result is left alone. A member of the object that wants the result, its last one: the
// threads call that object. GUI thread.
#pragma once

#include "base/call_later.h"

#include <olab/trace/error.h>
#include <olab/trace/run_control.h>
#include <olab/trace/side_by_side.h>

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <new>
#include <stop_token>
#include <thread>
#include <utility>

namespace olab::ui {

template <typename Result>
class NewestJob {
public:
    using ResultPtr = std::shared_ptr<const Result>;
    using Work = std::function<ResultPtr(const RunControl&)>;
    /// Null: it was stopped, or memory was lacking.
    using Take = std::function<void(const ResultPtr&)>;

    NewestJob() = default;
    NewestJob(const NewestJob&) = delete;
    NewestJob& operator=(const NewestJob&) = delete;
    ~NewestJob() { stop(); }

    /// `take` is called before this returns.
    void runAtOnce(const Work& work, const Take& take) {
        stop();
        take(resultOf(work, {}));
    }
    /// `take` is called later, in the thread of `owner`; at once where the system has no thread left.
    void run(QObject* owner, const Work& work, const Take& take) {
        stop();
        Job job;
        job.thread = tryStart(
            [this, owner, work, take, number = m_number, ended = job.ended](const std::stop_token& token) {
                callLater(owner, [this, take, number, result = resultOf(work, {token, {}})] {
                    if (number == m_number)
                        take(result);
                });
                *ended = true;
            });
        if (job.thread.joinable())
            m_jobs.push_back(std::move(job));
        else
            take(resultOf(work, {}));
    }
    /// Does not wait for what still runs; its result is not wanted any more.
    void stop() {
        ++m_number;
        for (Job& job : m_jobs)
            job.thread.request_stop();
        m_jobs.remove_if([](const Job& job) { return job.ended->load(); });
    }

private:
    struct Job {
        std::shared_ptr<std::atomic<bool>> ended = std::make_shared<std::atomic<bool>>(false);
        std::jthread thread;
    };
    static ResultPtr resultOf(const Work& work, const RunControl& control) {
        try {
            return work(control);
        } catch (const Error&) { // stopped
        } catch (const std::bad_alloc&) {
        }
        return nullptr;
    }
    int m_number = 0;
    std::list<Job> m_jobs; ///< the last member: its threads are joined first
};

} // namespace olab::ui
