// Optional threads that only make work faster. If the system provides none (ulimit -u, the process limit of a
// container), the existing threads do the work, possibly the calling one alone. A required thread is created
// by std::jthread directly; currentError() turns its failure into a message.
#pragma once

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

} // namespace olab
