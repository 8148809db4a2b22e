// The order in which the cells of a sweep run. Each round runs every cell once, so that repeats of a cell lie
// far apart; the order is shuffled, the same in every process, so that what drifts from minute to minute does
// not look like an effect of an axis; and every second round is the reverse of the one before it, so that a
// steady drift adds the same to each cell. Pure, any thread.
#pragma once

#include <cstddef>
#include <vector>

namespace olab::sweep {

std::vector<std::size_t> roundOrder(std::size_t cells, std::size_t round);

} // namespace olab::sweep
