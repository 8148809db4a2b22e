// Children on their way out, of both kinds: a context that goes away disturbs the one that measures next, so
// the next child starts when they are gone; meanwhile nobody waits. Private to run. One thread at a time.
#pragma once

#include "pipes.h"

#include <olab/trace/run_control.h>

#include <vector>

namespace olab {

class Departure {
public:
    /// `process` can be polled for the end of it (a pidfd); a closed one is gone already.
    void add(Descriptor process);
    /// Waits for all. One told to end that does not within 3 s is killed; one that cannot be killed is given
    /// up after 15 s. @throws Error when cancelled
    void await(const RunControl& control);

private:
    std::vector<Descriptor> m_leaving;
};

} // namespace olab
