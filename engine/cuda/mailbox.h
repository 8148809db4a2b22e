// How an issuing thread is notified of finished passes. CUDA's host-function threads may post at any time and
// must not wait, so there is no lock: posts go into slots of a fixed array, an eventfd wakes the reader.
#pragma once

#include <olab/trace/types.h>

#include <atomic>
#include <memory>
#include <stop_token>

namespace olab::cuda {

class Mailbox {
public:
    /// Room for `capacity` posts in total.
    explicit Mailbox(std::size_t capacity);
    ~Mailbox();
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    /// Any thread; never waits.
    void post(OpId op) noexcept;
    enum class Wake : std::uint8_t { Post, Time, Stop };
    /// The next post, in order of arrival. One thread only. Time: nothing arrived for `patience`.
    Wake take(OpId& op, Ns patience, const std::stop_token& stop);

private:
    bool takeNow(OpId& op);
    std::size_t m_capacity;
    std::unique_ptr<std::atomic<std::uint32_t>[]> m_posts;
    std::atomic<std::size_t> m_posted{0};
    std::size_t m_taken = 0;
    int m_event = -1;
};

} // namespace olab::cuda
