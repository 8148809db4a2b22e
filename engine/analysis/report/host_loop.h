// Iterations by the loop of the host: calls that recur in their order, where operations of the device tell
// nothing because they are all alike.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/steady_state.h>

#include <string>
#include <vector>

namespace olab::analysis {

/// Begins of iterations, and what told them.
struct Begins {
    IterationMark mark = IterationMark::None;
    std::string name;
    std::uint64_t operations = 0;
    std::vector<Ns> at;
    Ns end = 0; ///< of the last one
};

/// Of the thread that issues most. Calls that only issue one kind of work are no loop: a wait, an event or
/// other work has to come between. None found: empty. @throws Error only when cancelled.
Begins hostLoop(const TraceFacts& facts, const RunControl& control);

} // namespace olab::analysis
