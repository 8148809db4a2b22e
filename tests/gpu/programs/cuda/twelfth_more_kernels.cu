// The other kernels of the twelfth set.
#include "twelfth.h"

#include "kernel_parts.cuh"

namespace twelfth {
namespace {

__global__ void decodeKernel(const float* from, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.5f * from[i] + 0.001f * float(i % 17), rounds);
}

__global__ void unpackKernel(const float* from, float* to, int count, int rounds) {
    for (int i = thread(); i < count; i += int(gridDim.x) * threads)
        to[i] = settled(0.5f * from[i] + 0.002f * float(i % 13), rounds);
}

__global__ void inspectKernel(const float* from, float* to, int count, int rounds) {
    for (int i = thread(); i < count; i += int(gridDim.x) * threads)
        to[i] = 0.5f * to[i] + settled(from[i], rounds);
}

__global__ void renderKernel(float* picture, int rounds, int number) {
    const int i = thread();
    picture[i] = settled(0.25f * picture[i] + 0.01f * float((i / 37 + number) % 19), rounds);
}

__global__ void spectrumKernel(const float* samples, int count, float2* waves) {
    const int i = thread();
    float c, s;
    sincosf(1.5e-3f * float(i), &s, &c);
    float2 turned = {1, 0}, sum = {0, 0};
    for (int n = 0; n < count; ++n) {
        const float value = samples[n & 4095];
        sum.x += value * turned.x;
        sum.y += value * turned.y;
        turned = {turned.x * c - turned.y * s, turned.x * s + turned.y * c};
    }
    waves[i] = {sum.x / float(count), sum.y / float(count)};
}

__global__ void delayKernel(float2* waves, float angle) {
    const int i = thread();
    float c, s;
    sincosf(angle * float(i), &s, &c);
    const float2 wave = waves[i];
    waves[i] = {wave.x * c - wave.y * s, wave.x * s + wave.y * c};
}

__global__ void restoreKernel(const float2* waves, float* samples) {
    const int i = thread();
    float c, s;
    sincosf(1.5e-3f * float(i), &s, &c);
    float2 turned = {1, 0};
    float sum = 0.1f * samples[i];
    for (int n = 0; n < 4096; ++n) {
        sum += waves[n].x * turned.x + waves[n].y * turned.y;
        turned = {turned.x * c - turned.y * s, turned.x * s + turned.y * c};
    }
    samples[i] = 0.5f * sum + 0.01f * float(i % 5);
}

__global__ void borderKernel(float* strip, const float* above, const float* below, float* edge) {
    const int i = thread();
    const float value = 0.5f * strip[i] + 0.25f * (above[i] + below[i]);
    strip[i] = value;
    edge[i] = value + 0.001f * float(i % 7);
}

__global__ void interiorKernel(float* strip, int rounds) {
    const int i = thread();
    strip[i] = settled(strip[i], rounds);
}

__global__ void bondKernel(const float* tables, int kinds, float* positions, int rounds) {
    const int i = thread();
    float value = 0.5f * positions[i];
    for (int n = 0; n < kinds; ++n)
        value += 0.01f * tables[n * 2048 + ((i + 31 * n) & 2047)];
    positions[i] = settled(value, rounds);
}

__global__ void scatterKeysKernel(unsigned* keys, unsigned seed) {
    unsigned key = unsigned(thread()) * 2654435761u + seed;
    key ^= key >> 15;
    key *= 2246822519u;
    keys[thread()] = key ^ (key >> 13);
}

__global__ void exchangeKernel(unsigned* keys, int size, int stride) {
    const int pair = thread();
    const int low = 2 * pair - (pair & (stride - 1)), high = low + stride;
    const unsigned a = keys[low], b = keys[high];
    const bool upwards = (low & size) == 0;
    if ((a > b) == upwards) {
        keys[low] = b;
        keys[high] = a;
    }
}

__global__ void attractKernel(const float4* atoms, float4* forces, int count) {
    const int i = thread();
    const float4 own = atoms[i];
    float x = 0, y = 0, z = 0;
    for (int n = 1; n <= 16; ++n) {
        const float4 other = atoms[(i + 5 * n) & (count - 1)];
        const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
        const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.1f);
        const float strength = inverse * inverse * inverse;
        x += strength * dx;
        y += strength * dy;
        z += strength * dz;
    }
    forces[i] = {x, y, z, 0};
}

__global__ void driftKernel(float4* atoms, const float4* forces, const float* temperature) {
    const int i = thread();
    const float4 force = forces[i];
    const float warm = *temperature;
    float4 own = atoms[i];
    own.x = 0.99f * own.x + 1e-4f * force.x + 0.001f * warm * float(i % 5);
    own.y = 0.99f * own.y + 1e-4f * force.y + 0.001f * warm * float(i % 7);
    own.z = 0.99f * own.z + 1e-4f * force.z + 0.001f * warm * float(i % 11);
    atoms[i] = own;
}

