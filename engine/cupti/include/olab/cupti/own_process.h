// A program that is recorded may fork. Its child has a copy of all that is here, but neither the threads nor
// the right to what they were about to write: whatever a capture does asks first whose process this is.
#pragma once

#include <unistd.h>

namespace olab::cupti {

class OwnProcess {
public:
    /// False in a forked child of the process that made this. Any thread, also where a lock was held when it
    /// forked; a system call, so not for each op or record.
    bool isThis() const noexcept { return ::getpid() == m_pid; }

private:
    pid_t m_pid = ::getpid();
};

} // namespace olab::cupti
