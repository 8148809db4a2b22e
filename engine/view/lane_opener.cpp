#include <olab/view/lane_opener.h>

#include <olab/trace/helper_thread.h>

#include <algorithm>
#include <new>

namespace olab::view {

void LaneOpener::open(ViewDataPtr shown, LaneId parent) {
    forgetEnded();
    if (isOpening(parent))
        return;
    Job job;
    job.parent = parent;
    const auto work = [this, parent, ended = job.ended, shown](const std::stop_token& stop) {
        try {
            if (OpenedLanePtr opened = openLane(shown, parent, stop))
                m_done(std::move(opened));
        } catch (const std::bad_alloc&) { // the lane stays closed
        }
        *ended = true;
    };
    job.thread = tryStart(work);
    if (!job.thread.joinable()) // the window waits, but the lane still opens
        return work({});
    m_jobs.push_back(std::move(job));
}

void LaneOpener::stop() {
    for (Job& job : m_jobs)
        job.thread.request_stop();
    forgetEnded();
}

bool LaneOpener::isOpening(LaneId parent) const {
    return std::ranges::any_of(m_jobs, [parent](const Job& job) {
        return job.parent == parent && !*job.ended && !job.thread.get_stop_token().stop_requested();
    });
}

void LaneOpener::forgetEnded() {
    m_jobs.remove_if([](const Job& job) { return job.ended->load(); });
}

} // namespace olab::view
