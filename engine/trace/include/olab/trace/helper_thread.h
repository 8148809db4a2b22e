// Threads that make work faster and are not needed for it. Where the system gives none (ulimit -u, the limit
// on processes of a container), the work is done by the threads there are, down to the calling one alone. A
// thread without which there is no way to go on is made by std::jthread itself, whose failure
// currentError() turns into a message.
#pragma once

#include <system_error>
#include <thread>
#include <utility>

namespace olab {

/// That a thread could not be made because the system has none to give.
inline bool meansNoThread(const std::system_error& error) {
    return error.code() == std::errc::resource_unavailable_try_again;
}

/// Runs `work` on a thread of its own. Not joinable: there was none to be had, and `work` was not called.
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
