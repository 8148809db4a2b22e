// Fills Facts::waits and waitOf.
#pragma once

#include <olab/analysis/facts.h>

namespace olab {

/// From the end of the op before to the start of the next one in a stream, with nothing in between: published
/// and measured figures lie between 1 and 3 us (about 2.1 us per kernel boundary on an H100). Less than this
/// is no wait.
inline constexpr Ns kHopLatency = 3'000;
/// From the end of the issuing call to the start on an idle device: 2 to 6 us.
inline constexpr Ns kSubmitLatency = 6'000;
/// From the end of a host function to the start of the next op of its stream: 10 to 100 us are reported.
inline constexpr Ns kCallbackLatency = 100'000;

/// @throws Error only when cancelled
void findWaits(Facts& facts, const RunControl& control);

/// The part of `wait` in which the op was held by the NULL stream; empty for any other cause.
Interval heldByNullStream(const Wait& wait);

} // namespace olab
