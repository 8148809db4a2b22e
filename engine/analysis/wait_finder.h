// Fills Facts::waits and waitOf.
#pragma once

#include <olab/analysis/facts.h>

namespace olab {

/// From the end of the op before to the start of the next one of the stream, with nothing in between.
/// Measured on an H200: 3.8 us on one engine, 6.8 us from one engine to another. Less than this is no wait.
inline constexpr Ns kHopLatency = 10'000;
/// From the end of the issuing call, or the opening of the gate, to the start on an idle device: 4 to 6 us on
/// an H200.
inline constexpr Ns kSubmitLatency = 10'000;
/// From the end of a host function to the start of the next op of its stream: 6.5 us on an H200.
inline constexpr Ns kCallbackLatency = 20'000;
/// From the end of what an event marks to the start of what waits for it in another stream: an estimate, as
/// for a hop between engines.
inline constexpr Ns kEventLatency = 15'000;
/// What a barrier of the NULL stream costs after the work before it has ended: 28 us on an H200.
inline constexpr Ns kBarrierLatency = 35'000;

/// @throws Error only when cancelled
void findWaits(Facts& facts, const RunControl& control);

/// The part of `wait` in which the op was held by the NULL stream; empty for any other cause.
Interval heldByNullStream(const Wait& wait);

} // namespace olab
