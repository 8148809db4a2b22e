// Which work the NULL stream made wait, and for what, by number of device work.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

struct NullHold {
    Ns until = std::numeric_limits<Ns>::min(); ///< nothing to wait for
    ActivityIndex behind = kNoActivity;        ///< what it waits for
};

/// Empty if no NULL stream has work and the schedule records no event on it. Processes ops in the order in
/// which the host issued them: planned op, else begin of the API call, else correlation, else begin. Events
/// on the NULL stream leave no activity; they are known from the schedule or from their calls. Needs
/// Facts::apiOf(). @throws Error only when cancelled
Column<NullHold> nullHolds(const Facts& facts, const RunControl& control);

} // namespace olab::analysis