/// Cells of an edge of the table at a time: thread t has letter t of the profile.
__global__ void alignKernel(float* profile, int letters, float* score) {
    __shared__ float last[2][threads + 1];
    const int t = int(threadIdx.x);
    const float letter = profile[t];
    last[0][t + 1] = last[1][t + 1] = 0;
    if (t == 0)
        last[0][0] = last[1][0] = 0;
    __syncthreads();
    float own = 0, across = 0, best = 0;
    for (int edge = 0; edge < letters + threads; ++edge) {
        const int n = edge - t;
        const float left = last[edge & 1][t];
        if (n >= 0 && n < letters) {
            const float match = 1 - fabsf(letter - float((n * 13) % 29));
            own = fmaxf(0.0f, fmaxf(across + match, fmaxf(own, left) - 0.5f));
            best = fmaxf(best, own);
        }
        across = left;
        last[1 - (edge & 1)][t + 1] = own;
        __syncthreads();
    }
    profile[t] = fmodf(letter + best, 29.0f);
    score[t] = best;
}

__global__ void checksumKernel(const unsigned* values, size_t count, unsigned* sums) {
    __shared__ unsigned all;
    if (threadIdx.x == 0)
        all = 0;
    __syncthreads();
    unsigned own = 0;
    for (size_t i = size_t(thread()); i < count; i += size_t(gridDim.x) * threads)
        own ^= values[i] * 2654435761u + unsigned(i);
    atomicXor(&all, own);
    __syncthreads();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = all;
}

__global__ void shrinkKernel(const float* from, float* to, int width, int count, int rounds) {
    for (int i = thread(); i < count; i += int(gridDim.x) * threads) {
        const int x = i % (width / 2), y = i / (width / 2);
        const float* const place = from + size_t(2 * y) * width + 2 * x;
        to[i] = settled(0.25f * (place[0] + place[1] + place[width] + place[width + 1]), rounds);
    }
}

unsigned blocksOf(size_t count) {
    return unsigned(count / threads);
}

} // namespace

void decode(const float* from, float* to, size_t count, int rounds, cudaStream_t stream) {
    decodeKernel<<<blocksOf(count), threads, 0, stream>>>(from, to, rounds);
}

void unpack(const float* from, float* to, size_t count, int rounds, cudaStream_t stream) {
    unpackKernel<<<64, threads, 0, stream>>>(from, to, int(count), rounds);
}

void inspect(const float* from, float* to, size_t count, int rounds, cudaStream_t stream) {
    inspectKernel<<<64, threads, 0, stream>>>(from, to, int(count), rounds);
}

void render(float* picture, size_t count, int rounds, int number, cudaStream_t stream) {
    renderKernel<<<blocksOf(count), threads, 0, stream>>>(picture, rounds, number);
}

void spectrum(const float* samples, int count, float2* waves, cudaStream_t stream) {
    spectrumKernel<<<16, threads, 0, stream>>>(samples, count, waves);
}

void delay(float2* waves, float angle, cudaStream_t stream) {
    delayKernel<<<16, threads, 0, stream>>>(waves, angle);
}

void restore(const float2* waves, float* samples, cudaStream_t stream) {
    restoreKernel<<<16, threads, 0, stream>>>(waves, samples);
}

void border(float* strip, const float* above, const float* below, float* edge, cudaStream_t stream) {
    borderKernel<<<1, threads, 0, stream>>>(strip, above, below, edge);
}

void interior(float* strip, int rounds, cudaStream_t stream) {
    interiorKernel<<<stripValues / threads, threads, 0, stream>>>(strip, rounds);
}

void bond(const float* tables, int kinds, float* positions, size_t count, int rounds, cudaStream_t stream) {
    bondKernel<<<blocksOf(count), threads, 0, stream>>>(tables, kinds, positions, rounds);
}

void scatterKeys(unsigned* keys, int count, unsigned seed, cudaStream_t stream) {
    scatterKeysKernel<<<blocksOf(count), threads, 0, stream>>>(keys, seed);
}

void exchange(unsigned* keys, int count, int size, int stride, cudaStream_t stream) {
    exchangeKernel<<<blocksOf(count / 2), threads, 0, stream>>>(keys, size, stride);
}

void attract(const float4* atoms, float4* forces, int count, cudaStream_t stream) {
    attractKernel<<<blocksOf(count), threads, 0, stream>>>(atoms, forces, count);
}

void drift(float4* atoms, const float4* forces, const float* temperature, int count, cudaStream_t stream) {
    driftKernel<<<blocksOf(count), threads, 0, stream>>>(atoms, forces, temperature);
}

void align(float* profile, int letters, float* score, cudaStream_t stream) {
    alignKernel<<<1, threads, 0, stream>>>(profile, letters, score);
}

void checksum(const unsigned* values, size_t count, unsigned* sums, cudaStream_t stream) {
    checksumKernel<<<512, threads, 0, stream>>>(values, count, sums);
}

void shrink(const float* from, float* to, int width, int height, int rounds, cudaStream_t stream) {
    shrinkKernel<<<32, threads, 0, stream>>>(from, to, width, width / 2 * (height / 2), rounds);
}

} // namespace twelfth
