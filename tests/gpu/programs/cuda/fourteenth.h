// The kernels of the fourteenth set of programs. Memory, streams and events are those of the third, sums
// those of the twelfth.
#pragma once

#include "twelfth.h"

namespace fourteenth {

constexpr int threads = 256;

/// A stream whose kernels go before those of others, or after them.
class Ranked {
public:
    explicit Ranked(bool first) {
        int last = 0, before = 0;
        CHECK(cudaDeviceGetStreamPriorityRange(&last, &before));
        CHECK(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, first ? before : last));
    }
    ~Ranked() {
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
    }
    Ranked(const Ranked&) = delete;
    Ranked& operator=(const Ranked&) = delete;
    operator cudaStream_t() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

/// A pass over reads of DNA, by a grid that fills the device once: 8000 rounds take about 0.075 ms.
void align(const float* from, float* to, int rounds, cudaStream_t stream);
constexpr size_t reads = size_t(1056) * threads; ///< as many threads as fit on 132 multiprocessors
/// A table of places, each of which names another one far away.
void linkUp(unsigned* links, cudaStream_t stream);
constexpr size_t places = 1 << 20;
/// 24 warps follow the links from what the scores say: 2000 of them take about 0.4 ms.
void traceBack(const unsigned* links, const float* scores, float* ends, int hops, cudaStream_t stream);
constexpr size_t traces = size_t(24) * 32;
/// How good the reads are, by many short blocks: 1100 rounds take about 0.64 ms.
void judge(const float* values, float* sums, int rounds, cudaStream_t stream);
constexpr size_t judgements = size_t(60) * 1056; ///< a block each
/// What follows from all of these, some microseconds.
void correct(float* values, const float* scores, const float* ends, const float* sums, cudaStream_t stream);

/// Samples times a factor, as fast as memory; without a stream in the NULL stream.
void scale(float* samples, size_t count, float factor, cudaStream_t stream = nullptr);
/// 2^22 samples and 4000 rounds take about 0.6 ms.
void search(const float* samples, float* calls, size_t count, int rounds, cudaStream_t stream);

/// A sweep over a ring of spins; 2^22 of them and 1650 rounds take about 0.25 ms.
void sweep(const float* from, float* to, size_t count, int rounds, cudaStream_t stream);

/// A tile of a picture follows from 8192 triangles; 2^20 pixels and 6700 rounds take about 0.25 ms.
void draw(const float* list, float* tile, size_t pixels, int rounds, cudaStream_t stream);
constexpr size_t triangles = 8192;

/// Keys are counted in a table of a power of two of places. Says in `full`, memory of the host, if a count
/// does not fit; 2^20 keys and 5300 rounds take about 0.2 ms.
void insert(unsigned* table, size_t entries, size_t keys, unsigned number, int rounds, int* full,
            cudaStream_t stream);

/// A moment of so many areas of a brain, from `first` on: two or three microseconds.
void fire(const float* from, float* to, const float* weights, int first, int count, cudaStream_t stream);
constexpr int areas = 6, neurons = 2048;
/// Synapses change with the neurons; 2^21 of them and 6700 rounds take about 0.5 ms.
void learn(const float* states, float* weights, size_t count, int rounds, cudaStream_t stream);

/// In place; 3 x 2^20 pixels and 1900 rounds take about 0.21 ms.
void denoise(float* pixels, size_t count, int rounds, cudaStream_t stream);

/// Where the faces of a picture of 1920 x 1080 pixels are. They are squares, which begin at every fourth
/// pixel.
constexpr int width = 1920, height = 1080, faces = 128, side = 64;
constexpr size_t pixelsOfFace = size_t(side) * side;
struct Faces {
    int2 places[faces];
};
/// All of them from a picture in pinned memory, by 128 blocks: about 0.05 ms.
void cutOut(const uchar4* picture, const Faces& where, uchar4* cut, cudaStream_t stream);
/// 13000 rounds take about 0.25 ms.
void recognise(const uchar4* cut, float* features, int rounds, cudaStream_t stream);

/// A move of a protein, by 8 blocks: 2600 rounds take about 0.007 ms.
void move(float* atoms, int rounds, cudaStream_t stream);
constexpr size_t atoms = 8 * threads;
/// A picture of it by 40 blocks: 400000 rounds take about a millisecond.
void render(const float* atoms, float* picture, int rounds, cudaStream_t stream);
constexpr size_t rendered = 40 * threads;

/// Where particles hit a detector; 2^21 hits and 3300 rounds take about 0.25 ms.
void track(float* hits, size_t count, int number, int rounds, cudaStream_t stream);
/// What so many pieces of hits have to do with each other; 2^21 hits a piece and 1500 rounds take about 0.12
/// ms.
void fit(const float* hits, int pieces, size_t count, float* tracks, int rounds, cudaStream_t stream);

/// What is in front of a car, by 20 blocks: 8000 rounds take 0.02 ms, and on multiprocessors that are full up
/// to 0.08 ms.
void detect(const float* from, float* to, int rounds, cudaStream_t stream);
constexpr size_t detected = 20 * threads;
/// A map, in place; 2^22 values and 4000 rounds take about 0.6 ms.
void chart(float* map, size_t count, int rounds, cudaStream_t stream);

/// The climate of a house follows from tables of 2^17 values; 2^21 values and 8000 rounds take about 0.6 ms.
void forecast(const float* tables, float* climate, size_t count, int rounds, cudaStream_t stream);
constexpr size_t tableValues = 1 << 17;

/// The answer to a question of `asked` values; 2^20 values and 8000 rounds take about 0.3 ms.
void answer(const float* question, float* values, size_t count, int rounds, cudaStream_t stream);
constexpr size_t asked = 16384;

} // namespace fourteenth
