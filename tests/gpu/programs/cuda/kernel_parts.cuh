// What the kernels of several sets are made of.
#pragma once

/// Of a grid of one dimension.
inline __device__ int thread() {
    return int(blockIdx.x * blockDim.x + threadIdx.x);
}

/// A step of dependent arithmetic for each round.
inline __device__ float settled(float value, int rounds) {
    for (int n = 0; n < rounds; ++n)
        value = value * 0.9999f + 0.0001f;
    return value;
}
