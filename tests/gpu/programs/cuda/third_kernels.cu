#include "third.h"

namespace third {
namespace {

constexpr int threads = 256;
constexpr int transformLength = 1024;
constexpr int vectorLength = 256;
constexpr int vectorsAtOnce = 16;
constexpr int pixelsOfLayer = 811008; // a multiple of all threads of 132 SMs

__device__ size_t thread() {
    return size_t(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ size_t threadsOfGrid() {
    return size_t(gridDim.x) * blockDim.x;
}

__global__ void relaxKernel(const float* from, float* to, int side) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x < 1 || y < 1 || x >= side - 1 || y >= side - 1)
        return;
    const size_t at = size_t(y) * side + x;
    to[at] = 0.25f * (from[at - 1] + from[at + 1] + from[at - side] + from[at + side]) + 1e-6f;
}

__global__ void differenceKernel(const float* a, const float* b, size_t count, float* largest) {
    float here = 0;
    for (size_t i = thread(); i < count; i += threadsOfGrid())
        here = fmaxf(here, fabsf(a[i] - b[i]));
    for (int lane = 16; lane; lane /= 2)
        here = fmaxf(here, __shfl_xor_sync(~0u, here, lane));
    if (threadIdx.x % 32 == 0)
        atomicMax(reinterpret_cast<int*>(largest), __float_as_int(here)); // as ints in the same order
}

__global__ void denoiseKernel(const uint8_t* from, uint8_t* to, int width, int height, int radius) {
    const int x = int(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = int(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height)
        return;
    const float own = from[size_t(y) * width + x];
    float sum = 0, weights = 0;
    for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx) {
            const int row = min(max(y + dy, 0), height - 1), column = min(max(x + dx, 0), width - 1);
            const float other = from[size_t(row) * width + column];
            const float weight =
                __expf(-0.01f * (own - other) * (own - other) - 0.1f * float(dx * dx + dy * dy));
            sum += weight * other;
            weights += weight;
        }
    to[size_t(y) * width + x] = uint8_t(sum / weights);
}

__global__ void attractKernel(const float4* bodies, float4* speeds, int count) {
    __shared__ float4 tile[128];
    const int i = int(thread());
    const float4 own = bodies[i];
    float x = 0, y = 0, z = 0;
    for (int first = 0; first < count; first += 128) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
#pragma unroll 16
        for (int k = 0; k < 128; ++k) {
            const float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            const float pull = tile[k].w * inverse * inverse * inverse;
            x += pull * dx;
            y += pull * dy;
            z += pull * dz;
        }
        __syncthreads();
    }
    speeds[i].x += 1e-4f * x;
    speeds[i].y += 1e-4f * y;
    speeds[i].z += 1e-4f * z;
}

__global__ void advanceKernel(float4* bodies, const float4* speeds, int count) {
    const int i = int(thread());
    if (i >= count)
        return;
    const float4 start = {__sinf(float(i)), __cosf(float(3 * i)), __sinf(float(7 * i)), 1.0f};
    bodies[i].x = 0.999f * bodies[i].x + 0.001f * start.x + 1e-4f * speeds[i].x;
    bodies[i].y = 0.999f * bodies[i].y + 0.001f * start.y + 1e-4f * speeds[i].y;
    bodies[i].z = 0.999f * bodies[i].z + 0.001f * start.z + 1e-4f * speeds[i].z;
    bodies[i].w = 1e-3f;
}

__global__ void energyKernel(const float4* speeds, int count, float* sum) {
    __shared__ float parts[threads];
    float here = 0;
    for (int i = int(threadIdx.x); i < count; i += threads)
        here += speeds[i].x * speeds[i].x + speeds[i].y * speeds[i].y + speeds[i].z * speeds[i].z;
    parts[threadIdx.x] = here;
    __syncthreads();
    for (int n = threads / 2; n; n /= 2) {
        if (int(threadIdx.x) < n)
            parts[threadIdx.x] += parts[threadIdx.x + n];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *sum = parts[0];
}

/// By its definition: each value turns with its own step around the circle.
__global__ void transformKernel(float2* rows) {
    __shared__ float2 row[transformLength];
    float2* values = rows + size_t(blockIdx.x) * transformLength;
    for (int n = int(threadIdx.x); n < transformLength; n += threads)
        row[n] = values[n];
    __syncthreads();
    for (int k = int(threadIdx.x); k < transformLength; k += threads) {
        float stepX, stepY, x = 1, y = 0;
        sincospif(-2.0f * float(k) / transformLength, &stepY, &stepX);
        float2 sum = {0, 0};
        for (int n = 0; n < transformLength; ++n) {
            sum.x += row[n].x * x - row[n].y * y;
            sum.y += row[n].x * y + row[n].y * x;
            const float turned = x * stepX - y * stepY;
            y = x * stepY + y * stepX;
            x = turned;
        }
        values[k] = {sum.x / 32, sum.y / 32}; // of the same size as before
    }
}

__global__ void powerKernel(const float2* rows, size_t count, float* sum) {
    float here = 0;
    for (size_t i = thread(); i < count; i += threadsOfGrid())
        here = fmaxf(here, rows[i].x * rows[i].x + rows[i].y * rows[i].y);
    for (int lane = 16; lane; lane /= 2)
        here = fmaxf(here, __shfl_xor_sync(~0u, here, lane));
    if (threadIdx.x % 32 == 0)
        atomicMax(reinterpret_cast<int*>(sum), __float_as_int(here));
}

__device__ unsigned scattered(unsigned key) {
    key = (key ^ (key >> 16)) * 0x45d9f3bu;
    key = (key ^ (key >> 16)) * 0x45d9f3bu;
    return key ^ (key >> 16);
}

__global__ void planKernel(int* sizes) {
    sizes[threadIdx.x] = int(scattered(threadIdx.x) % 4);
}

__global__ void buildKernel(unsigned* table, unsigned slots, unsigned keys) {
    for (unsigned key = unsigned(thread()) + 1; key <= keys; key += unsigned(threadsOfGrid()))
        for (unsigned at = scattered(key) % slots; atomicCAS(&table[at], 0u, key) != 0u;
             at = (at + 1) % slots) {
        }
}

__global__ void probeKernel(const unsigned* table, unsigned slots, unsigned rows, const int* sizes,
                            unsigned* found) {
    unsigned here = 0;
    for (unsigned row = unsigned(thread()); row < rows; row += unsigned(threadsOfGrid())) {
        const unsigned key = scattered(row) % (slots / 2) + 1;
        unsigned at = scattered(key) % slots;
        while (table[at] && table[at] != key)
            at = (at + 1) % slots;
        here += table[at] == key ? 1u + unsigned(sizes[key % 128]) : 0u;
    }
    for (int lane = 16; lane; lane /= 2)
        here += __shfl_xor_sync(~0u, here, lane);
    if (threadIdx.x % 32 == 0)
        atomicAdd(found, here);
}

__global__ void scoreKernel(const float* vectors, const float* columns, int items, int* best) {
    __shared__ float tile[vectorLength][vectorsAtOnce];
    const float* source = vectors + size_t(blockIdx.y) * vectorsAtOnce * vectorLength;
    for (int n = int(threadIdx.x); n < vectorLength * vectorsAtOnce; n += threads)
        tile[n % vectorLength][n / vectorLength] = source[n];
    __syncthreads();
    float sums[vectorsAtOnce] = {};
    for (int d = 0; d < vectorLength; ++d) {
        const float value = columns[size_t(d) * items + thread()];
#pragma unroll
        for (int v = 0; v < vectorsAtOnce; ++v)
            sums[v] += tile[d][v] * value;
    }
#pragma unroll
    for (int v = 0; v < vectorsAtOnce; ++v) {
        int here = __float_as_int(fmaxf(sums[v], 0.0f));
        for (int lane = 16; lane; lane /= 2)
            here = max(here, __shfl_xor_sync(~0u, here, lane));
        int* mine = &best[blockIdx.y * vectorsAtOnce + v];
        if (threadIdx.x % 32 == 0 && here > *mine)
            atomicMax(mine, here);
    }
}

__global__ void __launch_bounds__(threads, 8)
    shadeKernel(float* pixels, const float* scene, int count, int rounds) {
    for (size_t i = thread(); i < size_t(count); i += threadsOfGrid()) {
        float light = scene[i];
        for (int k = 0; k < rounds; ++k)
            light = light * 0.9999f + 0.001f;
        pixels[i] = light;
    }
}

__global__ void lookUpKernel(const float* table, size_t entries, float* values, size_t count, int rounds) {
    for (size_t i = thread(); i < count; i += threadsOfGrid()) {
        float value = values[i];
        for (int k = 0; k < rounds; ++k)
            value = 0.5f * value + table[scattered(unsigned(i + 7919u * k)) % unsigned(entries)];
        values[i] = value;
    }
}

__global__ void settleKernel(float* table, size_t entries) {
    for (size_t i = thread(); i < entries; i += threadsOfGrid())
        table[i] = 0.9f * table[i] + 0.01f;
}

int multiprocessors() {
    static const int count = [] {
        int n = 0;
        CHECK(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0));
        return n;
    }();
    return count;
}

dim3 tiles(int width, int height) {
    return dim3(unsigned(width + 31) / 32, unsigned(height + 7) / 8);
}

} // namespace

