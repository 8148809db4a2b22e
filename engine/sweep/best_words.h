// What is said of the best cell.
#pragma once

#include <olab/sweep/find_best.h>

namespace olab::sweep {

std::string bestText(const Sweep& sweep, const BestFound& found);

} // namespace olab::sweep
