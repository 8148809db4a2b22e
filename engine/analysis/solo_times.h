// How long each op takes alone: from the solo runs of the same job, else the shortest of its kind in the
// trace.
#pragma once

#include <olab/analysis/facts.h>

namespace olab {

/// Fills Facts::soloOf, solo, residentBlocks and hasSolos.
void findSoloTimes(Facts& facts);

/// The step of the device's time stamps: the greatest common divisor of all begins and ends, counted from the
/// first, at least 1 ns and at most 1 us (no source is coarser; a few round times prove nothing beyond it).
/// NVIDIA devices count in steps of 32 ns, traces written in whole microseconds in steps of 1000 ns.
Ns timeStampResolution(const Trace& trace);

/// Blocks of a kernel's grid; 0 when neither its record nor its solo run says.
std::uint64_t blocksOf(const Facts& facts, ActivityIndex kernel);

/// Whether `solo` says how long the op takes alone. The shortest of its kind does for copies and memsets,
/// whose work is their bytes, but not for kernels, whose work may depend on data no record knows.
bool soloIsTrusted(const Facts& facts, ActivityIndex activity);

} // namespace olab
