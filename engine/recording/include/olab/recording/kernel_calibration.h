// Kernels loop to take a given time. The first run of a kind determines the loop count; further runs get it
// (RunOptions::calibratedLoops).
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/option_choices.h>
#include <olab/trace/trace.h>

#include <cstdint>
#include <tuple>

namespace olab::recording {

/// Kernels that are equal in this are calibrated once: they all do the same work.
using KernelShape =
    std::tuple<experiment::KernelKind, std::int64_t, std::uint32_t, std::uint32_t, int, std::int64_t>;
KernelShape kernelShapeOf(const experiment::Experiment& experiment);

/// The loop count that a backend recorded; 0: none.
std::int64_t calibratedLoops(const Trace& trace);

} // namespace olab::recording
