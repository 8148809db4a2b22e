// Optional threads that only make work faster. If the system provides none (ulimit -u, the process limit of a
// container), the existing threads do the work, possibly the calling one alone. A required thread is created
// by std::jthread directly; currentError() turns its failure into a message.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

namespace olab {

/// Whether a thread could not be created because the system has no more.
inline bool meansNoThread(const std::system_error& error) {
    return error.code() == std::errc::resource_unavailable_try_again;
}

/// Runs `work` on a new thread. Not joinable: no thread was available, and `work` was not called.
template <typename Work>
std::jthread tryStart(Work work) {
    try {
        return std::jthread(std::move(work));
    } catch (const std::system_error& error) {
        if (!meansNoThread(error))
            throw;
        return {};
    }
}

// Runs independent parts of one job on as many threads as are worthwhile and as there are cores. No pool: the
// threads are created for the job and have ended when the call returns. An exception of a part is rethrown by
// the call once all have ended. If the system has too few threads, fewer do the same work, possibly the
// calling one alone.

/// How many threads are worthwhile for a job over `items` items, including the calling one: 1 to 8.
std::size_t threadsFor(std::size_t items);

/// Calls `part` with each number below `parts`, each once, on up to `threads` threads (the calling one among
/// them); the assignment is unspecified, so no part may wait for another. Give the longest parts the lowest
/// numbers: they are started in order.
void sideBySide(std::size_t parts, std::size_t threads, const std::function<void(std::size_t)>& part);

/// Item numbers [begin, end).
struct Stretch {
    std::size_t begin = 0, end = 0;
    std::size_t size() const { return end - begin; }
};
/// Part number `part` of `parts` of [0, items), all of about the same size.
constexpr Stretch stretchOf(std::size_t part, std::size_t parts, std::size_t items) {
    const std::size_t each = items / parts, longer = items % parts;
    const std::size_t begin = part * each + (part < longer ? part : longer);
    return {begin, begin + each + (part < longer ? 1 : 0)};
}

} // namespace olab
