#include "orders.h"

#include <olab/cupti/quiet_thread.h>
#include <olab/trace/error.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <mutex>
#include <optional>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace olab::inject {
namespace {

constexpr int kPatience = 2; // seconds for a line
constexpr std::size_t kLongest = 200;

std::atomic<int> g_listening{-1};

Ns wallNow() {
    timespec t{};
    ::clock_gettime(CLOCK_REALTIME, &t);
    return static_cast<Ns>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

void sleepUntilWall(Ns time) {
    const timespec until{time / 1'000'000'000, time % 1'000'000'000};
    while (time > 0 && ::clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, nullptr) == EINTR) {
    }
}

/// Only what the same user says.
std::optional<TraceOrder> orderFrom(int connection) {
    ucred other{};
    socklen_t size = sizeof other;
    if (::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &other, &size) != 0 || other.uid != ::geteuid())
        return std::nullopt;
    const timeval limit{kPatience, 0};
    ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    std::string line;
    for (char c = 0; line.size() < kLongest && ::recv(connection, &c, 1, 0) == 1 && c != '\n';)
        line += c;
    return traceOrder(line);
}

/// One order at a time is carried out. An order to be on ends by itself unless another came meanwhile.
class Orders {
public:
    explicit Orders(Switches switches)
        : m_switches(std::move(switches)) {}
    void listen(int listening) {
        struct stat is {};
        const ino_t own = ::fstat(listening, &is) == 0 ? is.st_ino : 0;
        while (::fstat(listening, &is) == 0 && is.st_ino == own) { // the program may have closed it
            const int connection = ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
            if (connection < 0 && errno != EINTR && errno != ECONNABORTED)
                return;
            if (connection < 0)
                continue;
            answer(connection);
            ::close(connection);
        }
    }

private:
    void answer(int connection) {
        const std::optional<TraceOrder> order = orderFrom(connection);
        if (!order)
            return;
        std::string text;
        try {
            text = "ok " + (order->kind == TraceOrder::Kind::On ? m_switches.prepare() : m_switches.file());
            std::ranges::replace(text, '\n', ' ');
        } catch (const Error& error) {
            text = "error " + std::string(error.what()) + " " + error.hint();
        } catch (const std::exception& error) {
            text = "error " + std::string(error.what());
        }
        text += '\n';
        const bool isDone = text.starts_with("ok");
        if (isDone && order->at == 0) // else it is answered at once, as all are to be on at the same time
            carryOut(*order);
        (void)!::send(connection, text.data(), text.size(), MSG_NOSIGNAL);
        if (isDone && order->at > 0)
            carryOut(*order);
    }
    void carryOut(const TraceOrder& order) {
        if (order.kind == TraceOrder::Kind::Tell)
            return;
        sleepUntilWall(std::min(order.at, wallNow() + 60'000'000'000));
        const std::lock_guard lock(m_mutex);
        const int number = ++m_number;
        m_switches.record(order.kind == TraceOrder::Kind::On);
        if (order.kind == TraceOrder::Kind::On && order.duration > 0)
            endAt((order.at > 0 ? order.at : wallNow()) + order.duration, number);
    }
    void endAt(Ns time, int number) {
        cupti::quietThread([this, time, number] {
            sleepUntilWall(time);
            const std::lock_guard lock(m_mutex);
            if (number == m_number)
                m_switches.record(false);
        }).detach();
    }

    const Switches m_switches;
    std::mutex m_mutex;
    int m_number = 0; ///< of the last order
};

} // namespace

bool awaitOrders(Switches switches) {
    const int listening = listenToOrders(::getpid());
    if (listening < 0)
        return false;
    g_listening = listening;
    Orders& orders = *new Orders(std::move(switches)); // its thread is never waited for
    cupti::quietThread([&orders, listening] { orders.listen(listening); }).detach();
    return true;
}

void endOrders(bool isChild) noexcept {
    const int listening = g_listening.exchange(-1);
    if (listening < 0)
        return;
    if (isChild) {
        (void)::syscall(SYS_close, listening); // a sanitizer takes the parent's thread to be here, too
        return;
    }
    ::shutdown(listening, SHUT_RDWR); // the thread may be about to use it: it goes with the process
    try {
        ::unlink(traceSocket(::getpid()).c_str());
    } catch (...) { // it stays until somebody looks for it
    }
}

} // namespace olab::inject
