// The contents of the host buffers before a run, and as expected after it.
#pragma once

#include "handles.h"

#include <olab/kernels/workload.h>

#include <cstdint>

namespace olab::cuda {

/// How many fit into it; 0 if there is none.
std::uint64_t elements(const Memory& memory);

/// Fills with the pattern H2D copies bring.
void fillPattern(const Memory& memory, std::uint32_t seed);

/// The layout of a result: one element every `step`, `count` in total.
struct Sampling {
    std::uint64_t step = 1, count = 0;
};
/// What a copy brings back: the elements written by each thread of a grid.
Sampling sampledBy(std::uint64_t threads, const Memory& memory);
/// Written in place, thus everywhere; only a part of very large buffers is checked.
Sampling wholeOf(const Memory& memory);

/// Elements of `words` that are not the results of pass `pass`.
std::uint64_t wrongResults(const std::uint32_t* words, Sampling where, std::uint32_t seed,
                           std::uint32_t pass);

} // namespace olab::cuda
