// A sweep for a terminal: its map, a table along its axis, and what there is to say.
#pragma once

#include "printed.h"

#include <olab/sweep/figure.h>
#include <olab/sweep/find_best.h>

namespace olab::cli {

/// `best` null: nobody searched.
Printed sweepText(const sweep::Sweep& sweep, sweep::Figure figure, const sweep::BestFound* best);

} // namespace olab::cli
