#include "mailbox.h"

#include "clock.h"

#include <algorithm>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace olab::cuda {
namespace {

constexpr Ns kSlice = 20'000'000; // how long a stop may go unnoticed

} // namespace

Mailbox::Mailbox(std::size_t capacity)
    : m_capacity(capacity)
    , m_posts(std::make_unique<std::atomic<std::uint32_t>[]>(capacity))
    , m_event(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    for (std::size_t i = 0; i < capacity; ++i)
        m_posts[i].store(kNoOp.value, std::memory_order_relaxed);
}

Mailbox::~Mailbox() {
    if (m_event >= 0)
        close(m_event);
}

void Mailbox::post(OpId op) noexcept {
    const std::size_t place = m_posted.fetch_add(1, std::memory_order_relaxed);
    if (place >= m_capacity)
        return;
    m_posts[place].store(op.value, std::memory_order_release);
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(m_event, &one, sizeof one);
}

bool Mailbox::takeNow(OpId& op) {
    if (m_taken >= m_capacity)
        return false;
    op.value = m_posts[m_taken].load(std::memory_order_acquire);
    if (op == kNoOp)
        return false;
    ++m_taken;
    return true;
}

// A wake-up that finds nothing (an earlier one took it) just checks again.
Mailbox::Wake Mailbox::take(OpId& op, Ns patience, const std::stop_token& stop) {
    const Ns until = steadyNow() + patience;
    while (!takeNow(op)) {
        if (stop.stop_requested())
            return Wake::Stop;
        const Ns left = until - steadyNow();
        if (left <= 0)
            return Wake::Time;
        pollfd waiting{m_event, POLLIN, 0};
        poll(&waiting, 1, static_cast<int>(std::min(left, kSlice) / 1'000'000 + 1));
        std::uint64_t count = 0;
        [[maybe_unused]] const ssize_t got = read(m_event, &count, sizeof count);
    }
    return Wake::Post;
}

} // namespace olab::cuda
