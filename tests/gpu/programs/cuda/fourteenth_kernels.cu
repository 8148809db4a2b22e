#include "fourteenth.h"

#include "kernel_parts.cuh"

namespace fourteenth {
namespace {

__device__ unsigned mixed(unsigned key) {
    key *= 2654435761u;
    key ^= key >> 15;
    key *= 2246822519u;
    return key ^ (key >> 13);
}

__global__ void alignKernel(const float* from, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.5f * from[i] + 0.001f * float(i % 19), rounds);
}

__global__ void linkUpKernel(unsigned* links) {
    const int i = thread();
    links[i] = (unsigned(i) * 1664525u + 1013904223u) % unsigned(places); // one circle of all places
}

/// Each load waits for the one before. They come from the L2 cache, as all multiprocessors share the table.
__global__ void traceBackKernel(const unsigned* links, const float* scores, float* ends, int hops) {
    const int i = thread();
    unsigned at = (unsigned(i) * 977u + unsigned(scores[i] * 1000)) % unsigned(places);
    for (int n = 0; n < hops; ++n)
        at = __ldcg(links + at);
    ends[i] = 0.001f * float(at % 1024u);
}

__global__ void judgeKernel(const float* values, float* sums, int rounds) {
    __shared__ float parts[threads / 32];
    float sum = settled(0.5f * values[unsigned(thread()) % unsigned(reads)], rounds);
    for (int lane = 16; lane; lane /= 2)
        sum += __shfl_xor_sync(~0u, sum, lane);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int n = 1; n < threads / 32; ++n)
        sum += parts[n];
    sums[blockIdx.x] = sum;
}

__global__ void correctKernel(float* values, const float* scores, const float* ends, const float* sums) {
    const int i = thread();
    values[i] = 0.9f * values[i] + 0.05f * scores[i] + 0.01f * ends[i % int(traces)] +
                0.0001f * sums[i % int(judgements)];
}

__global__ void scaleKernel(float* samples, float factor) {
    samples[thread()] *= factor;
}

__global__ void searchKernel(const float* samples, float* calls, int rounds) {
    const int i = thread();
    calls[i] = settled(0.5f * calls[i] + 0.1f * samples[i], rounds);
}

__global__ void sweepKernel(const float* from, float* to, int count, int rounds) {
    const int i = thread();
    const float left = from[i > 0 ? i - 1 : count - 1], right = from[i < count - 1 ? i + 1 : 0];
    to[i] = settled(0.5f * from[i] + 0.2f * left + 0.2f * right + 0.001f * float(i % 17), rounds);
}

__global__ void drawKernel(const float* list, float* tile, int rounds) {
    const int i = thread();
    tile[i] = settled(0.5f * tile[i] + 0.1f * list[i % int(triangles)], rounds);
}

__global__ void insertKernel(unsigned* table, unsigned entries, unsigned number, int rounds, int* full) {
    const unsigned key = mixed(unsigned(thread()) + number * 40503u);
    const float weight = settled(float(key % 16u), rounds);
    if (atomicAdd(table + key % entries, 1u + unsigned(weight)) > (1u << 30))
        *full = 1;
}

/// The row of the grid is the area.
__global__ void fireKernel(const float* from, float* to, const float* weights, int first) {
    const int n = thread(), begin = (first + int(blockIdx.y)) * neurons;
    float sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += from[begin + (n * 5 + k * 389) % neurons];
    to[begin + n] = 0.8f * from[begin + n] + 0.04f * sum + 0.01f * weights[begin + n];
}

__global__ void learnKernel(const float* states, float* weights, int rounds) {
    const int i = thread();
    weights[i] =
        settled(0.5f * weights[i] + 0.1f * states[i % (areas * neurons)] + 0.001f * float(i % 21), rounds);
}

__global__ void denoiseKernel(float* pixels, int rounds) {
    const int i = thread();
    pixels[i] = settled(0.5f * pixels[i] + 0.001f * float(i % 25), rounds);
}

/// A block for each face, 16 bytes at once.
__global__ void cutOutKernel(const uchar4* picture, Faces where, uchar4* cut) {
    const int2 place = where.places[blockIdx.x];
    const uchar4* const from = picture + place.y * width + place.x;
    uint4* const to = reinterpret_cast<uint4*>(cut + blockIdx.x * pixelsOfFace);
    constexpr int ofRow = side / 4;
    for (int n = int(threadIdx.x); n < side * ofRow; n += threads)
        to[n] = reinterpret_cast<const uint4*>(from + n / ofRow * width)[n % ofRow];
}

__global__ void recogniseKernel(const uchar4* cut, float* features, int rounds) {
    const int i = thread();
    const uchar4 pixel = cut[i];
    const float bright = 0.001f * float(pixel.x + pixel.y + pixel.z);
    features[i] = settled(0.5f * features[i] + 0.1f * bright, rounds);
}

__global__ void moveKernel(float* values, int rounds) {
    const int i = thread();
    values[i] = settled(0.5f * values[i] + 0.001f * float(i % 37), rounds);
}

__global__ void renderKernel(const float* values, float* picture, int rounds) {
    const int i = thread();
    picture[i] = settled(0.5f * picture[i] + 0.1f * values[i % int(atoms)], rounds);
}

__global__ void trackKernel(float* hits, int number, int rounds) {
    const int i = thread();
    hits[i] = settled(0.01f * float((i + number) % 43), rounds);
}

