// A program that waits for orders: its thread that listens, and what it does when one comes.
#pragma once

#include <olab/trace/trace_request.h>

#include <functional>
#include <string>

namespace olab::inject {

/// How recording is switched; called by one thread after the other, and may throw.
struct Switches {
    std::function<std::string()> prepare; ///< whatever takes long before it can be on. @returns the file
    std::function<std::string()> file;    ///< the same, without preparing; empty: it was never on
    std::function<void(bool on)> record;
};

/// A thread that is never waited for. @returns whether the program can be told
bool awaitOrders(Switches switches);
/// The socket goes; in a forked child it is only closed.
void endOrders(bool isChild) noexcept;

} // namespace olab::inject
