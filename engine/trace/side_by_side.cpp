#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <sched.h>
#include <vector>

namespace olab {
namespace {

/// Cores that this thread may run on, possibly fewer than there are.
std::size_t cores() {
    cpu_set_t set;
    const int found = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    return found > 0 ? static_cast<std::size_t>(found)
                     : std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

} // namespace

std::size_t threadsFor(std::size_t items) {
    constexpr std::size_t kWorthAThread = 100'000, kMostThreads = 8;
    return std::clamp<std::size_t>(items / kWorthAThread, 1, std::min(cores(), kMostThreads));
}

void sideBySide(std::size_t parts, std::size_t threads, const std::function<void(std::size_t)>& part) {
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::exception_ptr failure; // memory ran out, or it was cancelled
    const auto work = [&] {
        try {
            for (std::size_t i = next++; i < parts; i = next++)
                part(i);
        } catch (...) {
            next = parts; // no further parts are started
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < std::min(threads, parts); ++i) {
            others.push_back(tryStart(work));
            if (!others.back().joinable())
                break;
        }
        work();
    }
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace olab