__global__ void fitKernel(const float* hits, int pieces, int count, float* tracks, int rounds) {
    const int i = thread();
    float sum = 0.5f * tracks[i];
    for (int n = 0; n < pieces; ++n)
        sum += 0.05f * hits[n * count + i];
    tracks[i] = settled(sum, rounds);
}

__global__ void detectKernel(const float* from, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.5f * from[i] + 0.001f * float(i % 13), rounds);
}

__global__ void chartKernel(float* map, int rounds) {
    const int i = thread();
    map[i] = settled(0.5f * map[i] + 0.002f * float(i % 9), rounds);
}

__global__ void forecastKernel(const float* tables, float* climate, int rounds) {
    const int i = thread();
    climate[i] = settled(0.5f * climate[i] + 0.1f * tables[i % int(tableValues)], rounds);
}

__global__ void answerKernel(const float* question, float* values, int rounds) {
    const int i = thread();
    values[i] = settled(0.5f * values[i] + 0.1f * question[i % int(asked)], rounds);
}

/// All counts are multiples of a block.
unsigned blocksOf(size_t count) {
    return unsigned(count / threads);
}

} // namespace

void align(const float* from, float* to, int rounds, cudaStream_t stream) {
    alignKernel<<<blocksOf(reads), threads, 0, stream>>>(from, to, rounds);
}

void linkUp(unsigned* links, cudaStream_t stream) {
    linkUpKernel<<<blocksOf(places), threads, 0, stream>>>(links);
}

void traceBack(const unsigned* links, const float* scores, float* ends, int hops, cudaStream_t stream) {
    traceBackKernel<<<unsigned(traces / 32), 32, 0, stream>>>(links, scores, ends, hops);
}

void judge(const float* values, float* sums, int rounds, cudaStream_t stream) {
    judgeKernel<<<unsigned(judgements), threads, 0, stream>>>(values, sums, rounds);
}

void correct(float* values, const float* scores, const float* ends, const float* sums, cudaStream_t stream) {
    correctKernel<<<blocksOf(reads), threads, 0, stream>>>(values, scores, ends, sums);
}

void scale(float* samples, size_t count, float factor, cudaStream_t stream) {
    scaleKernel<<<blocksOf(count), threads, 0, stream>>>(samples, factor);
}

void search(const float* samples, float* calls, size_t count, int rounds, cudaStream_t stream) {
    searchKernel<<<blocksOf(count), threads, 0, stream>>>(samples, calls, rounds);
}

void sweep(const float* from, float* to, size_t count, int rounds, cudaStream_t stream) {
    sweepKernel<<<blocksOf(count), threads, 0, stream>>>(from, to, int(count), rounds);
}

void draw(const float* list, float* tile, size_t pixels, int rounds, cudaStream_t stream) {
    drawKernel<<<blocksOf(pixels), threads, 0, stream>>>(list, tile, rounds);
}

void insert(unsigned* table, size_t entries, size_t keys, unsigned number, int rounds, int* full,
            cudaStream_t stream) {
    insertKernel<<<blocksOf(keys), threads, 0, stream>>>(table, unsigned(entries), number, rounds, full);
}

void fire(const float* from, float* to, const float* weights, int first, int count, cudaStream_t stream) {
    const dim3 blocks(blocksOf(neurons), unsigned(count));
    fireKernel<<<blocks, threads, 0, stream>>>(from, to, weights, first);
}

void learn(const float* states, float* weights, size_t count, int rounds, cudaStream_t stream) {
    learnKernel<<<blocksOf(count), threads, 0, stream>>>(states, weights, rounds);
}

void denoise(float* pixels, size_t count, int rounds, cudaStream_t stream) {
    denoiseKernel<<<blocksOf(count), threads, 0, stream>>>(pixels, rounds);
}

void cutOut(const uchar4* picture, const Faces& where, uchar4* cut, cudaStream_t stream) {
    cutOutKernel<<<faces, threads, 0, stream>>>(picture, where, cut);
}

void recognise(const uchar4* cut, float* features, int rounds, cudaStream_t stream) {
    recogniseKernel<<<blocksOf(faces * pixelsOfFace), threads, 0, stream>>>(cut, features, rounds);
}

void move(float* values, int rounds, cudaStream_t stream) {
    moveKernel<<<blocksOf(atoms), threads, 0, stream>>>(values, rounds);
}

void render(const float* values, float* picture, int rounds, cudaStream_t stream) {
    renderKernel<<<blocksOf(rendered), threads, 0, stream>>>(values, picture, rounds);
}

void track(float* hits, size_t count, int number, int rounds, cudaStream_t stream) {
    trackKernel<<<blocksOf(count), threads, 0, stream>>>(hits, number, rounds);
}

void fit(const float* hits, int pieces, size_t count, float* tracks, int rounds, cudaStream_t stream) {
    fitKernel<<<blocksOf(count), threads, 0, stream>>>(hits, pieces, int(count), tracks, rounds);
}

void detect(const float* from, float* to, int rounds, cudaStream_t stream) {
    detectKernel<<<blocksOf(detected), threads, 0, stream>>>(from, to, rounds);
}

void chart(float* map, size_t count, int rounds, cudaStream_t stream) {
    chartKernel<<<blocksOf(count), threads, 0, stream>>>(map, rounds);
}

void forecast(const float* tables, float* climate, size_t count, int rounds, cudaStream_t stream) {
    forecastKernel<<<blocksOf(count), threads, 0, stream>>>(tables, climate, rounds);
}

void answer(const float* question, float* values, size_t count, int rounds, cudaStream_t stream) {
    answerKernel<<<blocksOf(count), threads, 0, stream>>>(question, values, rounds);
}

} // namespace fourteenth
