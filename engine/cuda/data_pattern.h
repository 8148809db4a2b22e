// What the buffers of the host hold before a run and must hold after it.
#pragma once

#include "handles.h"

#include <olab/kernels/workload.h>

#include <cstdint>

namespace olab {

/// How many fit into it; 0 where there is none.
std::uint64_t elements(const Memory& memory);

/// Fills with the pattern H2D copies bring.
void fillPattern(const Memory& memory, std::uint32_t seed);

/// How a result lies in memory: one element every `step`, `count` in all.
struct Sampling {
    std::uint64_t step = 1, count = 0;
};
/// What a copy brings back: the places each thread of a grid has written.
Sampling sampledBy(std::uint64_t threads, const Memory& memory);
/// Written in place, so everywhere; of very large buffers a part is looked at.
Sampling wholeOf(const Memory& memory);

/// Elements of `words` that are not the results of pass `pass`.
std::uint64_t wrongResults(const std::uint32_t* words, Sampling where, std::uint32_t seed,
                           std::uint32_t pass);

} // namespace olab
