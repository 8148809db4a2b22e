#include "thirteenth.h"

#include "kernel_parts.cuh"

#include <cooperative_groups.h>

namespace thirteenth {
namespace {

constexpr int tileBytes = 96 << 10; // two blocks for each multiprocessor

extern __shared__ float tile[];

__device__ bool goesOn(int pixel, unsigned number) {
    unsigned key = (unsigned(pixel) + number * 40503u) * 2654435761u;
    key ^= key >> 15;
    key *= 2246822519u;
    return ((key >> 20) & 7u) != 0;
}

/// The next free place of a list; threads of a warp take theirs together.
__device__ int nextPlace(int* count) {
    const auto group = cooperative_groups::coalesced_threads();
    int first = 0;
    if (group.thread_rank() == 0)
        first = atomicAdd(count, int(group.size()));
    return group.shfl(first, 0) + int(group.thread_rank());
}

__global__ void sendRaysKernel(Ray* rays, int count, int* alive, int bounces) {
    const int i = thread();
    rays[i] = {i, 1.0f + 0.01f * float(i % 31)};
    if (i <= bounces)
        alive[i] = i == 0 ? count : 0;
}

__global__ void bounceKernel(const Ray* rays, const int* alive, Ray* next, int* nextAlive, float* picture,
                             int rounds, unsigned number) {
    const int count = *alive;
    for (int i = thread(); i < count; i += int(gridDim.x) * threads) {
        const Ray ray = rays[i];
        const float light = settled(0.5f * ray.light, rounds);
        picture[ray.pixel] = 0.9f * picture[ray.pixel] + light;
        if (goesOn(ray.pixel, number))
            next[nextPlace(nextAlive)] = {ray.pixel, light};
    }
}

__global__ void bendKernel(cudaTextureObject_t from, float* to, int width, int height, int rounds) {
    const int i = thread(), x = i % width, y = i / width % height, z = i / width / height;
    const float across = 0.25f * float((y + z) % 5 - 2), down = 0.25f * float((x + 2 * z) % 7 - 3);
    const float value =
        tex3D<float>(from, float(x) + 0.5f + across, float(y) + 0.5f + down, float(z) + 0.75f);
    to[i] = settled(0.5f * value + 0.001f * float(i % 23), rounds);
}

__global__ void marchKernel(const float* volume, int layers, float* picture, int pixels, int rounds) {
    const int i = thread();
    float light = 0.5f * picture[i];
    for (int n = 0; n < layers; ++n)
        light += 0.001f * volume[size_t(n) * pixels + i];
    picture[i] = settled(light, rounds);
}

__device__ float around(const float* values, int i, int side) {
    const int x = i % side, y = i / side;
    float sum = 0;
    sum += x > 0 ? values[i - 1] : 0;
    sum += x < side - 1 ? values[i + 1] : 0;
    sum += y > 0 ? values[i - side] : 0;
    sum += y < side - 1 ? values[i + side] : 0;
    return sum;
}

__global__ void chargeKernel(float* rest, int side, int number) {
    const int i = thread();
    rest[i] = 0.001f * float((i % side / 16 + i / side / 16 + number) % 5);
}

__global__ void settleKernel(const float* values, const float* rest, float* to, int side, float square) {
    const int i = thread();
    if (i < side * side)
        to[i] = values[i] + 0.2f * (square * rest[i] - 4 * values[i] + around(values, i, side));
}

__global__ void coarsenKernel(const float* values, const float* rest, float* coarseValues, float* coarseRest,
                              int side, float square) {
    const int i = thread(), half = side / 2;
    if (i >= half * half)
        return;
    float left = 0;
    for (int n = 0; n < 4; ++n) {
        const int fine = (2 * (i / half) + n / 2) * side + 2 * (i % half) + n % 2;
        left += rest[fine] - (4 * values[fine] - around(values, fine, side)) / square;
    }
    coarseValues[i] = 0;
    coarseRest[i] = 0.25f * left;
}

__global__ void refineKernel(const float* coarseValues, float* values, int side) {
    const int i = thread();
    values[i] += 0.7f * coarseValues[i / side / 2 * (side / 2) + i % side / 2];
}

__global__ void gatherKernel(const float* points, float* cells, int rounds) {
    const int i = thread();
    cells[i] = settled(0.5f * cells[i] + 0.1f * points[i], rounds);
}

__global__ void pullNearKernel(const float* places, float* forces, int rounds) {
    const int i = thread();
    tile[threadIdx.x] = places[i];
    __syncthreads();
    forces[i] = settled(0.5f * (tile[threadIdx.x] + tile[threadIdx.x ^ 1]), rounds);
}

__global__ void pullFarKernel(const float* from, float* to, int rounds) {
    const int i = thread();
    tile[threadIdx.x] = from[i];
    __syncthreads();
    to[i] = settled(0.5f * (tile[threadIdx.x] + tile[threads - 1 - threadIdx.x]), rounds);
}

__global__ void pushKernel(float* places, const float* forces, const float* mesh) {
    const int i = thread();
    places[i] = 0.9f * places[i] + 0.05f * forces[i] + 0.04f * mesh[i % meshValues] + 0.001f * float(i % 9);
}

__global__ void senseKernel(float* map, const float* plan, float* distances, int rounds) {
    const int i = thread();
    const float value = settled(0.5f * map[i] + 0.1f * plan[i % directions], rounds);
    map[i] = value;
    if (i < int(directions))
        distances[i] = value + 0.01f * float(i % 27);
}

__global__ void learnKernel(float* map, int rounds) {
    const int i = thread();
    map[i] = settled(0.5f * map[i] + 0.002f * float(i % 11), rounds);
}

__global__ void flowKernel(float* ocean, float wind, int rounds) {
    const int i = thread();
    ocean[i] = settled(0.5f * ocean[i] + wind * float(i % 7), rounds);
}

__global__ void fillDishKernel(float2* dish, int width) {
    const int i = thread(), x = i % width, y = i / width;
    const bool drop = x / 16 % 8 == 3 && y / 16 % 8 == 5;
    dish[i] = drop ? make_float2(0.5f, 0.25f) : make_float2(1, 0);
}

__global__ void reactKernel(const float2* from, float2* to, int width, int height) {
    const int i = thread(), x = i & (width - 1), y = i / width;
    const float2 own = from[i], left = from[y * width + ((x - 1) & (width - 1))],
                 right = from[y * width + ((x + 1) & (width - 1))],
                 above = from[((y - 1) & (height - 1)) * width + x],
                 below = from[((y + 1) & (height - 1)) * width + x];
    const float first = left.x + right.x + above.x + below.x - 4 * own.x;
    const float second = left.y + right.y + above.y + below.y - 4 * own.y;
    const float reacted = own.x * own.y * own.y;
    to[i] = {own.x + 0.16f * first - reacted + 0.035f * (1 - own.x),
             own.y + 0.08f * second + reacted - 0.1f * own.y};
}

__global__ void sharpenKernel(const float* echoes, float* sharp, int rounds) {
    const int i = thread();
    sharp[i] = settled(0.5f * echoes[i] + 0.001f * float(i % 29), rounds);
}

__global__ void assembleKernel(const float* sharp, float* layers, int rounds) {
    const int i = thread();
    layers[i] = settled(0.5f * layers[i] + 0.25f * sharp[i] + 0.25f * sharp[i ^ 1], rounds);
}

__global__ void exposeKernel(float* picture, int number, int rounds) {
    const int i = thread();
    picture[i] = settled(0.01f * float((i / 64 + number) % 41), rounds);
}

__global__ void encipherKernel(const unsigned* plain, unsigned* secret, unsigned key) {
    const int i = thread();
    unsigned state = (unsigned(i) + key) * 2654435761u;
    state ^= state >> 16;
    secret[i] = plain[i] ^ (state * 2246822519u);
}

__global__ void cleanKernel(float* picture, int rounds) {
    const int i = thread();
    picture[i] = settled(0.5f * picture[i] + 0.003f * float(i % 15), rounds);
}

unsigned blocksOf(size_t count) {
    return unsigned((count + threads - 1) / threads);
}

} // namespace

void sendRays(Ray* rays, int count, int* alive, int bounces, cudaStream_t stream) {
    sendRaysKernel<<<blocksOf(size_t(count)), threads, 0, stream>>>(rays, count, alive, bounces);
}

void bounce(const Ray* rays, const int* alive, Ray* next, int* nextAlive, float* picture, int blocks,
            int rounds, unsigned number, cudaStream_t stream) {
    bounceKernel<<<unsigned(blocks), threads, 0, stream>>>(rays, alive, next, nextAlive, picture, rounds,
                                                           number);
}

void bend(cudaTextureObject_t from, float* to, cudaExtent size, int rounds, cudaStream_t stream) {
    bendKernel<<<blocksOf(size.width * size.height * size.depth), threads, 0, stream>>>(
        from, to, int(size.width), int(size.height), rounds);
}

void march(const float* volume, int layers, float* picture, size_t pixels, int rounds, cudaStream_t stream) {
    marchKernel<<<blocksOf(pixels), threads, 0, stream>>>(volume, layers, picture, int(pixels), rounds);
}

void charge(float* rest, int side, int number, cudaStream_t stream) {
    chargeKernel<<<blocksOf(size_t(side) * side), threads, 0, stream>>>(rest, side, number);
}

void settle(const float* values, const float* rest, float* to, int side, float distance,
            cudaStream_t stream) {
    settleKernel<<<blocksOf(size_t(side) * side), threads, 0, stream>>>(values, rest, to, side,
                                                                        distance * distance);
}

void coarsen(const float* values, const float* rest, float* coarseValues, float* coarseRest, int side,
             float distance, cudaStream_t stream) {
    coarsenKernel<<<blocksOf(size_t(side) * side / 4), threads, 0, stream>>>(
        values, rest, coarseValues, coarseRest, side, distance * distance);
}

void refine(const float* coarseValues, float* values, int side, cudaStream_t stream) {
    refineKernel<<<blocksOf(size_t(side) * side), threads, 0, stream>>>(coarseValues, values, side);
}

void gather(const float* points, float* cells, size_t count, int rounds, cudaStream_t stream) {
    gatherKernel<<<blocksOf(count), threads, 0, stream>>>(points, cells, rounds);
}

void allowTiles() {
    for (const auto kernel : {pullNearKernel, pullFarKernel}) {
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, tileBytes));
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                   cudaSharedmemCarveoutMaxShared));
    }
}

