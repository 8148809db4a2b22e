// The kernels of the thirteenth set of programs. Memory, streams and events are those of the third, sums and
// graphs those of the twelfth.
#pragma once

#include "twelfth.h"

namespace thirteenth {

constexpr int threads = 256;

/// What is left of the light of a pixel on its way.
struct Ray {
    int pixel;
    float light;
};
/// A ray for each pixel, and how many there are; the numbers of those after each bounce are 0.
void sendRays(Ray* rays, int count, int* alive, int bounces, cudaStream_t stream);
/// Each ray meets something. An eighth of them ends there, the others go on in `next`. 2^20 rays and 8000
/// rounds take about 0.3 ms.
void bounce(const Ray* rays, const int* alive, Ray* next, int* nextAlive, float* picture, int blocks,
            int rounds, unsigned number, cudaStream_t stream);
constexpr int mostBlocks = 1056; ///< as many as fit on 132 multiprocessors

/// A body as a scanner sees it, which is bent; 2^23 voxels and 1500 rounds take about 0.5 ms.
void bend(cudaTextureObject_t from, float* to, cudaExtent size, int rounds, cudaStream_t stream);

/// Light goes through so many layers of a volume; 2^17 pixels and 130000 rounds take about 0.6 ms.
void march(const float* volume, int layers, float* picture, size_t pixels, int rounds, cudaStream_t stream);

/// A square of so many cells a side, with neighbours `distance` away: a microsecond or two each.
void charge(float* rest, int side, int number, cudaStream_t stream);
void settle(const float* values, const float* rest, float* to, int side, float distance, cudaStream_t stream);
void coarsen(const float* values, const float* rest, float* coarseValues, float* coarseRest, int side,
             float distance, cudaStream_t stream);
void refine(const float* coarseValues, float* values, int side, cudaStream_t stream);

/// Points are gathered in as many cells; 2^21 points and 11000 rounds take about 0.8 ms.
void gather(const float* points, float* cells, size_t count, int rounds, cudaStream_t stream);

/// Forces between near particles, by blocks two of which fit on a multiprocessor: 10000 rounds take about
/// 0.03 ms, and all of them 24 times as long.
void pullNear(const float* places, float* forces, int rounds, cudaStream_t stream);
/// A part of the forces between distant ones, on a mesh, by 40 such blocks: 14000 rounds take about 0.04 ms.
void pullFar(const float* from, float* to, int rounds, cudaStream_t stream);
/// Before the first of either: their blocks have more shared memory than kernels get by themselves.
void allowTiles();
void push(float* places, const float* forces, const float* mesh, cudaStream_t stream);
constexpr size_t particles = size_t(24) * 264 * threads, meshValues = 40 * threads;

/// How far away what is around a robot is, in 8192 directions, and what it learns from that. 2^21 values and
/// 4000 rounds take about 0.3 ms.
void sense(float* map, const float* plan, float* distances, size_t count, int rounds, cudaStream_t stream);
void learn(float* map, size_t count, int rounds, cudaStream_t stream);
constexpr size_t directions = 8192;

/// A moment of an ocean under a wind; 2^25 values and 650 rounds take about 0.8 ms.
void flow(float* ocean, size_t count, float wind, int rounds, cudaStream_t stream);

/// Two substances that react and spread, on a torus whose sizes are powers of two; 8192 x 8192 places take
/// about 0.4 ms.
void fillDish(float2* dish, int width, int height, cudaStream_t stream);
void react(const float2* from, float2* to, int width, int height, cudaStream_t stream);

/// Echoes are sharpened, and put together again; 2^22 values and 4000 rounds take about 0.6 ms.
void sharpen(const float* echoes, float* sharp, size_t count, int rounds, cudaStream_t stream);
void assemble(const float* sharp, float* layers, size_t count, int rounds, cudaStream_t stream);

/// A picture of a film; 2^23 pixels and 200 rounds take less than 0.1 ms.
void expose(float* picture, size_t pixels, int number, int rounds, cudaStream_t stream);

/// As fast as memory.
void encipher(const unsigned* plain, unsigned* secret, size_t count, unsigned key, cudaStream_t stream);

/// A picture of the sky, in place, by a grid that fills the device; 2^18 pixels and 28000 rounds take about
/// 0.26 ms.
void clean(float* picture, size_t pixels, int rounds, cudaStream_t stream);

} // namespace thirteenth
