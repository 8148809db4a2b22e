// Failures on demand (OLAB_FAULT): the parent's side, and those that an engine process causes with any
// backend. Private to run.
#pragma once

#include <olab/experiment/backend.h>
#include <olab/trace/error.h>

#include <csignal>
#include <sys/resource.h>

namespace olab::run {

/// From the environment variable OLAB_FAULT, read each time. @throws Error (bad-fault) for an unknown name
experiment::Fault wantedFault();
/// `error` with the remark that it was requested.
Error rehearsed(const Error& error, experiment::Fault fault);

[[noreturn]] void dieLoudly(); ///< abort() without a core file
[[noreturn]] void fallSilent();

/// While it exists, no file can grow beyond a few hundred bytes, as on a full disk.
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

} // namespace olab::run
