// Exiting children, of both kinds: the destruction of a context disturbs the next measurement, so the next
// child starts when they are gone; nothing else waits for them. Private to run. One thread at a time.
#pragma once

#include "pipes.h"

#include <olab/trace/run_control.h>

#include <vector>

namespace olab::run {

class Departure {
public:
    /// `process` can be polled for its end (a pidfd); a closed one has already ended.
    void add(Descriptor process);
    /// Waits for all. A child that does not end within 3 s is killed; if it cannot be killed, it is abandoned
    /// after 15 s. @throws Error when cancelled
    void await(const RunControl& control);

private:
    std::vector<Descriptor> m_leaving;
};

} // namespace olab::run
