// The process that a capture runs in.
#pragma once

#include <unistd.h>

#include <cstdint>

namespace olab::cupti {

// The kind of program that a capture runs in.

enum class HostProgram : std::uint8_t {
    Ours,   ///< no other tool may observe CUDA in it: what it measures is shown as its own
    Foreign ///< it may have loaded its own CUPTI, which is then used; only a tool that holds CUPTI is
            ///< refused
};

/// A recorded program may fork. The child has a copy of all data, but no threads, and must not write what
/// they were about to write. Every operation of a capture therefore first checks that it runs in its own
/// process.
class OwnProcess {
public:
    /// False in a forked child of the process that created this. Any thread, even if a lock was held at the
    /// fork. Makes a system call, so not for each op or record.
    bool isThis() const noexcept { return ::getpid() == m_pid; }

private:
    pid_t m_pid = ::getpid();
};

} // namespace olab::cupti