void relax(const float* from, float* to, int side, cudaStream_t stream) {
    relaxKernel<<<tiles(side, side), dim3(32, 8), 0, stream>>>(from, to, side);
}

void difference(const float* a, const float* b, size_t count, float* largest, cudaStream_t stream) {
    differenceKernel<<<1056, threads, 0, stream>>>(a, b, count, largest);
}

void denoise(const uint8_t* from, uint8_t* to, int width, int height, int radius, cudaStream_t stream) {
    denoiseKernel<<<tiles(width, height), dim3(32, 8), 0, stream>>>(from, to, width, height, radius);
}

void attract(const float4* bodies, float4* speeds, int count, cudaStream_t stream) {
    attractKernel<<<count / 128, 128, 0, stream>>>(bodies, speeds, count);
}

void advance(float4* bodies, const float4* speeds, int count, cudaStream_t stream) {
    advanceKernel<<<(count + threads - 1) / threads, threads, 0, stream>>>(bodies, speeds, count);
}

void energy(const float4* speeds, int count, float* sum, cudaStream_t stream) {
    energyKernel<<<1, threads, 0, stream>>>(speeds, count, sum);
}

void transform(float2* rows, int count, cudaStream_t stream) {
    transformKernel<<<count, threads, 0, stream>>>(rows);
}

