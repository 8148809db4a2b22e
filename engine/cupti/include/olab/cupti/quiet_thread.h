// Threads of ours in a program of somebody else's. They take none of the host's signals, and what a refused
// write would send (SIGXFSZ, SIGPIPE) does not end it.
#pragma once

#include <functional>
#include <thread>

namespace olab::cupti {

/// A thread with all signals blocked. @throws Error no-thread
std::thread quietThread(std::function<void()> work);

/// Does `work` on such a thread, and comes back when it is done. @throws what it throws
void runQuietly(const std::function<void()>& work);

} // namespace olab::cupti
