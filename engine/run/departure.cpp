#include "departure.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace olab::run {
namespace {

using namespace std::chrono_literals;

constexpr auto kLongestFarewell = 3000ms; ///< destroying the context of a large device takes a while
constexpr auto kPatience = 15s;
constexpr auto kWatchSlice = 20ms; ///< how long a cancel may go unnoticed

bool ends(const Descriptor& process, std::chrono::milliseconds within, const RunControl& control) {
    pollfd watched{process.get(), POLLIN, 0};
    const auto end = std::chrono::steady_clock::now() + within;
    while (::poll(&watched, 1, static_cast<int>(kWatchSlice.count())) == 0) {
        if (std::chrono::steady_clock::now() >= end)
            return false;
        control.throwIfCancelled();
    }
    return true;
}

} // namespace

void Departure::add(Descriptor process) {
    std::erase_if(m_leaving, [](const Descriptor& one) {
        pollfd watched{one.get(), POLLIN, 0};
        return ::poll(&watched, 1, 0) != 0;
    });
    if (process.isOpen())
        m_leaving.push_back(std::move(process));
}

void Departure::await(const RunControl& control) {
    while (!m_leaving.empty()) {
        const Descriptor& process = m_leaving.back();
        if (!ends(process, kLongestFarewell, control)) {
            ::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0);
            ends(process, kPatience, control);
        }
        m_leaving.pop_back();
    }
}

} // namespace olab::run
