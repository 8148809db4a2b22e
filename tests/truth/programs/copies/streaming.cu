// What streams through the device: tiles of a picture, frames of a film.
#include "kernel_parts.cuh"
#include "parts.h"

namespace {

/// 2^21 pixels and 4000 rounds take about 0.3 ms.
__global__ void trace(float* tile, int number, int rounds) {
    const int i = thread();
    tile[i] = settled(0.001f * float((i + 131 * number) % 97), rounds);
}

/// 2^21 pixels and 5000 rounds take about 0.37 ms.
__global__ void predict(const float* frame, float* rest, int rounds) {
    const int i = thread();
    rest[i] = settled(frame[i] - 0.3f * rest[i], rounds);
}

/// Each level is that of four pixels; 2^19 levels and 12000 rounds take about 0.22 ms.
__global__ void quantize(const float* rest, float* levels, int rounds) {
    const int i = thread();
    levels[i] = settled(rest[4 * i] + 0.5f * rest[4 * i + 2], rounds);
}

/// Ten tiles of a picture a step are traced, 0.3 ms each. A tile that is done, 8 MiB, leaves in the stream
/// that traces, 0.16 ms; mended, in a second one, while the next tile is traced. Two slots. 25 to 40 %.
class Traced : public Mendable {
public:
    using Mendable::Mendable;
    void step(int i) override {
        ended_[i % 2].await(); // two pictures ago
        for (int number = 0; number < tiles; ++number) {
            const Slot& slot = slots_[number % 2];
            if (mended_)
                slot.left.holdUp(compute_);
            trace<<<blocksOf(pixels), threads, 0, compute_>>>(slot.tile.get(), number + i % 3, 4000);
            float* const place = picture_.get() + size_t(number) * pixels;
            if (mended_)
                leave(slot, place);
            else
                toHost(place, slot.tile.get(), pixels, compute_);
        }
        ended_[i % 2].record(mended_ ? down_ : compute_);
    }
    double result() override {
        CHECK(cudaDeviceSynchronize());
        double sum = 0;
        for (size_t n = 0; n < tiles * pixels; n += 64)
            sum += double(picture_[n]);
        return sum;
    }

private:
    static constexpr size_t tiles = 10, pixels = 1 << 21;
    struct Slot {
        OnDevice<float> tile = onDevice<float>(pixels);
        Event traced, left;
    };
    void leave(const Slot& slot, float* place) {
        slot.traced.order(compute_, down_);
        toHost(place, slot.tile.get(), pixels, down_);
        slot.left.record(down_);
    }
    Pinned<float> picture_ = pinned<float>(tiles * pixels);
    Slot slots_[2];
    Event ended_[2];
    Stream compute_, down_;
};

/// Nothing to mend: an encoder, six frames a step, 8 MiB each. A frame comes in one stream, 0.16 ms, is
/// worked on in another, 0.59 ms, and its levels, 2 MiB, leave in a third. The host, which is busy for 0.25
/// ms with the levels of two frames ago, waits for those; the device has two more frames then.
class Encoder : public Program {
public:
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            encode(slots_[number % 3], number);
            const Slot& before = slots_[(number + 1) % 3];
            before.left.await(); // two frames ago
            bits_ += before.out[size_t(number) % levels] > 0.5f ? 3 : 7;
            workOnHost(250);
        }
    }
    double result() override { return sumOf(rest_, pixels); }

private:
    static constexpr size_t pixels = 1 << 21, levels = pixels / 4;
    struct Slot {
        Pinned<float> in = pinned<float>(pixels), out = pinned<float>(levels);
        OnDevice<float> frame = onDevice<float>(pixels), found = onDevice<float>(levels);
        Event come, made, left;
    };
    /// The frame that had this slot has left.
    void encode(const Slot& slot, int number) {
        std::fill(slot.in.get(), slot.in.get() + 1024, 0.1f * float(number % 11));
        toDevice(slot.frame.get(), slot.in.get(), pixels, up_);
        slot.come.order(up_, compute_);
        predict<<<blocksOf(pixels), threads, 0, compute_>>>(slot.frame.get(), rest_.get(), 5000);
        quantize<<<blocksOf(levels), threads, 0, compute_>>>(rest_.get(), slot.found.get(), 12000);
        slot.made.order(compute_, down_);
        toHost(slot.out.get(), slot.found.get(), levels, down_);
        slot.left.record(down_);
    }
    long bits_ = 0;
    OnDevice<float> rest_ = onDevice<float>(pixels);
    Slot slots_[3];
    Stream up_, compute_, down_;
};

} // namespace

std::vector<Pair> streamingPairs() {
    const Texts shared = {"stretched"};
    return {
        {"traced_tiles_leave_in_their_stream", {"same-stream", "too-few-streams"}, make<Traced>, shared},
        healthy<Encoder>("healthy_encoder_with_busy_host", shared),
    };
}