void power(const float2* rows, size_t count, float* sum, cudaStream_t stream) {
    powerKernel<<<1056, threads, 0, stream>>>(rows, count, sum);
}

void plan(int* sizes, cudaStream_t stream) {
    planKernel<<<1, 128, 0, stream>>>(sizes);
}

void build(unsigned* table, unsigned slots, unsigned keys, cudaStream_t stream) {
    buildKernel<<<64, threads, 0, stream>>>(table, slots, keys);
}

void probe(const unsigned* table, unsigned slots, unsigned rows, const int* sizes, unsigned* found,
           cudaStream_t stream) {
    probeKernel<<<64, threads, 0, stream>>>(table, slots, rows, sizes, found);
}

void score(const float* vectors, int rows, const float* columns, int items, int* best, cudaStream_t stream) {
    const dim3 grid(unsigned(items / threads), unsigned(rows / vectorsAtOnce));
    scoreKernel<<<grid, threads, 0, stream>>>(vectors, columns, items, best);
}

void shade(float* pixels, const float* scene, int layers, int rounds, cudaStream_t stream) {
    shadeKernel<<<8 * multiprocessors(), threads, 0, stream>>>(pixels, scene, layers * pixelsOfLayer, rounds);
}

void lookUp(const float* table, size_t entries, float* values, size_t count, int rounds,
            cudaStream_t stream) {
    lookUpKernel<<<512, threads, 0, stream>>>(table, entries, values, count, rounds);
}

void settle(float* table, size_t entries, cudaStream_t stream) {
    settleKernel<<<512, threads, 0, stream>>>(table, entries);
}

} // namespace third