void pullNear(const float* places, float* forces, int rounds, cudaStream_t stream) {
    pullNearKernel<<<blocksOf(particles), threads, tileBytes, stream>>>(places, forces, rounds);
}

void pullFar(const float* from, float* to, int rounds, cudaStream_t stream) {
    pullFarKernel<<<blocksOf(meshValues), threads, tileBytes, stream>>>(from, to, rounds);
}

void push(float* places, const float* forces, const float* mesh, cudaStream_t stream) {
    pushKernel<<<blocksOf(particles), threads, 0, stream>>>(places, forces, mesh);
}

void sense(float* map, const float* plan, float* distances, size_t count, int rounds, cudaStream_t stream) {
    senseKernel<<<blocksOf(count), threads, 0, stream>>>(map, plan, distances, rounds);
}

void learn(float* map, size_t count, int rounds, cudaStream_t stream) {
    learnKernel<<<blocksOf(count), threads, 0, stream>>>(map, rounds);
}

void flow(float* ocean, size_t count, float wind, int rounds, cudaStream_t stream) {
    flowKernel<<<blocksOf(count), threads, 0, stream>>>(ocean, wind, rounds);
}

void fillDish(float2* dish, int width, int height, cudaStream_t stream) {
    fillDishKernel<<<blocksOf(size_t(width) * height), threads, 0, stream>>>(dish, width);
}

void react(const float2* from, float2* to, int width, int height, cudaStream_t stream) {
    reactKernel<<<blocksOf(size_t(width) * height), threads, 0, stream>>>(from, to, width, height);
}

void sharpen(const float* echoes, float* sharp, size_t count, int rounds, cudaStream_t stream) {
    sharpenKernel<<<blocksOf(count), threads, 0, stream>>>(echoes, sharp, rounds);
}

void assemble(const float* sharp, float* layers, size_t count, int rounds, cudaStream_t stream) {
    assembleKernel<<<blocksOf(count), threads, 0, stream>>>(sharp, layers, rounds);
}

void expose(float* picture, size_t pixels, int number, int rounds, cudaStream_t stream) {
    exposeKernel<<<blocksOf(pixels), threads, 0, stream>>>(picture, number, rounds);
}

void encipher(const unsigned* plain, unsigned* secret, size_t count, unsigned key, cudaStream_t stream) {
    encipherKernel<<<blocksOf(count), threads, 0, stream>>>(plain, secret, key);
}

void clean(float* picture, size_t pixels, int rounds, cudaStream_t stream) {
    cleanKernel<<<blocksOf(pixels), threads, 0, stream>>>(picture, rounds);
}

} // namespace thirteenth
