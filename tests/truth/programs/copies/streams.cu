// How many streams copies and kernels have.
#include "kernel_parts.cuh"
#include "parts.h"
#include "pipeline.h"

namespace {

/// 3 x 2^20 pixels and 1900 rounds take about 0.21 ms.
__global__ void denoise(float* pixels, int rounds) {
    const int i = thread();
    pixels[i] = settled(0.5f * pixels[i] + 0.001f * float(i % 25), rounds);
}

/// By a grid that fills the device; 2^18 pixels and 28000 rounds take about 0.26 ms.
__global__ void clean(float* picture, int rounds) {
    const int i = thread();
    picture[i] = settled(0.5f * picture[i] + 0.003f * float(i % 15), rounds);
}

/// Exclusive or of all values, into one for each block.
__global__ void checksum(const unsigned* values, size_t count, unsigned* sums) {
    __shared__ unsigned all;
    if (threadIdx.x == 0)
        all = 0;
    __syncthreads();
    unsigned own = 0;
    for (size_t i = size_t(thread()); i < count; i += size_t(threadsOfGrid()))
        own ^= values[i] * 2654435761u + unsigned(i);
    atomicXor(&all, own);
    __syncthreads();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = all;
}

/// Chunks of 16 MiB come, are worked on for 0.3 ms and leave: all in one stream; mended, in turns in three.
/// 50 to 67 %.
std::unique_ptr<Program> chunks(bool mended) {
    Shape shape;
    shape.streams = mended ? 3 : 1;
    return std::make_unique<Pipeline>(shape);
}

/// Twelve slices of a body a step, 12 MiB each, come, are denoised and leave, which take about as long each.
/// The slices take turns in streams with a buffer each: two of them, which keep no more than two of the three
/// busy; mended, four. 15 to 30 %.
class Slices : public Program {
public:
    explicit Slices(bool mended)
        : lanes_(mended ? 4 : 2) {
        for (size_t n = 0; n < slices * pixels; ++n)
            in_[n] = 0.01f * float(n % 251);
    }
    void step(int i) override {
        for (size_t number = size_t(i) * slices; number < size_t(i + 1) * slices; ++number) {
            const Lane& lane = lanes_[number % lanes_.size()];
            const size_t begin = number % slices * pixels;
            toDevice(lane.slice.get(), in_.get() + begin, pixels, lane.stream);
            denoise<<<blocksOf(pixels), threads, 0, lane.stream>>>(lane.slice.get(), 1900);
            toHost(out_.get() + begin, lane.slice.get(), pixels, lane.stream);
        }
    }
    double result() override {
        CHECK(cudaDeviceSynchronize());
        double sum = 0;
        for (size_t n = 0; n < slices * pixels; n += 16)
            sum += double(out_[n]);
        return sum;
    }

private:
    static constexpr size_t slices = 12, pixels = 3 << 20;
    struct Lane {
        OnDevice<float> slice = onDevice<float>(pixels);
        Stream stream;
    };
    Pinned<float> in_ = pinned<float>(slices * pixels), out_ = pinned<float>(slices * pixels);
    std::vector<Lane> lanes_;
};

/// Nothing to mend: six telescopes with a stream each. A picture of 1 MiB comes, is cleaned by a grid that
/// fills the device, and leaves, while it is the turn of the others; five rounds a step, two slots. The host
/// changes a line of a picture when it was read.
class Telescopes : public Program {
public:
    void step(int i) override {
        for (int round = i * 5; round < (i + 1) * 5; ++round)
            for (const Telescope& telescope : telescopes_)
                look(telescope, telescope.slots[round % 2], round);
    }
    double result() override {
        double sum = 0;
        for (const Telescope& telescope : telescopes_)
            sum += sumOf(telescope.slots[0].picture, pixels);
        return sum;
    }

private:
    static constexpr size_t pixels = 1 << 18;
    struct Slot {
        Pinned<float> in = pinned<float>(pixels), out = pinned<float>(pixels);
        OnDevice<float> picture = onDevice<float>(pixels);
        Event left;
    };
    struct Telescope {
        Slot slots[2];
        Stream stream;
    };
    void look(const Telescope& telescope, const Slot& slot, int round) {
        slot.left.await(); // two rounds ago
        bright_ += double(slot.out[size_t(round) % pixels]);
        std::fill(slot.in.get(), slot.in.get() + 512, 0.1f * float(round % 7));
        toDevice(slot.picture.get(), slot.in.get(), pixels, telescope.stream);
        clean<<<blocksOf(pixels), threads, 0, telescope.stream>>>(slot.picture.get(), 28000);
        toHost(slot.out.get(), slot.picture.get(), pixels, telescope.stream);
        slot.left.record(telescope.stream);
    }
    double bright_ = 0;
    Telescope telescopes_[6];
};

/// Nothing to mend: ten pieces of an archive of 32 MiB a step, which come as fast as the link goes, three
/// slots; their sums are found beside the next one and looked at three pieces later.
class Archive : public Program {
public:
    void step(int i) override {
        for (int number = i * 10; number < (i + 1) * 10; ++number)
            look(slots_[number % 3], number);
    }
    double result() override { return sumOf(slots_[0].sums, blocks); }

private:
    static constexpr size_t count = 8 << 20, blocks = 512;
    struct Slot {
        Pinned<unsigned> piece = pinned<unsigned>(count), found = pinned<unsigned>(blocks);
        OnDevice<unsigned> values = onDevice<unsigned>(count), sums = onDevice<unsigned>(blocks);
        Event loaded, checked;
    };
    void look(const Slot& slot, int number) {
        slot.checked.await(); // three pieces ago
        all_ ^= slot.found[size_t(number) % blocks];
        slot.piece[size_t(number) % count] = unsigned(number);
        toDevice(slot.values.get(), slot.piece.get(), count, up_);
        slot.loaded.order(up_, compute_);
        checksum<<<blocks, threads, 0, compute_>>>(slot.values.get(), count, slot.sums.get());
        toHost(slot.found.get(), slot.sums.get(), blocks, compute_);
        slot.checked.record(compute_);
    }
    unsigned all_ = 0;
    Slot slots_[3];
    Stream up_, compute_;
};

} // namespace

std::vector<Pair> copyStreamPairs() {
    const Texts shared = {"stretched"}, ways = {"stretched", "both-directions"};
    return {
        {"one_stream", {"same-stream"}, chunks, shared},
        {"two_streams_for_three_engines", {"too-few-streams", "same-stream"}, make<Slices>, ways},
        healthy<Telescopes>("healthy_telescopes", ways),
        healthy<Archive>("healthy_archive_at_link_speed", shared),
    };
}
