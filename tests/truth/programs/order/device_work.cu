// What runs beside what on the device: grids that do not fill it, memsets, priorities, the room of a stream.
#include "kernel_parts.cuh"
#include "parts.h"

namespace {

__device__ float between(unsigned state) {
    return __uint_as_float((state >> 9) | 0x3f800000u) - 1.5f;
}

/// Prices follow chance for so many moments; 30000 of 1056 blocks take about 1.4 ms.
__global__ void follow(float* prices, int moments, float spread) {
    const int i = thread();
    unsigned state = unsigned(i) * 2654435761u + 12345u;
    float price = 0.5f * prices[i];
    for (int n = 0; n < moments; ++n) {
        state = state * 1664525u + 1013904223u;
        price += spread * between(state);
    }
    prices[i] = price;
}

/// The mean of `count` groups of paths, in the place of the first one.
__global__ void gather(float* prices, int count) {
    const int i = thread(), paths = threadsOfGrid();
    float sum = 0;
    for (int n = 0; n < count; ++n)
        sum += prices[n * paths + i];
    prices[i] = sum / float(count);
}

/// A picture by a grid that fills the device.
__global__ void __launch_bounds__(threads, 8)
    shade(float* pixels, const float* scene, int count, int rounds) {
    for (int i = thread(); i < count; i += threadsOfGrid())
        pixels[i] = settled(scene[i], rounds);
}

constexpr size_t reads = size_t(1056) * threads; ///< of DNA: as many threads as fit on 132 multiprocessors
constexpr size_t places = 1 << 20;               ///< of a table, each of which names another one far away
constexpr size_t traces = size_t(24) * 32;       ///< 24 warps
constexpr size_t judgements = size_t(60) * 1056; ///< a block each

/// A pass over reads; 8000 rounds take about 0.075 ms.
__global__ void align(const float* from, float* to, int rounds) {
    const int i = thread();
    to[i] = settled(0.5f * from[i] + 0.001f * float(i % 19), rounds);
}

__global__ void linkUp(unsigned* links) {
    const int i = thread();
    links[i] = (unsigned(i) * 1664525u + 1013904223u) % unsigned(places); // one circle of all places
}

/// Each load waits for the one before. They come from the L2 cache, as all multiprocessors share the table.
/// 2000 hops take about 0.4 ms.
__global__ void traceBack(const unsigned* links, const float* scores, float* ends, int hops) {
    const int i = thread();
    unsigned at = (unsigned(i) * 977u + unsigned(scores[i] * 1000)) % unsigned(places);
    for (int n = 0; n < hops; ++n)
        at = __ldcg(links + at);
    ends[i] = 0.001f * float(at % 1024u);
}

/// How good the reads are, by many short blocks: 1100 rounds take about 0.64 ms.
__global__ void judge(const float* values, float* sums, int rounds) {
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

__global__ void correct(float* values, const float* scores, const float* ends, const float* sums) {
    const int i = thread();
    values[i] = 0.9f * values[i] + 0.05f * scores[i] + 0.01f * ends[i % int(traces)] +
                0.0001f * sums[i % int(judgements)];
}

constexpr size_t atoms = 8 * threads, rendered = 40 * threads;

/// A move of a protein: 2600 rounds take about 0.007 ms.
__global__ void moveAtoms(float* values, int rounds) {
    const int i = thread();
    values[i] = settled(0.5f * values[i] + 0.001f * float(i % 37), rounds);
}

/// A picture of it: 400000 rounds take about a millisecond.
__global__ void render(const float* values, float* picture, int rounds) {
    const int i = thread();
    picture[i] = settled(0.5f * picture[i] + 0.1f * values[i % int(atoms)], rounds);
}

/// Three options a step are priced, then six times with a number changed: small grids that have nothing to do
/// with each other, in the one stream there is; mended, in six. 20 to 40 %.
class Sensitivities : public Mendable {
public:
    using Mendable::Mendable;
    void step(int) override {
        for (int option = 0; option < 3; ++option) {
            follow<<<blocksOf(basePaths), threads, 0, compute_>>>(base_.get(), 30000, 0.01f);
            if (mended_)
                beside();
            else
                for (int n = 0; n < changes; ++n)
                    change(n, compute_);
            gather<<<blocksOf(paths), threads, 0, compute_>>>(changed_.get(), changes);
        }
    }
    double result() override { return sumOf(base_, basePaths) + sumOf(changed_, changes * paths); }

private:
    static constexpr int changes = 6;
    static constexpr size_t basePaths = 1056 * threads, paths = 20 * threads;
    void change(int n, cudaStream_t stream) {
        float* const prices = changed_.get() + n * paths;
        follow<<<blocksOf(paths), threads, 0, stream>>>(prices, 30000, 0.01f + 0.001f * float(n));
    }
    void beside() {
        begun_.record(compute_);
        for (int n = 0; n < changes; ++n) {
            begun_.holdUp(streams_[n]);
            change(n, streams_[n]);
            done_[n].record(streams_[n]);
        }
        for (const Event& done : done_)
            done.holdUp(compute_);
    }
    OnDevice<float> base_ = onDevice<float>(basePaths), changed_ = onDevice<float>(changes * paths);
    Event begun_, done_[changes];
    Stream compute_, streams_[changes];
};

/// While a picture is shaded, the next scene comes. Its head is copied, a part cleared, its body copied; the
/// shader fills the device, and the memset waits for its end. Mended, the memset comes before the shader, in
/// its stream. 20 to 40 %.
class Scenes : public Mendable {
public:
    using Mendable::Mendable;
    void step(int i) override {
        for (int number = i * 4; number < (i + 1) * 4; ++number) {
            const Slot& slot = slots_[number % 2];
            load(slot);
            slot.loaded.holdUp(compute_);
            shade<<<blocks_, threads, 0, compute_>>>(
                pixels_.get(), reinterpret_cast<float*>(slot.scene.get()), pixels, 9000);
            if (mended_)
                clear(slot, compute_);
            slot.free.record(compute_);
        }
    }

private:
    static constexpr int pixels = 4 * 811008; // a multiple of all threads of 132 SMs
    static constexpr size_t head = 2 << 20, cleared = 16 << 20, body = 32 << 20;
    struct Slot {
        OnDevice<char> scene = onDevice<char>(head + cleared + body);
        Event loaded, free;
    };
    static unsigned fullGrid() {
        int multiprocessors = 0;
        CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
        return 8 * unsigned(multiprocessors);
    }
    void clear(const Slot& slot, cudaStream_t stream) {
        CHECK(cudaMemsetAsync(slot.scene.get() + head, 0, cleared, stream));
    }
    void load(const Slot& slot) {
        slot.free.holdUp(up_);
        toDevice(slot.scene.get(), in_.get(), head, up_);
        if (!mended_)
            clear(slot, up_);
        toDevice(slot.scene.get() + head + cleared, in_.get(), body, up_);
        slot.loaded.record(up_);
    }
    const unsigned blocks_ = fullGrid();
    Pinned<char> in_ = pinned<char>(body);
    OnDevice<float> pixels_ = onDevice<float>(pixels);
    Slot slots_[2];
    Stream up_, compute_;
};

/// Of a stream whose kernels go before those of others, or after them.
int priority(bool first) {
    int last = 0, before = 0; // the smaller number goes first
    CHECK(cudaDeviceGetStreamPriorityRange(&last, &before));
    return first ? before : last;
}

/// Reads of DNA, eight rounds a step. Five passes fill the device and align them, then a few warps trace the
/// best ones back. How good the reads are is judged beside that, by a large grid in a stream of its own. As
/// it is the longest kernel, it was given the higher priority, and so the second pass begins when it is
/// nearly done and nothing is left to go beside the few warps; mended, the reads have the higher priority. 15
/// to 35 %.
class Reads : public Program {
public:
    explicit Reads(bool mended)
        : aligned_(cudaStreamNonBlocking, priority(mended))
        , judged_(cudaStreamNonBlocking, priority(!mended)) {
        linkUp<<<blocksOf(places), threads, 0, aligned_>>>(links_.get());
    }
    void step(int) override {
        for (int round = 0; round < 8; ++round) {
            begun_.order(aligned_, judged_);
            for (int pass = 0; pass < 5; ++pass)
                align<<<blocksOf(reads), threads, 0, aligned_>>>(pass ? scores_.get() : reads_.get(),
                                                                 scores_.get(), 8000);
            traceBack<<<unsigned(traces / 32), 32, 0, aligned_>>>(links_.get(), scores_.get(), ends_.get(),
                                                                  2000);
            judge<<<unsigned(judgements), threads, 0, judged_>>>(reads_.get(), sums_.get(), 1100);
            known_.order(judged_, aligned_);
            correct<<<blocksOf(reads), threads, 0, aligned_>>>(reads_.get(), scores_.get(), ends_.get(),
                                                               sums_.get());
        }
    }
    double result() override { return sumOf(reads_, reads); }

private:
    OnDevice<unsigned> links_ = onDevice<unsigned>(places);
    OnDevice<float> reads_ = onDevice<float>(reads), scores_ = onDevice<float>(reads),
                    ends_ = onDevice<float>(traces), sums_ = onDevice<float>(judgements);
    Event begun_, known_;
    Stream aligned_, judged_;
};

/// A protein folds by 2000 small moves a step, and 15 pictures of how it was before are rendered in a stream
/// of their own. All moves are issued first, which are more than a stream has room for: the host waits for
/// room, and the pictures begin late; mended, they are issued first. 10 to 35 %.
class Protein : public Mendable {
public:
    using Mendable::Mendable;
    void step(int) override {
        onDeviceTo(before_.get(), atoms_.get(), atoms, moves_);
        begun_.order(moves_, pictures_);
        if (mended_)
            show();
        for (int n = 0; n < 2000; ++n)
            moveAtoms<<<blocksOf(atoms), threads, 0, moves_>>>(atoms_.get(), 2600);
        if (!mended_)
            show();
        shown_.holdUp(moves_);
    }
    double result() override { return sumOf(atoms_, atoms) + sumOf(picture_, rendered); }

private:
    void show() {
        for (int n = 0; n < 15; ++n)
            render<<<blocksOf(rendered), threads, 0, pictures_>>>(before_.get(), picture_.get(), 400000);
        shown_.record(pictures_);
    }
    OnDevice<float> atoms_ = onDevice<float>(atoms), before_ = onDevice<float>(atoms),
                    picture_ = onDevice<float>(rendered);
    Event begun_, shown_;
    Stream moves_, pictures_;
};

} // namespace

std::vector<Pair> deviceWorkPairs() {
    const Texts shared = {"stretched"};
    return {
        {"sensitivities_in_one_stream", {"same-stream", "too-few-streams"}, make<Sensitivities>, shared},
        {"memset_beside_shader", {"memset-full-grid"}, make<Scenes>},
        {"judgement_before_reads", {"priority"}, make<Reads>, shared},
        {"moves_issued_before_pictures", {"queue-full"}, make<Protein>, shared},
    };
}
