// What kernels are made of.
#pragma once

#include "programs.h"

constexpr int threads = 256; ///< of a block

/// Of a grid of one dimension.
inline __device__ int thread() {
    return int(blockIdx.x * blockDim.x + threadIdx.x);
}

inline __device__ int threadsOfGrid() {
    return int(gridDim.x * blockDim.x);
}

/// A step of dependent arithmetic for each round.
inline __device__ float settled(float value, int rounds) {
    for (int n = 0; n < rounds; ++n)
        value = value * 0.9999f + 0.0001f;
    return value;
}

inline __device__ float filtered(float value, const Weights& by, int rounds) {
    for (int n = 0; n < rounds; ++n) {
#pragma unroll
        for (int k = 0; k < weights; ++k)
            value = value * by.of[k] + 0.001f;
    }
    return value;
}

/// A thread for each of so many values, of which there is a multiple of a block.
inline unsigned blocksOf(size_t count) {
    return unsigned(count / threads);
}
