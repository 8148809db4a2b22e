// Our threads in another program. They handle none of the host's signals, and the signals of a failed write
// (SIGXFSZ, SIGPIPE) do not end it.
#pragma once

#include <functional>
#include <thread>

namespace olab::cupti {

/// A thread with all signals blocked. @throws Error no-thread
std::thread quietThread(std::function<void()> work);

/// Runs `work` on such a thread and returns when it is done. @throws what `work` throws
void runQuietly(const std::function<void()>& work);

} // namespace olab::cupti
