// Kernels are made to take a wanted time by looping so often, which the first run of their kind finds out and
// further ones are told (RunOptions::calibratedLoops).
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/option_choices.h>
#include <olab/trace/trace.h>

#include <cstdint>
#include <tuple>

namespace olab {

/// Kernels that are alike in this are calibrated once: the same work in all of them.
using KernelShape = std::tuple<KernelKind, std::int64_t, std::uint32_t, std::uint32_t, int, std::int64_t>;
KernelShape kernelShapeOf(const Experiment& experiment);

/// What a backend wrote down that it found; 0: it found nothing.
std::int64_t calibratedLoops(const Trace& trace);

} // namespace olab
