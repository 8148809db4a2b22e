// Failures on demand (OLAB_FAULT): what the parent reads, and those an engine process acts out whatever its
// backend is. Private to run.
#pragma once

#include <olab/experiment/fault.h>
#include <olab/trace/error.h>

#include <csignal>
#include <sys/resource.h>

namespace olab {

/// Of the environment variable OLAB_FAULT, read anew each time. @throws Error (bad-fault) for an unknown name
Fault wantedFault();
/// `error` with the remark that it was asked for.
Error rehearsed(const Error& error, Fault fault);

[[noreturn]] void dieLoudly(); ///< abort() without a core file
[[noreturn]] void fallSilent();

/// While it lives no file can grow past a few hundred bytes, as on a full disk.
class FullDisk {
public:
    FullDisk();
    ~FullDisk();
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_before{};
    void (*m_handler)(int) = SIG_DFL;
};

} // namespace olab
