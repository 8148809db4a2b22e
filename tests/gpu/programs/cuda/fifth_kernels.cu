#include "fifth.h"

namespace fifth {
namespace {

constexpr int threads = 256;
constexpr int side = 512;

__global__ void reactKernel(const float* from, float* to, size_t begin, int rounds) {
    const size_t i = begin + size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const int x = int(i % side), y = int(i / side % side);
    float sum = from[i] + from[i - plane];
    sum += x > 0 ? from[i - 1] : 0.0f;
    sum += x < side - 1 ? from[i + 1] : 0.0f;
    sum += y > 0 ? from[i - side] : 0.0f;
    sum += y < side - 1 ? from[i + side] : 0.0f;
    float value = sum / 6;
    for (int n = 0; n < rounds; ++n)
        value = value * 0.9999f + 0.001f;
    to[i] = value;
}

__global__ void weighKernel(const float* values, float* result, size_t count, const float* table, int entries,
                            int rounds) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float value = values[i];
    for (int n = 0; n < rounds; ++n)
        value = 0.5f * value + table[(int(i) + 32 * n) & (entries - 1)];
    result[i] = value;
}

} // namespace

void react(const float* from, float* to, int first, int last, int rounds, cudaStream_t stream) {
    const unsigned blocks = unsigned(last - first) * (plane / threads);
    reactKernel<<<blocks, threads, 0, stream>>>(from, to, size_t(first) * plane, rounds);
}

void weigh(const float* values, float* result, size_t count, const float* table, int entries, int rounds,
           cudaStream_t stream) {
    const unsigned blocks = unsigned((count + threads - 1) / threads);
    weighKernel<<<blocks, threads, 0, stream>>>(values, result, count, table, entries, rounds);
}

} // namespace fifth
