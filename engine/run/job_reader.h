// The job lines of a child, read on a thread of their own. Private to run.
#pragma once

#include "pipes.h"

#include <olab/trace/error.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <poll.h>
#include <stop_token>
#include <thread>

namespace olab::run {

/// Reads the job pipe on a separate thread, so that the parent's death is noticed while a job runs.
class JobReader {
public:
    /// `patience`: a silence of this length means that the parent is gone, for one on another machine; 0: it
    /// may be silent for ever.
    JobReader(int descriptor, std::chrono::seconds patience)
        : m_descriptor(descriptor)
        , m_patience(patience)
        , m_thread([this](const std::stop_token& stop) { read(stop); }) {}

    /// The next line; false when the parent has closed the pipe.
    bool next(std::string& line) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_ended || !m_pending.empty(); });
        if (m_pending.empty())
            return false;
        line = std::move(m_pending.front());
        m_pending.pop_front();
        return true;
    }
    /// Requested when the parent is gone: the result is no longer needed.
    std::stop_token orphaned() const { return m_orphaned.get_token(); }

private:
    void read(const std::stop_token& stop) {
        // No timeout: no thread may wake up while a job measures (for a parent on another machine only with
        // what it sends every ten seconds). The loop below runs until the pipe ends, so nothing waits for
        // this.
        for (std::string text; isHeard() && readSome(m_descriptor, text) != ReadState::End && take(text);)
            text.clear();
        end(stop);
    }
    bool isHeard() const {
        pollfd watched{m_descriptor, POLLIN, 0};
        return m_patience.count() == 0 ||
               ::poll(&watched, 1, static_cast<int>(std::chrono::milliseconds(m_patience).count())) != 0;
    }
    bool take(const std::string& text) try {
        m_lines.append(text);
        const std::lock_guard lock(m_mutex);
        for (std::string line; m_lines.next(line);)
            if (!line.empty())
                m_pending.push_back(std::move(line));
        m_changed.notify_all();
        return true;
    } catch (const Error&) { // an endless line: not our parent
        return false;
    }
    /// A job that ignores its stop token because it hangs in the driver must not leave an orphan that
    /// occupies the device.
    void end(const std::stop_token& stop) {
        {
            const std::lock_guard lock(m_mutex);
            m_ended = true;
            m_changed.notify_all();
        }
        m_orphaned.request_stop();
        constexpr std::chrono::milliseconds kStep{5}, kPatience{5000};
        for (auto waited = kStep; waited < kPatience && !stop.stop_requested(); waited += kStep)
            std::this_thread::sleep_for(kStep);
        if (!stop.stop_requested())
            std::_Exit(static_cast<int>(ErrorKind::DeviceFailed));
    }

    int m_descriptor;
    std::chrono::seconds m_patience;
    LineBuffer m_lines;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::string> m_pending;
    bool m_ended = false;
    std::stop_source m_orphaned;
    std::jthread m_thread; ///< last: it uses all of the above
};

} // namespace olab::run
