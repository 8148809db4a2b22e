// For items made in parallel and used one by one, in order of their numbers: the thread that made the next
// item uses it and all that are waiting after it. No thread waits for a slower one, unless too many items are
// waiting. Private to io.
#pragma once

#include <olab/trace/error.h>

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace olab::io {

template <typename T>
class InOrder {
public:
    explicit InOrder(std::size_t mostWaiting)
        : m_mostWaiting(mostWaiting) {}

    /// An item to fill; may reuse the memory of another.
    std::unique_ptr<T> blank() {
        {
            const std::lock_guard lock(m_mutex);
            if (!m_blank.empty()) {
                std::unique_ptr<T> used = std::move(m_blank.back()); // the last one is likely cached
                m_blank.pop_back();
                return used;
            }
        }
        return std::make_unique<T>();
    }

    /// Numbers count from 0, each is used once. `use` is called sequentially, from any thread.
    /// @throws Error Cancelled once fail() was called: another thread says why
    template <typename Use>
    void give(std::size_t number, std::unique_ptr<T> made, Use use) {
        std::unique_lock lock(m_mutex);
        m_room.wait(lock, [&] { return number <= m_next + m_mostWaiting || m_failed; });
        if (m_failed)
            throw Error(ErrorKind::Cancelled, "cancelled", "Cancelled.");
        m_made.emplace(number, std::move(made));
        while (!m_isUsing && !m_made.empty() && m_made.begin()->first == m_next) {
            std::unique_ptr<T> next = std::move(m_made.begin()->second);
            m_made.erase(m_made.begin());
            m_isUsing = true; // and stays so if `use` throws: nothing follows
            lock.unlock();
            use(*next);
            lock.lock();
            m_isUsing = false;
            ++m_next;
            m_blank.push_back(std::move(next));
            m_room.notify_all();
        }
    }

    /// Releases all waiting threads. @returns whether it is the first to fail
    bool fail() {
        const std::lock_guard lock(m_mutex);
        m_room.notify_all();
        return !std::exchange(m_failed, true);
    }

private:
    const std::size_t m_mostWaiting;
    std::mutex m_mutex;
    std::condition_variable m_room;
    std::map<std::size_t, std::unique_ptr<T>> m_made; ///< by number
    std::vector<std::unique_ptr<T>> m_blank;
    std::size_t m_next = 0;
    bool m_isUsing = false, m_failed = false;
};

} // namespace olab::io
