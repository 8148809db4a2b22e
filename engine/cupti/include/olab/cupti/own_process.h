// A recorded program may fork. The child has a copy of all data, but no threads, and must not write what they
// were about to write. Every operation of a capture therefore first checks that it runs in its own process.
#pragma once

#include <unistd.h>

namespace olab::cupti {

class OwnProcess {
public:
    /// False in a forked child of the process that created this. Any thread, even if a lock was held at the
    /// fork. Makes a system call, so not for each op or record.
    bool isThis() const noexcept { return ::getpid() == m_pid; }

private:
    pid_t m_pid = ::getpid();
};

} // namespace olab::cupti
